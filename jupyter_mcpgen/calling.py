"""Calls active tools in the sandbox, each after its files were compared with the approval."""

from __future__ import annotations

import fcntl
import json
import os
import time
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from jupyter_mcpgen.authors.offered import offered_in
from jupyter_mcpgen.data.named_files import is_table_there
from jupyter_mcpgen.errors import ColumnsRenamed, DataError, McpgenError, RateLimitError, ToolFailed
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.event import Listener, ToolCalled
from jupyter_mcpgen.model.figure import Figure
from jupyter_mcpgen.model.file_reading import FileReading, read_already, reading_of
from jupyter_mcpgen.model.offered import OfferedTool
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.spec import DATA_PARAMETER, DATA_PARAMETERS, OTHER_DATA_PARAMETER, RESULT, STATUS, ToolSpec
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.notebook_values import Copies, NotCopied, copies_of_notebook
from jupyter_mcpgen.pipeline.drift import renamed
from jupyter_mcpgen.pipeline.offering import limits_of, value_of
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
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.capabilities import WRITES, granted
from jupyter_mcpgen.sandbox.job import Answer
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.sandbox.service import Sandbox

if TYPE_CHECKING:
    import pandas as pd

_MINUTE = 60.0
_FOR_FRAMES = ("pandas",)
MOST_ROWS = 1_000
"""How many rows of a result go over the wire as structured content."""
MOST_CHARACTERS = 1_000_000
"""How many characters these rows may have together as JSON; the rows after them are left out."""


@dataclass(frozen=True)
class Rates:
    """How often each tool was called within the last minute, by all processes of a registry that share a folder.

    The clock counts from the start of the machine, so that all of them read the same.
    """

    folder: Path
    seconds: Callable[[], float] = time.monotonic

    def count(self, name: str, most: int) -> None:
        """Count a call; raises `RateLimitError` for one more than a minute may have."""
        try:
            self._count(name, most)
        except OSError as error:
            raise ToolFailed(
                f"`{name}` was not called, because its calls cannot be counted: `{self.folder}` cannot be written "
                f"({error.strerror or error}). Free some space or take ownership of Jupyter's data folder."
            ) from error

    def _count(self, name: str, most: int) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(self.folder / f"{name}.calls", flags, 0o600), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed
            now, known = self.seconds(), array("d")
            content = file.read()
            known.frombytes(content[: len(content) - len(content) % known.itemsize])
            calls = array("d", (at for at in known if now - _MINUTE < at <= now))
            if len(calls) >= most:
                raise RateLimitError(name, most)
            calls.append(now)
            file.seek(0)
            file.write(calls.tobytes())
            file.truncate()


@dataclass(frozen=True)
class ToolCalls:
    """Calls the tools of one registry; every call is announced, with how long it took and whether it failed."""

    registry: Registry
    sandbox: Callable[[], Sandbox]
    """Returns the sandbox, which is begun at the first call."""
    workspace: Path
    limits: Limits
    announce: Listener
    rates: Rates
    schema_of: Callable[[DataRef], Schema]
    """Reads the columns of a person's own table, after a call that failed over it."""
    mode: Literal["safe", "unsafe"] = "safe"
    """In `safe` mode no client's tool that may write is called."""
    unpacked: Callable[[str, FileReading, Cancellation | None], DataRef | None] = lambda path, reading, stop: None
    """Refers to the table in a packed file or a folder that was named; None for a file that a tool reads itself."""
    kernels: Path | None = None
    """Where kernels listen that give copies of their variables; None where nothing may be read from them."""

    def answer(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation | None = None) -> ToolAnswer:
        """Call an active tool in the sandbox, after comparing its files with the approval."""
        tool = self.registry.tool(name)
        start = time.perf_counter()
        try:
            arguments, read = self._opened(tool.spec, arguments, cancellation)
        except DataError as error:
            self._announce(tool, start, failed=True)
            return ToolAnswer(text=f"`{name}` gave no result: {error}", failed=True)
        answer, wrong, files, figures = self._called(tool, arguments, cancellation)
        if answer is not None and wrong is None and (answer.has_value or _says_status(tool)):
            value = value_of(answer, self.limits)
            text = answer.text or json.dumps(value, ensure_ascii=False)
            left = "".join(f"\n\nFile: `{path}`" for path in files if not figures)
            return ToolAnswer(text=f"{text}{left}{read}", structured=_as_promised(tool, value), figures=figures)
        if answer is None or answer.table is None or wrong is not None:
            text = (
                answer.text
                if answer is not None and answer.text
                else f"`{name}` gave no result: {(wrong or 'no answer').rstrip('.')}."
            )
            return ToolAnswer(text=text, failed=True)
        table = _within(table_of(table_in(answer, self.limits), MOST_ROWS), MOST_CHARACTERS)
        return ToolAnswer(
            text=f"{answer.text or ''}{read}", structured=structured_of(answer, table, files), figures=figures
        )

    def value(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call an active tool that takes no table and return the value that it gives; raises `ToolFailed` with why."""
        answer = self.answer(name, arguments)
        if answer.failed:
            raise ToolFailed(answer.text)
        return answer.structured.get(RESULT)

    def frame(
        self, name: str, data: DataRef, arguments: Mapping[str, Any], other: DataRef | None = None
    ) -> pd.DataFrame:
        """Call an active tool on a table, or two, and return its result as a frame; raises `ToolFailed` with why.

        A value that is no table is laid out as one.
        The frame's `attrs["mcpgen"]` says which version computed it, what was done to read a packed file, and where the
        files are that it left.
        """
        tool = self.registry.tool(name)
        paths = (
            {DATA_PARAMETER: data.path}
            if other is None
            else {DATA_PARAMETER: data.path, OTHER_DATA_PARAMETER: other.path}
        )
        tables = dict(zip(DATA_PARAMETERS, (data, other), strict=False))
        made = tuple(each for each, table in tables.items() if table is not None and table.packed is not None)
        call = {**paths, **arguments, **read_already(tool.spec, made)}
        answer, wrong, files, figures = self._called(tool, call)
        if answer is None or wrong is not None:
            given = (data,) if other is None else (data, other)
            for table in given:
                wrong = (wrong or "").replace(Path(table.path).name, table.name)  # a variable's snapshot is a file
            self._raise(f"`{name}` gave no result on `{data.name}`: {wrong}", tool, arguments, given)
        frame = result_in(answer, self.limits)
        frame.attrs["mcpgen"] = {
            "tool": tool.name,
            "version": tool.version,
            "fingerprint": tool.fingerprint,
            **({"read": read} if (read := _what_was_done((data, other))) else {}),
            **({"files": list(files)} if files else {}),
            **({"figures": [figure.told for figure in figures]} if figures else {}),
        }
        return frame

    def _raise(self, why: str, tool: PromotedTool, arguments: Mapping[str, Any], tables: Sequence[DataRef]) -> NoReturn:
        """Raise that a call failed, with the call that may be meant where columns have other names now."""
        mapped: Mapping[str, Any] = {}
        with suppress(McpgenError):  # then there is nothing to say beside what went wrong
            package = self.registry.load_package(tool)
            mapped = renamed(package, arguments, [self.schema_of(table) for table in tables])
        raise ColumnsRenamed(why, {**arguments, **mapped}) if mapped else ToolFailed(why)

    def _count(self, offered: OfferedTool, tool: PromotedTool) -> None:
        """Count a call of a client's tool; raises where it may not be called now."""
        writes = sorted(WRITES.intersection(tool.capabilities))
        if self.mode == "safe" and writes:
            raise ToolFailed(
                f"`{offered.name}` may write (`{writes[0]}`), and this server is in safe mode. The person can start it "
                "in unsafe mode, with the setting `server.mode`."
            )
        self.rates.count(offered.name, offered.resource_limits.rate_limit_per_minute)

    def _variables_of(self, offered: OfferedTool, tool: PromotedTool) -> Copies:
        """Return copies of the variables that a tool was allowed to read; raises `ToolFailed` where there are none."""
        if not offered.variables or self.kernels is None or not granted(tool.capabilities).reads_notebook:
            return Copies({}, {})
        try:
            return copies_of_notebook(self.kernels, offered.variables)
        except NotCopied as error:
            raise ToolFailed(
                f"`{offered.name}` reads a variable of a notebook, and {error}. Define it in a notebook with "
                "`%load_ext jupyter_mcpgen`, then call the tool again."
            ) from error

    def _opened(
        self, spec: ToolSpec, arguments: Mapping[str, Any], stop: Cancellation | None
    ) -> tuple[Mapping[str, Any], str]:
        """Return the arguments with tables in the place of packed files, and what was done to unpack them."""
        tables = {}
        for each, path in arguments.items():
            if _is_table_file(each, path):
                ref = self.unpacked(path, reading_of(spec, each, arguments), stop)
                if ref is not None:
                    tables[each] = ref
        told = "".join(f"\n\n{note}" for note in _what_was_done(tables.values()))
        paths = {each: ref.path for each, ref in tables.items()}
        return {**arguments, **paths, **read_already(spec, tuple(tables))}, told

    def _announce(self, tool: PromotedTool, start: float, *, failed: bool) -> None:
        spent = round((time.perf_counter() - start) * 1000, 1)
        self.announce(ToolCalled(tool_name=tool.name, milliseconds=spent, failed=failed))

    def _called(
        self, tool: PromotedTool, arguments: Mapping[str, Any], cancellation: Cancellation | None = None
    ) -> tuple[Answer | None, str | None, tuple[str, ...], tuple[Figure, ...]]:
        """Call a tool once; returns its answer, in words what went wrong if anything did, its files and its figures."""
        start, failed = time.perf_counter(), True
        package = self.registry.load_package(tool)
        offered = offered_in(package)
        limits, copies = self.limits, Copies({}, {})
        if offered is not None:
            self._count(offered, tool)
            copies = self._variables_of(offered, tool)
            limits = limits_of(offered, self.limits, _FOR_FRAMES if copies.frames else ())
        try:
            with unpacked(package, self.workspace) as folder:
                placed = PlacedTool(folder, tool.name, tool.capabilities)
                run = call_all(self.sandbox(), placed, (arguments,), limits, cancellation, copies=copies)
            answer = run.answers[0] if run.answers else None
            wrong = what_went_wrong(run, answer)
            failed = answer is None or wrong is not None
        finally:
            self._announce(tool, start, failed=failed)
        return answer, wrong, kept_files(run, self.workspace), figures_in(run)


def _within(table: Table, most: int) -> Table:
    """Return a table with its first rows, as many as have so many characters together."""
    names = sum(len(json.dumps(name, ensure_ascii=False)) for name in table.columns)
    written = accumulate(names + len(json.dumps(row, ensure_ascii=False)) for row in table.rows)
    fitting = sum(1 for _ in takewhile(lambda size: size <= most, written))
    return table if fitting == len(table.rows) else table.replace(rows=table.rows[:fitting])


def _what_was_done(tables: Iterable[DataRef | None]) -> list[str]:
    """Return what was done to unpack tables, in sentences."""
    return [note for table in tables if table is not None and table.packed is not None for note in table.packed.notes]


def _is_table_file(name: str, value: object) -> bool:
    return name in DATA_PARAMETERS and isinstance(value, str) and is_table_there(value)


def _says_status(tool: PromotedTool) -> bool:
    return STATUS in tool.spec.output_schema.get("properties", {})


def _as_promised(tool: PromotedTool, value: Any) -> dict[str, Any]:
    """Return the structured result of a tool that gives a value; some say beside it that they succeeded."""
    return {**({STATUS: "success"} if _says_status(tool) else {}), RESULT: value}
