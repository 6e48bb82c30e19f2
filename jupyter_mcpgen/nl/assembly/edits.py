"""Other answers made of one: the same with another date, function or column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

_T = TypeVar("_T")


def mapped(node: _T, change: Callable[[Any], Any]) -> _T:
    """Return a meaning or an answer with each of its parts changed, the innermost first."""
    if isinstance(node, tuple):
        return tuple(mapped(one, change) for one in node)  # type: ignore[return-value]
    if is_dataclass(node) and not isinstance(node, type):
        told = {one.name: getattr(node, one.name) for one in fields(node) if one.init}
        new = {name: mapped(value, change) for name, value in told.items()}
        changed = {name: value for name, value in new.items() if value != told[name]}
        return change(replace(node, **changed) if changed else node)  # type: ignore[no-any-return]
    return node


def parts(node: object) -> tuple[Any, ...]:
    """Return everything that an answer is made of."""
    found: list[Any] = []

    def keep(one: Any) -> Any:
        found.append(one)
        return one

    mapped(node, keep)
    return tuple(found)
