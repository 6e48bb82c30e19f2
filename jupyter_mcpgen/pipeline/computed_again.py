"""Computes a tool's result again: its code runs in the sandbox on some tables, with its defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jupyter_mcpgen.errors import NoAnswer, SandboxError
from jupyter_mcpgen.model.candidate import ToolCandidate
from jupyter_mcpgen.model.file_reading import read_already
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.spec import DATA_PARAMETERS
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import PlacedTool, call_all, result_in, unpacked, what_went_wrong

if TYPE_CHECKING:
    import pandas as pd


def computed_again(
    candidate: ToolCandidate, package: Package, tables: Sequence[DataRef], services: Services
) -> pd.DataFrame:
    """Return the result of a call with the defaults; raises `NoAnswer` with the reason where there is none."""
    with unpacked(package, services.workspace) as folder:
        tool = PlacedTool(folder, candidate.spec.tool_name, candidate.capabilities)
        try:
            paths = {name: table.path for name, table in zip(DATA_PARAMETERS, tables, strict=False)}
            call = {**paths, **read_already(candidate.spec)}
            run = call_all(services.sandbox, tool, (call,), services.limits)
            answer = run.answers[0] if run.answers else None
            wrong = what_went_wrong(run, answer)
            if answer is not None and wrong is None:
                return result_in(answer, services.limits)
        except SandboxError as error:
            raise NoAnswer(str(error)) from error
    raise NoAnswer(wrong or "the tool gave no result")
