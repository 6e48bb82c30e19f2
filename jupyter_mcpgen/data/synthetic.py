"""Generated tables that look like the real one, each made to catch a different kind of mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

_POOL = 12
_MISSING_SHARE = 0.3
_STEPS = 1024
_LARGEST = 2**50
"""Generated whole numbers stay below this, so that their sums fit in 64 bits whatever the data hold."""
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
    """Groups of the same size and few distinct numbers, so that every ranking is tied."""
    UNICODE = "unicode"
    """Scripts, quotes, markup, line breaks and words that look missing or like code."""
    NEGATIVE = "negative"
    """Numbers below, at and above zero."""
    MANY_GROUPS = "many_groups"
    """Nearly as many distinct words as rows."""
    LARGE = "large"
    """Values spread as in the data, in many more rows than a person reads: what is slow or wasteful shows here."""


def synthesize(
    schema: Schema,
    profile: Profile,
    rows: int,
    seed: int,
    case: Case,
    wanted: Mapping[str, Sequence[Any]] | None = None,
) -> pd.DataFrame:
    """Generate a table with the schema's columns and types; the same arguments give the same table.

    Words come from the data's own values, most frequent first; `wanted` names values of a column that have to occur,
    so that a filter finds rows. Real numbers are multiples of a power of two: their sums are exact in any order.
    """
    rows = {Case.EMPTY: 0, Case.SINGLE_ROW: 1}.get(case, rows)
    # Each column has its own stream, so that one more column does not change the others.
    streams = np.random.default_rng(seed).spawn(len(schema.fields))
    columns = {
        field.name: _column(
            field, profile.column(field.name), rows, rng, case, tuple((wanted or {}).get(field.name, ()))
        )
        for field, rng in zip(schema.fields, streams, strict=True)
    }
    frame = pd.DataFrame(columns, columns=pd.Index(schema.names))
    if case is Case.DUPLICATES:
        frame = frame.iloc[np.arange(rows) % max(1, rows // 2)].reset_index(drop=True)
    return frame


def _column(
    field: Field, known: ColumnProfile, rows: int, rng: np.random.Generator, case: Case, wanted: tuple[Any, ...]
) -> pd.Series:
    match field.type:
        case ColumnType.TEXT:
            column = pd.Series(_words(known, rows, rng, case, wanted), dtype="str")
        case ColumnType.BOOLEAN:
            column = pd.Series(rng.random(rows) < 0.5, dtype="boolean" if known.nulls else "bool")
        case ColumnType.DATE:
            column = pd.Series(_dates(known, rows, rng, case, wanted), dtype="datetime64[us]")
        case ColumnType.INTEGER:
            column = pd.Series(_integers(known, rows, rng, case, wanted), dtype="int64")
        case ColumnType.REAL:
            column = pd.Series(_reals(known, rows, rng, case, wanted), dtype="float64")
    return _with_missing(column, rng, case)


def _with_missing(column: pd.Series, rng: np.random.Generator, case: Case) -> pd.Series:
    """Take values away where the type allows it; an integer column stays one, because the original has no gaps."""
    takes_missing = column.dtype not in ("int64", "bool")
    if case is Case.ALL_NULL and takes_missing:
        return column.mask(pd.Series(True, index=column.index))
    if case is Case.NULLS and takes_missing and len(column):
        gaps = pd.Series(rng.random(len(column)) < _MISSING_SHARE, index=column.index)
        gaps.iloc[0] = True
        return column.mask(gaps)
    return column


def _words(known: ColumnProfile, rows: int, rng: np.random.Generator, case: Case, wanted: tuple[Any, ...]) -> list[str]:
    if case is Case.MANY_GROUPS or (known.role is Role.IDENTIFIER and case is not Case.UNICODE):
        return [*map(str, wanted[:rows]), *(f"{known.name}-{number}" for number in range(rows - len(wanted[:rows])))]
    values = [str(value) for value in known.values[:_POOL]] or ["alpha", "beta", "gamma"]
    pool = list(dict.fromkeys([*map(str, wanted), *(_HOSTILE_WORDS if case is Case.UNICODE else values)]))
    if case is Case.TIES:
        return [pool[row % len(pool)] for row in range(rows)]
    return _drawn(pool, rows, rng)


def _drawn(pool: Sequence[Any], rows: int, rng: np.random.Generator) -> list[Any]:
    """Draw from a pool so that earlier values are more frequent and every one occurs when there are enough rows."""
    weights = 1 / np.arange(1, len(pool) + 1)
    places = rng.choice(len(pool), size=rows, p=weights / weights.sum())
    places[: len(pool)] = np.arange(len(pool))[:rows]
    return [pool[place] for place in rng.permutation(places)]


def _integers(
    known: ColumnProfile, rows: int, rng: np.random.Generator, case: Case, wanted: tuple[Any, ...]
) -> np.ndarray[Any, Any]:
    low, high = (
        max(-_LARGEST, min(_LARGEST, int(_bound(end, usual))))
        for end, usual in ((known.minimum, 0), (known.maximum, 100))
    )
    if case is Case.NEGATIVE:
        low, high = -max(abs(low), abs(high), 1), max(abs(low), abs(high), 1)
    if case is Case.TIES:
        return np.where(np.arange(rows) // 2 % 2 == 0, low, high)
    if known.role is Role.IDENTIFIER and case is not Case.NEGATIVE and not wanted:
        return low + np.arange(rows)
    drawn = rng.integers(low, high, size=rows, endpoint=True)
    return _placed(drawn, [int(value) for value in wanted], rng)


def _reals(
    known: ColumnProfile, rows: int, rng: np.random.Generator, case: Case, wanted: tuple[Any, ...]
) -> np.ndarray[Any, Any]:
    low, high = float(_bound(known.minimum, 0.0)), float(_bound(known.maximum, 100.0))
    if case is Case.NEGATIVE:
        low, high = -max(abs(low), abs(high), 1.0), max(abs(low), abs(high), 1.0)
    step = 2.0 ** np.floor(np.log2(max(high - low, abs(high), 2.0**-20) / _STEPS))
    places = rng.integers(int(low // step), max(int(high // step), int(low // step) + 1), size=rows, endpoint=True)
    if case is Case.TIES:
        places = np.where(np.arange(rows) // 2 % 2 == 0, int(low // step), int(high // step))
    return _placed(places * step, [float(value) for value in wanted], rng)


def _dates(
    known: ColumnProfile, rows: int, rng: np.random.Generator, case: Case, wanted: tuple[Any, ...]
) -> np.ndarray[Any, Any]:
    low, high = pd.Timestamp(known.minimum or "2023-01-01"), pd.Timestamp(known.maximum or "2024-12-31")
    days_only = low == low.normalize() and high == high.normalize()
    step = np.timedelta64(1, "D") if days_only else np.timedelta64(1, "s")
    span = int((high - low) / step)
    places = np.arange(rows) // 2 % 2 * span if case is Case.TIES else rng.integers(0, span, size=rows, endpoint=True)
    drawn = low.to_datetime64().astype("datetime64[us]") + places * step
    return _placed(drawn, [np.datetime64(pd.Timestamp(value), "us") for value in wanted], rng)


def _bound(value: Any, otherwise: float) -> Any:
    return otherwise if value is None or not np.isfinite(value) else value


def _placed(drawn: np.ndarray[Any, Any], wanted: Sequence[Any], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Put each wanted value into about one row of every eight."""
    for value in wanted:
        drawn[rng.random(len(drawn)) < 0.125] = value
    return drawn
