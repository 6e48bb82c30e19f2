"""The engines below narwhals, and what each of them does not do exactly by the meaning that a plan gives it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum


class Below(StrEnum):
    """What holds the rows of a frame that narwhals works on.

    A moment with a time zone counts by the clock of the frame's zone, which for DuckDB is the one of its session.
    """

    PANDAS = "pandas"
    POLARS = "polars"
    DUCKDB = "duckdb"
    DASK = "dask"

    @property
    def is_pandas(self) -> bool:
        """True when the rows are held by pandas, all of them or each part."""
        return self in (Below.PANDAS, Below.DASK)


class Ability(StrEnum):
    """Something that not every engine does exactly; the value says what happens instead."""

    PLACES = "rows are not numbered, ranked or compared within groups"
    FIRST_ROWS = "all rows would have to come to one machine to be sorted"
    QUANTILES = "quantiles are approximated"
    SPREADS = "variances are differences of large sums, which loses digits"
    PERIODS = "dates are not cut to months, quarters or years"
    WHOLE_NUMBERS = "whole numbers cannot stand beside missing ones"
    JOINS = "its joins differed from the reference in a law, and it is not known yet why"
    DISTINCT_COUNTS = "a value is counted once per partition"


LACKS: Mapping[Below, frozenset[Ability]] = {
    Below.PANDAS: frozenset({Ability.WHOLE_NUMBERS, Ability.JOINS}),
    Below.POLARS: frozenset(),
    Below.DUCKDB: frozenset({Ability.JOINS}),
    Below.DASK: frozenset(Ability) - {Ability.JOINS},
}

_ANYWHERE = re.compile(r"|.*\0.*", re.DOTALL)
_TAKEN_FOR_SOMETHING_ELSE = {
    Below.PANDAS: _ANYWHERE,
    Below.POLARS: re.compile(rf"{_ANYWHERE.pattern}|\*|\^.*\$", re.DOTALL),
    Below.DUCKDB: re.compile(rf"{_ANYWHERE.pattern}|\*|.*[.\"`\ufeff].*|\s.*|.*\s", re.DOTALL),
    Below.DASK: re.compile(rf"{_ANYWHERE.pattern}|self", re.DOTALL),
}
"""Names that an engine, or narwhals over it, reads as a pattern, as a path or as SQL, or cannot hold."""


def unfit_name(below: Below, names: Iterable[str]) -> str | None:
    """Return a name among those of one table that the engine would take for something else, if there is one."""
    names = tuple(names)
    folded = Counter(name.casefold() for name in names)
    for name in names:
        if _TAKEN_FOR_SOMETHING_ELSE[below].fullmatch(name) or (below is Below.DUCKDB and folded[name.casefold()] > 1):
            return name
    return None
