"""Generated tables that look like the real one, each made to catch a different kind of mistake."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from jupyter_mcpgen.data.with_columns import with_columns
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

_POOL = 12
_MISSING_SHARE = 0.3
_STEPS = 1024
_SHARE = 0.125
_FAR = 8
"""How many times as far from zero as in the data a number may lie where most are near it."""
_TURNS = (2, 4, 8)
"""How many rows in a row have one of two numbers, by the place of the column."""
_LARGEST = 2**50
"""Generated whole numbers stay below this."""
_LARGEST_SUM = 2**62
"""So do their sums, whatever the data hold: they fit in 64 bits."""
_HOSTILE_WORDS = (
    *(
        "Zürich",
        "東京",
        "Ελλάδα",
        "مرحبا",
        "e\u0301cole",
        "👩‍🚀",
        "O'Hara",
        'say "hi"',
        "a|b",
        "c\\d",
        "<b>x</b>",
        "-->",
    ),
    *("%s {0} $x", " leading and trailing ", "line\nbreak", "tab\there", "NULL", "nan", "007", "'); DROP TABLE t; --"),
)


class Case(StrEnum):
    """What a generated table is made to test."""

    TYPICAL = "typical"
    """Values spread as in the data."""
    EMPTY = "empty"
    """All columns and no rows."""
    SINGLE_ROW = "single_row"
    """One row: variances and ranks have nothing to compare with."""
    NULLS = "nulls"
    """Missing values in every column whose type takes them."""
    ALL_NULL = "all_null"
    """Nothing but missing values in every column whose type takes them."""
    DUPLICATES = "duplicates"
    """Every row occurs at least twice."""
    TIES = "ties"
    """Groups of the same size and few distinct numbers, so that every ranking is tied.

    Columns are independent of each other, so that a tie in one is broken by the next.
    """
    UNICODE = "unicode"
    """Scripts, quotes, markup, line breaks and words that look missing or like code; groups of every size."""
    NEGATIVE = "negative"
    """Numbers below, at and above zero, most of them near it and some far away."""
    MANY_GROUPS = "many_groups"
    """Nearly as many distinct words as rows, and moments within the days."""
    LARGE = "large"
    """Values spread as in the data, in many more rows than a person reads: what is slow or wasteful shows here."""


def synthesize(
    schema: Schema,
    profile: Profile,
    rows: int,
    seed: int,
    case: Case,
    wanted: Mapping[str, Sequence[Any]] | None = None,
    only: Collection[str] | None = None,
) -> pd.DataFrame:
    """Generate a table with the schema's columns and types; the same arguments give the same table.

    Of the columns that `only` names, if any, each has the values that it has in the whole table.
    Words come from the data's own values, most frequent first; `wanted` names values of a column that have to occur,
    so that a filter finds rows. Real numbers are multiples of a power of two: their sums are exact in any order.
    """
    rows = {Case.EMPTY: 0, Case.SINGLE_ROW: 1}.get(case, rows)
    # Each column has its own stream, so that one more column does not change the others.
    streams = np.random.default_rng(seed).spawn(len(schema.fields))
    columns = {}
    for place, (field, rng) in enumerate(zip(schema.fields, streams, strict=True)):
        if only is not None and field.name not in only:
            continue
        values = tuple((wanted or {}).get(field.name, ()))
        columns[field.name] = _column(field, _Drawn(profile.column(field.name), rows, rng, case, values, place))
    frame = pd.DataFrame(columns, columns=pd.Index(columns))
    if case is Case.DUPLICATES:
        frame = frame.iloc[np.arange(rows) % max(1, rows // 2)].reset_index(drop=True)
    return frame


def with_equal_values(frame: pd.DataFrame, pairs: Sequence[tuple[str, str]], seed: int) -> pd.DataFrame:
    """Return the table with rows in which two columns of a pair are equal, about one of every eight."""
    rng = np.random.default_rng(seed)
    for one, other in pairs:
        if one not in frame.columns or other not in frame.columns:
            continue
        takes = (
            pd.Series(rng.random(len(frame)) < _SHARE, index=frame.index) & frame[one].notna() & frame[other].notna()
        )
        source, target = (one, other) if frame[one].dtype.kind != "f" else (other, one)
        if frame[source].dtype == frame[target].dtype or frame[target].dtype.kind == "f":
            values = frame[source].where(takes, frame[target]).astype(frame[target].dtype)
            frame = with_columns(frame, {target: values})
    return frame


@dataclass(frozen=True)
class _Drawn:
    """What the values of one column are drawn with; `place` is that of the column."""

    known: ColumnProfile
    rows: int
    rng: np.random.Generator
    case: Case
    wanted: tuple[Any, ...]
    place: int

    def alternating(self, low: Any, high: Any) -> np.ndarray[Any, Any]:
        """Return two values by turns, by others than in the column before."""
        turn = _TURNS[self.place % len(_TURNS)]
        values: np.ndarray[Any, Any] = np.where(np.arange(self.rows) // turn % 2 == 0, low, high)
        return values


def _column(field: Field, drawn: _Drawn) -> pd.Series:
    match field.type:
        case ColumnType.TEXT:
            column = pd.Series(_words(drawn), dtype="str")
        case ColumnType.BOOLEAN:
            column = pd.Series(drawn.rng.random(drawn.rows) < 0.5, dtype="boolean" if drawn.known.nulls else "bool")
        case ColumnType.DATE:
            column = pd.Series(_dates(drawn), dtype="datetime64[us]")
        case ColumnType.INTEGER:
            column = pd.Series(_integers(drawn), dtype="int64")
        case ColumnType.REAL:
            column = pd.Series(_reals(drawn), dtype="float64")
    return _with_missing(column, drawn.rng, drawn.case)


def _with_missing(column: pd.Series, rng: np.random.Generator, case: Case) -> pd.Series:
    """Take values away where the type allows it.

    Whole numbers are decimal fractions then, as pandas reads them in a file that has gaps where this one has none; they
    are never all taken away.
    """
    takes_missing = column.dtype not in ("int64", "bool")
    if case is Case.ALL_NULL and takes_missing:
        return column.mask(pd.Series(True, index=column.index))
    if case is Case.NULLS and column.dtype != "bool" and len(column):
        gaps = pd.Series(rng.random(len(column)) < _MISSING_SHARE, index=column.index)
        gaps.iloc[0] = True
        return column.mask(gaps)
    return column


def _words(drawn: _Drawn) -> list[str]:
    known, rows, case = drawn.known, drawn.rows, drawn.case
    if case is Case.MANY_GROUPS or (known.role is Role.IDENTIFIER and case is not Case.UNICODE):
        first = [*map(str, drawn.wanted[:rows])]
        return [*first, *(f"{known.name}-{number}" for number in range(rows - len(first)))]
    values = [str(value) for value in known.values[:_POOL]] or ["alpha", "beta", "gamma"]
    pool = list(dict.fromkeys([*map(str, drawn.wanted), *(_HOSTILE_WORDS if case is Case.UNICODE else values)]))
    if case is Case.TIES:
        return [pool[(row + drawn.place * (row // len(pool))) % len(pool)] for row in range(rows)]
    if case is Case.UNICODE:
        return _of_every_size(pool, rows, drawn.rng)
    return _picked(pool, rows, drawn.rng)


def _of_every_size(pool: Sequence[Any], rows: int, rng: np.random.Generator) -> list[Any]:
    """Take one word once, another one twice and so on, in any order, again from the first while there are rows."""
    sized = [word for size, word in enumerate(pool, 1) for _ in range(size)]
    return [sized[place % len(sized)] for place in rng.permutation(rows)]


def _picked(pool: Sequence[Any], rows: int, rng: np.random.Generator) -> list[Any]:
    """Draw from a pool so that earlier values are more frequent and every one occurs when there are enough rows."""
    weights = 1 / np.arange(1, len(pool) + 1)
    places = rng.choice(len(pool), size=rows, p=weights / weights.sum())
    places[: len(pool)] = np.arange(len(pool))[:rows]
    words: list[Any] = np.asarray(pool, dtype=object)[rng.permutation(places)].tolist()
    return words


def _integers(drawn: _Drawn) -> np.ndarray[Any, Any]:
    known, rows, rng = drawn.known, drawn.rows, drawn.rng
    largest = min(_LARGEST, _LARGEST_SUM // max(rows, 1))
    low, high = (
        max(-largest, min(largest, int(_bound(end, usual))))
        for end, usual in ((known.minimum, 0), (known.maximum, 100))
    )
    wanted = [int(value) for value in drawn.wanted if abs(value) < 2**63]
    if drawn.case is Case.NEGATIVE:
        reach = min(largest, _FAR * max(abs(low), abs(high), 1))
        return _placed(np.rint(reach * _mostly_near(rows, rng)).astype("int64"), wanted, rng)
    if drawn.case is Case.TIES:
        return drawn.alternating(low, high)
    if known.role is Role.IDENTIFIER and not wanted:
        return low + np.arange(rows)
    return _placed(rng.integers(low, high, size=rows, endpoint=True), wanted, rng)


def _reals(drawn: _Drawn) -> np.ndarray[Any, Any]:
    low, high = float(_bound(drawn.known.minimum, 0.0)), float(_bound(drawn.known.maximum, 100.0))
    step = 2.0 ** np.floor(np.log2(max(high - low, abs(high), 2.0**-20) / _STEPS))
    first, last = int(low // step), max(int(high // step), int(low // step) + 1)
    match drawn.case:
        case Case.NEGATIVE:
            places = np.rint(_FAR * max(abs(first), abs(last)) * _mostly_near(drawn.rows, drawn.rng))
        case Case.TIES:
            places = drawn.alternating(first, last)
        case _:
            places = drawn.rng.integers(first, last, size=drawn.rows, endpoint=True)
    return _placed(places * step, [float(value) for value in drawn.wanted], drawn.rng)


def _mostly_near(rows: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Draw parts of a reach on both sides of zero: half of them within a thirtieth of it, some at its ends."""
    sides: np.ndarray[Any, Any] = rng.uniform(-1.0, 1.0, rows)
    return sides**5


def _dates(drawn: _Drawn) -> np.ndarray[Any, Any]:
    known, rows = drawn.known, drawn.rows
    low, high = pd.Timestamp(known.minimum or "2023-01-01"), pd.Timestamp(known.maximum or "2024-12-31")
    days_only = low == low.normalize() and high == high.normalize() and drawn.case is not Case.MANY_GROUPS
    step = np.timedelta64(1, "D") if days_only else np.timedelta64(1, "s")
    span = int((high - low) / step)
    if drawn.case is Case.TIES:
        places = drawn.alternating(0, span)
    else:
        places = drawn.rng.integers(0, span, size=rows, endpoint=True)
    moments = low.to_datetime64().astype("datetime64[us]") + places * step
    return _placed(moments, [np.datetime64(pd.Timestamp(value), "us") for value in drawn.wanted], drawn.rng)


def _bound(value: Any, otherwise: float) -> Any:
    return otherwise if value is None or not np.isfinite(value) else value


def _placed(drawn: np.ndarray[Any, Any], wanted: Sequence[Any], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Put each wanted value into about one row of every eight; where there are many, some rows stay as drawn."""
    share = min(_SHARE, 0.7 / max(1, len(wanted)))
    for value in wanted:
        drawn[rng.random(len(drawn)) < share] = value
    return drawn
