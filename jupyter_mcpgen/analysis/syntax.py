"""What an expression looks like, whatever its names stand for."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath

NAMED_BY_TEXT = frozenset({"agg", "aggregate", "apply", "transform"})
"""Methods of pandas that take the names of others as text."""

_URL = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")


def is_address(text: str) -> bool:
    """Return whether a text begins as an address does: `scheme://`."""
    return bool(_URL.match(text))


def runs_on_stdio(node: ast.Call) -> bool:
    """Return whether `mcp.run(…)` is told nothing but to use its standard streams."""
    match node:
        case ast.Call(args=[], keywords=[]):
            return True
        case ast.Call(args=[], keywords=[ast.keyword(arg="transport", value=ast.Constant(value="stdio"))]):
            return True
    return False


def makes_class(node: ast.Call) -> bool:
    """Return whether a call of `type` makes a class."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[ast.expr() as only], keywords=[]):
            return isinstance(only, ast.Starred)
        case ast.Call(func=ast.Name(id="type")):
            return True
    return False


def takes_one(node: ast.Call) -> bool:
    """Return whether a call is given one argument by its place, and nothing else."""
    match node:
        case ast.Call(args=[ast.expr() as only], keywords=[]):
            return not isinstance(only, ast.Starred)
    return False


def builds_text(node: ast.expr) -> bool:
    """Return whether an expression can only be text that is put together when it runs."""
    match node:
        case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()))):
            return True
    return False


def method_name(node: ast.Call) -> str:
    """Return the name of the method that is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else "call"


def receiver(node: ast.Call) -> ast.expr:
    """Return what a method is called on."""
    return node.func.value if isinstance(node.func, ast.Attribute) else node.func


def is_short(node: ast.AST) -> bool:
    """Return whether a chain is short enough to be quoted whole."""
    depth = 0
    while isinstance(node, ast.Attribute):
        node, depth = node.value, depth + 1
    return isinstance(node, ast.Name) and depth < 8


def calls_super(node: ast.AST) -> bool:
    """Return whether this is `super().__init__`."""
    match node:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr="__init__"):
            return True
    return False


def argument(node: ast.Call, parameter: str) -> ast.expr | None:
    """Return the first positional argument, or the keyword argument of that name."""
    if node.args:
        return node.args[0]
    return next((keyword.value for keyword in node.keywords if keyword.arg == parameter), None)


def leaves_folder(path: str) -> bool:
    """Return whether a path leads out of the folder it is written in, or is an address."""
    parts = PurePosixPath(path), PureWindowsPath(path)
    return (
        any(p.is_absolute() or p.drive or ".." in p.parts for p in parts)
        or path.startswith(("~", "/", "\\"))
        or is_address(path)
    )


def is_styler(node: ast.expr) -> bool:
    """Return whether this is `df.style` or what is chained to it: its `format` formats cells, not text."""
    while isinstance(node, ast.Attribute | ast.Call):
        if isinstance(node, ast.Attribute) and node.attr == "style":
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def format_attributes(template: str) -> Iterator[str]:
    """Yield the attributes that a format string reads, in nested specifications too."""
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError:
        return
    for _, name, specification, _ in fields:
        yield from re.findall(r"\.([^.\[]*)", name or "")
        if specification:
            yield from format_attributes(specification)


def type_parts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what in a type expression may be text: not literals, and not the metadata of `Annotated`."""
    match node:
        case ast.Subscript(value=ast.Name(id="Literal") | ast.Attribute(attr="Literal")):
            return
        case ast.Subscript(
            value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"), slice=ast.Tuple(elts=[kind, *_])
        ):
            yield from type_parts(kind)
        case ast.Constant() | ast.Name() | ast.JoinedStr() | ast.Call() | ast.BinOp(op=ast.Add() | ast.Mod()):
            yield node
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield from type_parts(child)


def functions_by_name(node: ast.Call) -> Iterator[ast.expr]:
    """Yield the expressions that pandas takes for the names of functions."""
    if method_name(node) in NAMED_BY_TEXT and node.args:
        yield from _function_names(node.args[0])
    for keyword in node.keywords:
        match keyword:
            case ast.keyword(arg="func" | "aggfunc", value=value):
                yield from _function_names(value)
            case ast.keyword(arg=None, value=ast.Dict(values=values)):
                for value in values:
                    yield from _named_aggregation(value)
            case ast.keyword(value=value):
                yield from _named_aggregation(value)


def _named_aggregation(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Tuple(elts=[_, function]):
            yield function


def _function_names(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.List(elts=several) | ast.Tuple(elts=several):
            yield from several
        case ast.Dict(values=several):
            for value in several:
                yield from _function_names(value)
        case _:
            yield node
