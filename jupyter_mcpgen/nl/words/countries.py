"""The names of a country, for a column that writes its ISO code or another of its names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from jupyter_mcpgen.model.profile import Kind, Profile

SHORTEST_NAME = 4
"""A shorter name is too often another word: "oman" is none, "us" is."""
_SHORTEST_WORD = 3
"""A name with a shorter word, such as the "of" in some, is not looked for."""


def names_of_countries(profile: Profile) -> Iterator[tuple[str, str, str]]:
    """Yield each lower-case name of a country in a column that holds such, with the column and its value there."""
    for column in profile.columns:
        if column.kind is Kind.COUNTRY:
            for value in map(str, column.values):
                yield from ((name, column.name, value) for name in _names().get(value.strip().casefold(), ()))


@lru_cache(maxsize=1)
def _names() -> dict[str, tuple[str, ...]]:
    text = files("jupyter_mcpgen.data").joinpath("countries.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        names = tuple(name.casefold() for name in row[2:] if _is_telling(name))
        found |= {spelled.casefold(): names for spelled in row}
    return found


def _is_telling(name: str) -> bool:
    words = name.replace("-", " ").split()
    return len(name) >= SHORTEST_NAME and all(word.isalpha() and len(word) >= _SHORTEST_WORD for word in words)
