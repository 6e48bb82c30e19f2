"""Steps of a plan whose columns are called otherwise, because an earlier step makes another column in their place."""

from __future__ import annotations

from typing import TypeVar

from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.schema import Node

_N = TypeVar("_N", bound=Node)


def called_otherwise(node: _N, called: dict[str, str]) -> _N:
    """Return a node in which columns that are called otherwise now have their new names; values stay as they are."""
    if isinstance(node, Lit):
        return node
    changed = {name: _in_value(getattr(node, name), called) for name in type(node).model_fields}
    return node.model_copy(update=changed)


def written_otherwise(node: _N, called: dict[str, str]) -> _N:
    """Return a node in which names are written otherwise, also within those made of them: `sum_points` as `sum_PTS`."""
    if isinstance(node, Lit):
        return node
    changed = {name: _within_value(getattr(node, name), called) for name in type(node).model_fields}
    return node.model_copy(update=changed)


def _within_value(value: object, called: dict[str, str]) -> object:
    match value:
        case Node():
            return written_otherwise(value, called)
        case str() if type(value) is str:
            return in_other_words(value, called)
        case tuple():
            return tuple(_within_value(one, called) for one in value)
        case _:
            return value


def in_other_words(text: str, called: dict[str, str]) -> str:
    """Return a text in which each name is written otherwise."""
    for name, other in called.items():
        text = text.replace(name, other)
    return text


def _in_value(value: object, called: dict[str, str]) -> object:
    match value:
        case Node():
            return called_otherwise(value, called)
        case str() if type(value) is str:
            return called.get(value, value)
        case tuple():
            return tuple(_in_value(one, called) for one in value)
        case _:
            return value
