"""Tells whether some row of the table meets several conditions at once, so that no reading finds nothing needlessly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from jupyter_mcpgen.model.profile import FIRST_PLACE, Profile

Letters = frozenset[str]
MAX_REMEMBERED = 512


class Rows:
    """Which row has which value, as far as the profile keeps it."""

    def __init__(self, profile: Profile) -> None:
        self._columns = {column.name: column for column in profile.columns}
        self._met: dict[tuple[tuple[str, Letters], ...], bool] = {}
        self._letters: dict[str, Mapping[object, str]] = {}

    def letters(self, column: str, values: Iterable[object]) -> Letters:
        """Return the letters of some values of a column; a value that is not kept has the letter of no value."""
        index = self._index(column)
        return frozenset(index.get(value, chr(FIRST_PLACE)) for value in values)

    def unknown(self, column: str) -> Letters:
        """Return the letter of values that are not kept, where there are such."""
        known = self._columns[column]
        return frozenset({chr(FIRST_PLACE)} if known.distinct > len(known.values) + len(known.more) else ())

    def numbers(self, column: str) -> Iterable[int | float]:
        """Return the numbers of a column that are kept."""
        return (value for value in self._index(column) if isinstance(value, int | float))

    def meets(self, conditions: tuple[tuple[str, Letters], ...]) -> bool:
        """Tell whether a row meets every condition; true where it cannot be known."""
        usable = tuple((column, letters) for column, letters in conditions if self._columns[column].places)
        if not usable:
            return True
        if usable not in self._met:
            if len(self._met) >= MAX_REMEMBERED:
                self._met.clear()
            self._met[usable] = self._meets(usable)
        return self._met[usable]

    def _meets(self, conditions: tuple[tuple[str, Letters], ...]) -> bool:
        """Look at the rows that meet the narrowest condition."""
        first, *others = sorted(conditions, key=lambda condition: len(condition[1]))
        rest = [(self._columns[column].places, letters) for column, letters in others]
        return any(
            all(places[row] in letters for places, letters in rest)
            for letter in sorted(first[1])
            for row in _rows_with(letter, self._columns[first[0]].places)
        )

    def _index(self, column: str) -> Mapping[object, str]:
        if column not in self._letters:
            known = self._columns[column]
            self._letters[column] = {
                _as_named(value): chr(FIRST_PLACE + 1 + place)
                for place, value in enumerate((*known.values, *known.more))
            }
        return self._letters[column]


def _as_named(value: object) -> object:
    """Return a value as a question names it: a day without its midnight."""
    return value.removesuffix("T00:00:00") if isinstance(value, str) else value


def _rows_with(letter: str, places: str) -> Iterator[int]:
    row = places.find(letter)
    while row >= 0:
        yield row
        row = places.find(letter, row + 1)
