"""What a program imports and how it loops, read from its text without running it."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

CODE_READ = 4 * 1024  # imports stand at the top; more would take longer to parse than the analysis may
_NOTHING_READ = ast.Module(body=[], type_ignores=[])
_PARSING = threading.Lock()  # the filter of warnings belongs to the whole process

# what pandas loads by itself when one of its methods is used
_LOADED_BY_PANDAS = {
    "read_excel": "openpyxl",
    "to_excel": "openpyxl",
    "ExcelWriter": "openpyxl",
    "to_markdown": "tabulate",
    "style": "jinja2",
}
_ROW_BY_ROW = ("iterrows", "itertuples")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_IMPORTING = (ast.Import, ast.ImportFrom, ast.Call)


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
    nodes = tuple(ast.walk(_parsed(_beginning(code))))
    loops = [node for node in nodes if isinstance(node, _LOOPS)]
    return Reading(
        imports=tuple(dict.fromkeys(_imports(nodes))),
        endless_loop=next((loop.lineno for loop in loops if _never_ends(loop)), None),
        nested_loop=next((loop.lineno for loop in loops if _holds_a_loop(loop)), None),
        row_by_row=next((node.lineno for node in nodes if isinstance(node, ast.Call) and _goes_row_by_row(node)), None),
    )


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


def _parsed(code: str) -> ast.Module:
    try:
        with _PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # doubtful escapes are the linter's business
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _NOTHING_READ  # such code does not run either, so it imported nothing


def _imports(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    named = tuple(_named_imports(nodes))
    yield from named
    if "pandas" in named:
        used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        yield from (package for method, package in _LOADED_BY_PANDAS.items() if method in used)


def _named_imports(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    for node in nodes:
        if not isinstance(node, _IMPORTING):
            continue
        match node:
            case ast.Import(names=names):
                yield from (name.name.partition(".")[0] for name in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0]
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module.partition(".")[0]


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
