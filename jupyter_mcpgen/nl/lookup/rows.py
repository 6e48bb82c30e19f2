"""Tells whether some row of the table meets several conditions at once, so that no reading finds nothing needlessly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from jupyter_mcpgen.model.profile import FIRST_PLACE, Profile
from jupyter_mcpgen.plan.expressions import CompareOp

Letters = frozenset[str]
Conditions = tuple[tuple[str, Letters], ...]
"""Columns, each with the letters that its cell may have."""
Limit = tuple[str, CompareOp, float]
"""A column, and what its cells are compared with."""
MAX_REMEMBERED = 512
MORE_THAN_ONE = 2


class Rows:
    """Which row has which value, as far as the profile keeps it."""

    def __init__(self, profile: Profile) -> None:
        self._columns = {column.name: column for column in profile.columns}
        self._met: dict[Conditions, bool] = {}
        self._letters: dict[str, Mapping[object, str]] = {}
        self._limits: dict[Limit, Letters] = {}

    def letters(self, column: str, values: Iterable[object]) -> Letters:
        """Return the letters of some values of a column; a value that is not kept has the letter of no value."""
        index = self._index(column)
        return frozenset(index.get(value, chr(FIRST_PLACE)) for value in values)

    def beyond(self, limit: Limit, made: Callable[[], Letters]) -> Letters:
        """Return the letters beyond a limit of a column, which are `made` once, as every reading asks for them."""
        if limit not in self._limits:
            if len(self._limits) >= MAX_REMEMBERED:
                self._limits.clear()
            self._limits[limit] = made()
        return self._limits[limit]

    def unknown(self, column: str) -> Letters:
        """Return the letter of values that are not kept, where there are such."""
        known = self._columns[column]
        return frozenset({chr(FIRST_PLACE)} if known.distinct > len(known.values) + len(known.more) else ())

    def numbers(self, column: str) -> Iterable[int | float]:
        """Return the numbers of a column that are kept."""
        return (value for value in self._index(column) if isinstance(value, int | float))

    def meets(self, conditions: Conditions) -> bool:
        """Tell whether a row meets every condition; true where it cannot be known."""
        usable = tuple((column, letters) for column, letters in conditions if self._columns[column].places)
        if not usable:
            return True
        if usable not in self._met:
            if len(self._met) >= MAX_REMEMBERED:
                self._met.clear()
            self._met[usable] = self._meets(usable)
        return self._met[usable]

    def several(self, conditions: Conditions) -> bool:
        """Tell whether more than one row meets every condition; false where it cannot be known."""
        if any(not self._columns[column].places for column, _ in conditions):
            return False
        return sum(islice(filter(None, self._picked(conditions)), MORE_THAN_ONE)) == MORE_THAN_ONE

    def single(self, conditions: Conditions) -> bool:
        """Tell whether exactly one row is known to meet every condition."""
        if not conditions or any(not self._columns[column].places for column, _ in conditions):
            return False
        return sum(islice(filter(None, self._picked(conditions)), MORE_THAN_ONE)) == 1

    def same(self, some: Conditions, others: Conditions) -> bool:
        """Tell whether two ways to pick rows pick the same ones; false where it cannot be known."""
        if any(not self._columns[column].places or chr(FIRST_PLACE) in known for column, known in (*some, *others)):
            return False
        return [*self._picked(some)] == [*self._picked(others)]

    def _picked(self, conditions: Conditions) -> Iterator[bool]:
        """Yield for each row whether it meets every condition."""
        rows = zip(*(self._columns[column].places for column, _ in conditions), strict=True)
        wanted = [letters for _, letters in conditions]
        return (all(letter in letters for letter, letters in zip(row, wanted, strict=True)) for row in rows)

    def _meets(self, conditions: Conditions) -> bool:
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
