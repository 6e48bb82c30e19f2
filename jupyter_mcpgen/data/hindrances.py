"""Finds why texts that look like figures are not computed with: units that are mixed, or JSON that is not opened."""

from __future__ import annotations

import json
from collections.abc import Sequence

from jupyter_mcpgen.data.written_numbers import units_of
from jupyter_mcpgen.model.profile import Hindrance
from jupyter_mcpgen.toolkit.missing_words import is_missing_word

_LOOKED_AT = 200
_READABLE = 0.8
_MOST_NAMED = 5
_LONGEST_EXAMPLE = 30


def find_hindrance(words: Sequence[str]) -> Hindrance | None:
    """Return why nothing is computed with distinct texts of a column, where there is a reason to name."""
    looked_at = [word.strip() for word in words[:_LOOKED_AT] if not is_missing_word(word)]
    return _mixed_units(looked_at) or _closed_json(looked_at)


def _mixed_units(words: Sequence[str]) -> Hindrance | None:
    """Say which units or currencies a column mixes: their numbers cannot be added up as they are."""
    units = units_of(words)
    if sum(units.values()) < _READABLE * len(words) or len(set(units) - {""}) < 2:
        return None
    named = [f"`{unit}`" for unit in sorted(set(units) - {""})]
    named = named if len(named) <= _MOST_NAMED else [*named[:_MOST_NAMED], "others"]
    return Hindrance(
        reason=f"mixes numbers in {', '.join(named[:-1])} and {named[-1]}",
        remedy="Bring them to one of these in a column of plain numbers, and ask about that column.",
    )


def _closed_json(words: Sequence[str]) -> Hindrance | None:
    """Say which keys stand in texts that are mostly JSON objects; had all been, they would be columns of their own."""
    found = [_object(word) for word in words]
    opened = [item for item in found if item is not None]
    if not opened or len(opened) < _READABLE * len(words):
        return None
    keys = tuple(dict.fromkeys(key for item in opened for key in item))
    named = ", ".join(f"`{key}`" for key in keys[:_MOST_NAMED])
    others = [word for word, item in zip(words, found, strict=True) if item is None]
    because = f", and cells that are none, such as “{others[0][:_LONGEST_EXAMPLE]}”" if others else ""
    return Hindrance(
        reason=f"holds JSON objects with the keys {named}{' and others' if len(keys) > _MOST_NAMED else ''}{because}",
        remedy="Only a column in which every cell is such an object becomes columns by its keys: mend or empty the "
        "others."
        if others
        else "Load the table from a file, which makes columns of the keys.",
        inside=keys,
    )


def _object(word: str) -> dict[str, object] | None:
    if not word.startswith("{"):
        return None
    try:
        found = json.loads(word)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
