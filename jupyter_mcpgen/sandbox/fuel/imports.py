"""What a program imports and how it loops, read from its text without running it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.sandbox.fuel.syntax import parsed

CODE_READ = 4 * 1024  # imports stand at the top; more would take longer to parse than the analysis may
_NOTHING_READ = ast.Module(body=[], type_ignores=[])  # code that cannot be read does not run, so it imports nothing

# what pandas loads by itself when one of its methods is used
_LOADED_BY_PANDAS = {
    "read_excel": "openpyxl",
    "to_excel": "openpyxl",
    "ExcelWriter": "openpyxl",
    "to_markdown": "tabulate",
    "style": "jinja2",
}
_Kinds = defaultdict[type[ast.AST], list[Any]]
_ROW_BY_ROW = ("iterrows", "itertuples")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class Reading:
    """What the text of a program says: the modules it loads, in order, and the loops that cost."""

    imports: tuple[str, ...] = ()
    endless_loop: int | None = None
    nested_loop: int | None = None
    row_by_row: int | None = None


def read_code(code: str, language: str = "python") -> Reading:
    """Return what the first 4 KB of a Python program say; other languages and broken code say nothing."""
    if language != "python":
        return Reading()
    kinds = _by_kind(parsed(_beginning(code)) or _NOTHING_READ)
    loops = [loop for kind in _LOOPS for loop in kinds[kind]]
    return Reading(
        imports=tuple(dict.fromkeys(_imports(kinds))),
        endless_loop=_first_line(loop for loop in loops if _never_ends(loop)),
        nested_loop=_first_line(loop for loop in loops if _holds_a_loop(loop)),
        row_by_row=_first_line(call for call in kinds[ast.Call] if _goes_row_by_row(call)),
    )


def _by_kind(tree: ast.Module) -> _Kinds:
    kinds: _Kinds = defaultdict(list)
    for node in ast.walk(tree):
        kinds[type(node)].append(node)
    return kinds


def _first_line(nodes: Iterable[Any]) -> int | None:
    return min((node.lineno for node in nodes), default=None)


def _beginning(code: str) -> str:
    """Return the code up to the last whole top-level statement within the part that is read."""
    if len(code) <= CODE_READ:
        return code
    lines = code[:CODE_READ].splitlines(keepends=True)
    starts = (number for number, line in enumerate(lines) if _starts_a_statement(line, lines[number - 1]))
    return "".join(lines[: max(starts, default=0)])


def _starts_a_statement(line: str, before: str) -> bool:
    return (
        (line[0].isalpha() or line[0] in "_@")
        and not before.startswith("@")
        and re.match(r"(else|elif|except|finally)\b", line) is None
    )


def _imports(kinds: _Kinds) -> Iterator[str]:
    named = [found for kind in (ast.Import, ast.ImportFrom, ast.Call) for node in kinds[kind] for found in _named(node)]
    modules = [name.partition(".")[0] for _, name in sorted(named, key=lambda found: found[0])]
    yield from modules
    if "pandas" in modules:
        used = {node.attr for node in kinds[ast.Attribute]}
        yield from (package for method, package in _LOADED_BY_PANDAS.items() if method in used)


def _named(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of every module that an import or a call loads."""
    match node:
        case ast.Import(names=names, lineno=line):
            yield from ((line, name.name) for name in names)
        case ast.ImportFrom(module=str(module), level=0, lineno=line):
            yield line, module
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(module)), *_],
            lineno=line,
        ):
            yield line, module


def _never_ends(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.While)
        and isinstance(node.test, ast.Constant)
        and bool(node.test.value)
        and not any(isinstance(part, ast.Break | ast.Return | ast.Raise | ast.Yield) for part in ast.walk(node))
    )


def _holds_a_loop(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    return any(isinstance(part, _LOOPS) for statement in loop.body for part in ast.walk(statement))


def _goes_row_by_row(node: ast.Call) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=method)) if method in _ROW_BY_ROW:
            return True
        case ast.Call(func=ast.Attribute(attr="apply"), keywords=keywords):
            return any(
                word.arg == "axis" and isinstance(word.value, ast.Constant) and word.value.value in (1, "columns")
                for word in keywords
            )
        case _:
            return False
