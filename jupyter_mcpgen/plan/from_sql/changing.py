"""Puts other names, or other values, into the nodes of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from jupyter_mcpgen.plan.schema import Node

SomeNode = TypeVar("SomeNode", bound=Node)
_NAMES = frozenset({"name", "names", "column", "label"})
"""The fields of nodes that hold what a column is called."""


def renamed(node: SomeNode, names: Mapping[str, str]) -> SomeNode:
    """Return a node with other names for some columns, wherever it names them."""
    if not names:
        return node
    changed: dict[str, Any] = {}
    for field in type(node).model_fields:
        value = getattr(node, field)
        new = _renamed(value, names, is_name=field in _NAMES)
        if new is not value:
            changed[field] = new
    return node.model_copy(update=changed) if changed else node


def _renamed(value: Any, names: Mapping[str, str], *, is_name: bool) -> Any:
    match value:
        case str() if is_name:
            return names.get(value, value)
        case Node():
            return renamed(value, names)
        case tuple():
            new = tuple(_renamed(each, names, is_name=is_name) for each in value)
            return new if any(one is not other for one, other in zip(new, value, strict=True)) else value
        case _:
            return value
