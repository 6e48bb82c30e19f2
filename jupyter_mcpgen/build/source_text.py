"""Python source in parts: statements with the comments before them, and changes that leave all the rest as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(frozen=True)
class Part:
    """Statements at the top of a module that share lines, as text, with the comments before them."""

    nodes: tuple[ast.stmt, ...]
    text: str

    @property
    def node(self) -> ast.stmt:
        """The first statement."""
        return self.nodes[0]


def parts_of(source: str) -> tuple[Part, ...]:
    """Return the statements of a module in their order; together with blank lines they are the whole source."""
    lines = _lines(source)
    found: list[tuple[list[ast.stmt], int, int]] = []
    end = 0
    for node in ast.parse(source).body:
        begin, last = _first_line(node), node.end_lineno or node.lineno
        if found and begin <= end:
            found[-1][0].append(node)
            found[-1] = (found[-1][0], found[-1][1], max(last, end))
        else:
            found.append(([node], end, last))
        end = max(last, end)
    return tuple(Part(tuple(nodes), _joined(lines[first:last])) for nodes, first, last in found)


def text_of(source: str, node: ast.AST) -> str:
    """Return the source of a node."""
    return ast.get_source_segment(source, node) or ""


def changed(source: str, changes: Sequence[tuple[ast.AST, str]]) -> str:
    """Return the source with other text instead of some nodes; none of them lies in another."""
    lines = _lines(source)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    whole = b"".join(lines)
    for node, text in sorted(changes, key=lambda change: _place(change[0]), reverse=True):
        begin = starts[_at(node, "lineno") - 1] + _at(node, "col_offset")
        end = starts[_at(node, "end_lineno") - 1] + _at(node, "end_col_offset")
        whole = whole[:begin] + text.encode() + whole[end:]
    return whole.decode()


def indented(statements: str) -> str:
    """Return statements one level deeper, every text in them as it is; raises `SyntaxError` for what is no Python."""
    kept = {number for node in ast.walk(ast.parse(statements)) for number in _continued(node)}
    lines = (line.decode() for line in _lines(statements))
    return "".join(
        line if number in kept or not line.strip() else f"    {line}" for number, line in enumerate(lines, 1)
    )


def dedented(statements: str) -> str | None:
    """Return statements at the left margin; None where that changes a text in them.

    Raises `SyntaxError` for what is no Python.
    """
    if not statements[:1].isspace():
        return statements
    (block,) = ast.parse(f"if True:\n{statements}").body
    moved = dedent(statements)
    try:
        after = ast.parse(moved).body
    except SyntaxError:
        return None  # a line of a text begins further left than the statements
    is_same = isinstance(block, ast.If) and list(map(ast.dump, block.body)) == list(map(ast.dump, after))
    return moved if is_same else None


def without_lines(source: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the source without some lines, counted from 1, the last one included."""
    dropped = {number for first, last in spans for number in range(first, last + 1)}
    return b"".join(line for number, line in enumerate(_lines(source), 1) if number not in dropped).decode()


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield every name that a node uses or sets, whatever it means there."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id


def defined_by(node: ast.stmt) -> frozenset[str]:
    """Return the names that a statement at the top of a module defines, but for imports."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return frozenset({name})
        case ast.Import() | ast.ImportFrom():
            return frozenset()
    return frozenset(
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )


def _continued(node: ast.AST) -> range:
    """Return the lines that begin within a text."""
    match node:
        case ast.JoinedStr() | ast.Constant(value=str() | bytes()):
            return range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    return range(0)


def _first_line(node: ast.stmt) -> int:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return node.lineno


def _lines(source: str) -> list[bytes]:
    """Return the lines as Python counts them, with their ends."""
    return [found for found in _LINE.findall(source.encode()) if found]


def _joined(lines: Sequence[bytes]) -> str:
    return b"".join(lines).decode().strip("\r\n")


def _place(node: ast.AST) -> tuple[int, int]:
    return _at(node, "lineno"), _at(node, "col_offset")


def _at(node: ast.AST, what: str) -> int:
    return int(getattr(node, what))
