"""The names of models in what servers tell of them, in all the shapes that they use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.plan.visible import visible

MOST_NAMES = 500
_LONGEST_NAME = 300


def names_in(listed: Any) -> tuple[str, ...]:
    """Return the names of `{"data": […]}`, `{"models": […]}` or a plain list; nothing for any other shape.

    A name with signs that do not show is left out: what a person picks is what is sent.
    """
    if isinstance(listed, Mapping):
        listed = listed.get("data") or listed.get("models")
    names: dict[str, None] = {}
    for one in listed if isinstance(listed, list) else ():
        name = (one.get("id") or one.get("name") or one.get("model")) if isinstance(one, Mapping) else one
        if isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME and visible(name) == name:
            names[name] = None
        if len(names) == MOST_NAMES:
            break
    return tuple(names)
