"""Loads a tool from its package folder, calls it, and writes each answer to the result channel.

One frame per call: a JSON header with its length before it (4 bytes), then the text and the table, each with its length
before it (8 bytes). No pickle in either direction. Runs inside the confined job and uses the standard library only; a
table is converted by the pandas that the tool itself imported.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import FileFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, TypeGuard

from .drawing import DRAWS, forget_fonts, save_figures, without_screen
from .job_work import JobWork

if TYPE_CHECKING:
    import pandas as pd

HEADER_LENGTH, BLOB_LENGTH = 4, 8
HEADER_LIMIT = 4 * 1024 * 1024
_MESSAGE_LIMIT = 10_000
_COMPLETED, _NOT_LOADED = 0, 1
TOOL = "tool"
"""The module that holds a tool."""
_NO_NAME = " "
_NOTHING = b"def tool():\n    return ''\n"


class _FreshSource(SourceFileLoader):
    """Compiles a package's files from their text: a cached `.pyc` beside an approved file was approved by nobody."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the source file as it is now."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class FastMCP:
    """Stands in for the real server class, whose import costs a second: decorators leave functions as they are."""

    def __init__(self, name: str = "", **options: object) -> None:
        self.name = name

    def tool(self, *arguments: Any, **options: object) -> Any:
        """Return the function itself, for `@mcp.tool` and for `@mcp.tool(...)`."""
        return arguments[0] if arguments and callable(arguments[0]) else lambda function: function

    def run(self, *arguments: object, **options: object) -> None:
        """Serve nothing."""


def perform(work: JobWork, channel: int) -> int:
    """Load the tool, make all calls in order, write the answers; return the exit code of the job."""
    try:
        function = _load(work)
    except BaseException as error:
        _send(channel, {"loaded": False, **_described(error)})
        return _NOT_LOADED
    for arguments in work.calls:
        _send(channel, *_answer(function, arguments, keeps_figures=len(work.calls) == 1))
    forget_fonts()
    return _COMPLETED


def play(channel: int) -> None:
    """Look for a module that is nowhere, call a tool that does nothing, and answer; nothing is left of it."""
    with suppress(ModuleNotFoundError):
        __import__(_NO_NAME)
    FileFinder(os.sep, (_FreshSource, [".py"])).find_spec(_NO_NAME)
    variables: dict[str, Any] = {}
    exec(_FreshSource(_NO_NAME, os.sep).source_to_code(_NOTHING, os.sep), variables)  # noqa: S102  # our own text
    _send(channel, *_answer(variables[TOOL], {}))


def _load(work: JobWork) -> Callable[..., object]:
    _prepare_imports(work.package, work.paths)
    if work.modules is not None:
        _allow_only(frozenset(work.modules))
    if work.modules is not None and DRAWS in work.modules:
        without_screen()
    module: ModuleType = __import__(TOOL)
    vars(module).update(work.variables)
    for name, file in work.frames.items():
        vars(module)[name] = import_module("pandas").read_feather(os.path.join(work.package, str(file)))
    found = getattr(module, work.function, None)
    if not callable(found):
        raise AttributeError(f"`tool.py` defines no function `{work.function}`")
    return found  # type: ignore[no-any-return]  # `callable` narrows Any to a callable that returns Any


def _prepare_imports(package: str, paths: Sequence[str]) -> None:
    stand_in = ModuleType("fastmcp")
    vars(stand_in)["FastMCP"] = FastMCP
    sys.modules["fastmcp"] = stand_in
    sys.dont_write_bytecode = True
    sys.path[:] = [package, *sys.path, *(path for path in paths if path not in sys.path)]
    sys.path_importer_cache[package] = FileFinder(package, (_FreshSource, [".py"]))


def _allow_only(modules: frozenset[str]) -> None:
    """Refuse the tool's own imports of packages that it was not granted; what they import themselves is theirs."""
    really_import = builtins.__import__

    def import_granted(
        name: str,
        variables: Mapping[str, object] | None = None,
        local: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level == 0 and _are_of_the_tool(variables) and not _is_free(top) and top not in modules:
            raise ImportError(f"`{top}` needs the capability `cap:python.{top}`", name=top)
        return really_import(name, variables, local, fromlist, level)

    builtins.__import__ = import_granted  # type: ignore[assignment]  # two parameters are named otherwise


def _are_of_the_tool(variables: Mapping[str, object] | None) -> bool:
    """Return whether these are the variables of the tool's own module, whatever it calls itself."""
    module = sys.modules.get(TOOL)
    return module is not None and variables is vars(module)


def _is_free(top: str) -> bool:
    return top in sys.stdlib_module_names or top == "helpers"


def _answer(
    function: Callable[..., object], arguments: dict[str, object], *, keeps_figures: bool = False
) -> tuple[dict[str, Any], bytes, bytes | None]:
    begin = time.perf_counter()
    try:
        header, text, table = _given_back(function(**arguments))
        save_figures(keeps=keeps_figures)
    except BaseException as error:
        header, text, table = _described(error), b"", None
    milliseconds = (time.perf_counter() - begin) * 1000
    return {"loaded": True, "milliseconds": milliseconds, **header}, text, table


def _given_back(value: object) -> tuple[dict[str, Any], bytes, bytes | None]:
    if _is_table(value):
        return {}, b"", _arrow(value)
    if not isinstance(value, str) or type(value) is str:  # a report is a text with more beside it
        return {"has_value": True}, _json(value), None
    header: dict[str, Any] = {"details": getattr(value, "details", None) or {}}
    if len(_encoded(header)) > HEADER_LIMIT // 2:
        raise ValueError(f"the details of the result take more than {HEADER_LIMIT // 2} bytes")
    if getattr(value, "failed", False):
        header |= {"error_type": "ToolFailed", "error_message": str(value)[:_MESSAGE_LIMIT]}
    frame = getattr(value, "table", None)
    return header, str.encode(value, "utf-8", "replace"), None if frame is None else _arrow(frame)


def _is_table(value: object) -> TypeGuard[pd.DataFrame]:
    return type(value).__name__ == "DataFrame" and hasattr(value, "to_feather")


def _json(value: object) -> bytes:
    """Return a value as JSON; numpy's numbers become plain ones, and whoever reads it takes NaN for no value."""
    try:
        return json.dumps(value, default=_plain, ensure_ascii=False).encode("utf-8", "replace")
    except ValueError as error:
        raise TypeError(f"the result is no JSON value: {error}") from error


def _plain(value: Any) -> object:
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"the result holds a `{type(value).__name__}`, which JSON does not have")


def _described(error: BaseException) -> dict[str, Any]:
    inside = error.__traceback__.tb_next if error.__traceback__ else None  # without our own frame
    traceback.print_exception(type(error), error, inside)
    return {"error_type": type(error).__name__, "error_message": str(error)[:_MESSAGE_LIMIT]}


def _arrow(frame: pd.DataFrame) -> bytes:
    """Return a table as an uncompressed Arrow file; a column that Arrow cannot hold becomes text."""
    frame = _flat(frame)
    try:
        return _feather(frame)
    except Exception:  # any extension type may fail in its own way
        return _feather(_with_text_for_what_arrow_cannot_hold(frame))


def _flat(frame: pd.DataFrame) -> pd.DataFrame:
    plain = frame.index.name is None and type(frame.index).__name__ == "RangeIndex"
    flat = frame.reset_index(drop=plain, allow_duplicates=True)
    flat.columns = _distinct([_label(column) for column in flat.columns])
    return flat


def _label(column: object) -> str:
    return " ".join(str(part) for part in column if str(part)) if isinstance(column, tuple) else str(column)


def _distinct(labels: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    names = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        names.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return names


def _with_text_for_what_arrow_cannot_hold(frame: pd.DataFrame) -> pd.DataFrame:
    converted = frame.copy()
    for name in frame.columns:
        try:
            _feather(frame[[name]])
        except Exception:  # as above: the column says how it fails, and the cure is the same
            converted[name] = frame[name].map(str)
    return converted


def _feather(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_feather(buffer, compression="uncompressed")
    return buffer.getvalue()


def _send(channel: int, header: dict[str, Any], text: bytes = b"", table: bytes | None = None) -> None:
    encoded = _encoded({**header, "has_table": table is not None})
    blobs = [len(blob).to_bytes(BLOB_LENGTH, "big") + blob for blob in (text, table or b"")]
    _write(channel, b"".join([len(encoded).to_bytes(HEADER_LENGTH, "big"), encoded, *blobs]))


def _encoded(header: dict[str, Any]) -> bytes:
    return json.dumps(header, default=str, ensure_ascii=False).encode("utf-8", "replace")


def _write(channel: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(channel, rest) :]
