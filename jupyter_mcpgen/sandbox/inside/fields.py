"""The fields of a JSON object that one of our processes wrote and another reads: each is taken with its type, or not.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import json
from typing import NoReturn


class Fields:
    """One JSON object; each method returns one of its fields, and raises `ValueError` for one of another type."""

    def __init__(self, document: object) -> None:
        if not isinstance(document, dict):
            raise ValueError(f"a JSON object was expected, and not {document!r:.80}")
        self._fields: dict[str, object] = document

    @classmethod
    def decoded(cls, content: bytes) -> Fields:
        """Return the fields of an object that is still text."""
        return cls(json.loads(content))

    def has(self, name: str) -> bool:
        """Return whether there is such a field."""
        return name in self._fields

    def text(self, name: str) -> str:
        """Return a text."""
        return _text(self._fields.get(name), name)

    def number(self, name: str) -> int:
        """Return a whole number."""
        value = self._fields.get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            _refuse(name, "a whole number", value)
        return value

    def real(self, name: str) -> float:
        """Return a number of any kind."""
        value = self._fields.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            _refuse(name, "a number", value)
        return value

    def flag(self, name: str) -> bool:
        """Return yes or no."""
        value = self._fields.get(name)
        return value if isinstance(value, bool) else _refuse(name, "true or false", value)

    def text_if_any(self, name: str) -> str | None:
        """Return a text, or `None` for null or no such field."""
        return None if self._fields.get(name) is None else self.text(name)

    def number_if_any(self, name: str) -> int | None:
        """Return a whole number, or `None` for null or no such field."""
        return None if self._fields.get(name) is None else self.number(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(_text(part, name) for part in self._items(name))

    def texts_if_any(self, name: str) -> tuple[str, ...] | None:
        """Return a list of texts, or `None` for null or no such field."""
        return None if self._fields.get(name) is None else self.texts(name)

    def objects(self, name: str) -> tuple[dict[str, object], ...]:
        """Return a list of objects, whose fields are left as they are."""
        return tuple(part if isinstance(part, dict) else _refuse(name, "objects", part) for part in self._items(name))

    def object_if_any(self, name: str) -> dict[str, object]:
        """Return an object whose fields are left as they are, an empty one where there is no such field."""
        value = self._fields.get(name)
        return {} if value is None else value if isinstance(value, dict) else _refuse(name, "an object", value)

    def pairs(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return a list of pairs of texts."""
        return tuple(_pair(part, name) for part in self._items(name))

    def text_by_name(self, name: str) -> dict[str, str]:
        """Return an object whose fields are all texts."""
        value = self._fields.get(name)
        if not isinstance(value, dict):
            return _refuse(name, "an object", value)
        return {_text(key, name): _text(part, name) for key, part in value.items()}

    def below(self, name: str) -> Fields:
        """Return the fields of an object inside this one."""
        return Fields(self._fields.get(name))

    def _items(self, name: str) -> list[object] | tuple[object, ...]:
        value = self._fields.get(name)
        return value if isinstance(value, list | tuple) else _refuse(name, "a list", value)


def _text(value: object, name: str) -> str:
    return value if isinstance(value, str) else _refuse(name, "text", value)


def _pair(value: object, name: str) -> tuple[str, str]:
    match value:
        case [str(first), str(second)]:
            return first, second
        case _:
            return _refuse(name, "pairs of texts", value)


def _refuse(name: str, expected: str, value: object) -> NoReturn:
    raise ValueError(f"`{name}` was expected to be {expected}, and not {value!r:.80}")
