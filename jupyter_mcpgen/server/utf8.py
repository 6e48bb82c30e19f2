"""Makes text fit for the wire: JSON is sent as UTF-8, which has no half of a surrogate pair.

Programs can name files and word errors with such halves. A client refuses the whole answer over one of them.
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def sendable(value: T) -> T:
    """Return a JSON value in which every half of a surrogate pair is replaced by a question mark."""
    found: object = value
    if isinstance(value, str):
        found = value.encode("utf-8", "replace").decode("utf-8")
    elif isinstance(value, dict):
        found = {sendable(name): sendable(part) for name, part in value.items()}
    elif isinstance(value, list | tuple):
        found = [sendable(part) for part in value]
    return found  # type: ignore[return-value]  # the same kind of value as before
