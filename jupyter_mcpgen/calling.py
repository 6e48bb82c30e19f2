"""Calls active tools in the sandbox, each after its files were compared with the approval."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.errors import ToolFailed
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.event import Listener, ToolCalled
from jupyter_mcpgen.model.figure import Figure
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.spec import DATA_PARAMETER, OTHER_DATA_PARAMETER, RESULT
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.pipeline.structured import structured_of
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.pipeline.workbench import (
    PlacedTool,
    call_all,
    figures_in,
    kept_files,
    result_in,
    table_in,
    unpacked,
    what_went_wrong,
)
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.job import Answer
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.sandbox.service import Sandbox

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 1_000
"""How many rows of a result go over the wire as structured content."""


@dataclass(frozen=True)
class ToolCalls:
    """Calls the tools of one registry; every call is announced, with how long it took and whether it failed."""

    registry: Registry
    sandbox: Callable[[], Sandbox]
    """Returns the sandbox, which is begun at the first call."""
    workspace: Path
    limits: Limits
    announce: Listener

    def answer(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation | None = None) -> ToolAnswer:
        """Call an active tool in the sandbox, after comparing its files with the approval."""
        answer, wrong, files, figures = self._called(self.registry.tool(name), arguments, cancellation)
        if answer is not None and answer.has_value and wrong is None:
            return ToolAnswer(text=answer.text or "", structured={RESULT: answer.value}, figures=figures)
        if answer is None or answer.table is None or wrong is not None:
            text = answer.text if answer is not None and answer.text else f"`{name}` gave no result: {wrong}."
            return ToolAnswer(text=text, failed=True)
        table = table_of(table_in(answer, self.limits), MOST_ROWS)
        return ToolAnswer(text=answer.text or "", structured=structured_of(answer, table, files), figures=figures)

    def frame(
        self, name: str, data: DataRef, arguments: Mapping[str, Any], other: DataRef | None = None
    ) -> pd.DataFrame:
        """Call an active tool on a table, or two, and return its result as a frame; raises `ToolFailed` with why.

        A value that is no table is laid out as one.
        The frame's `attrs["mcpgen"]` says which version computed it, and where the files are that it left.
        """
        tool = self.registry.tool(name)
        paths = (
            {DATA_PARAMETER: data.path}
            if other is None
            else {DATA_PARAMETER: data.path, OTHER_DATA_PARAMETER: other.path}
        )
        answer, wrong, files, figures = self._called(tool, {**paths, **arguments})
        if answer is None or wrong is not None:
            for table in (data, *([other] if other is not None else [])):
                wrong = (wrong or "").replace(Path(table.path).name, table.name)  # a variable's snapshot is a file
            raise ToolFailed(f"`{name}` gave no result on `{data.name}`: {wrong}")
        frame = result_in(answer, self.limits)
        frame.attrs["mcpgen"] = {
            "tool": tool.name,
            "version": tool.version,
            "fingerprint": tool.fingerprint,
            **({"files": list(files)} if files else {}),
            **({"figures": [figure.told for figure in figures]} if figures else {}),
        }
        return frame

    def _called(
        self, tool: PromotedTool, arguments: Mapping[str, Any], cancellation: Cancellation | None = None
    ) -> tuple[Answer | None, str | None, tuple[str, ...], tuple[Figure, ...]]:
        """Call a tool once; returns its answer, in words what went wrong if anything did, its files and its figures."""
        start, failed = time.perf_counter(), True
        try:
            with unpacked(self.registry.load_package(tool), self.workspace) as folder:
                placed = PlacedTool(folder, tool.name, tool.capabilities)
                run = call_all(self.sandbox(), placed, (arguments,), self.limits, cancellation)
            answer = run.answers[0] if run.answers else None
            wrong = what_went_wrong(run, answer)
            failed = answer is None or wrong is not None
        finally:
            spent = round((time.perf_counter() - start) * 1000, 1)
            self.announce(ToolCalled(tool_name=tool.name, milliseconds=spent, failed=failed))
        return answer, wrong, kept_files(run, self.workspace), figures_in(run)
