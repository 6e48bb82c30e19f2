"""Whether two results are the same: type, shape, names, index and values, and order where it means something."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

RELATIVE_TOLERANCE = 1e-9
ABSOLUTE_TOLERANCE = 1e-12
_LONGEST = 80

_Row = tuple[object, ...]


def outputs_match(generated: object, reference: object, ordered_by: Sequence[str] | None = None) -> bool:
    """Tell whether two results are the same."""
    return difference_of(generated, reference, ordered_by) is None


def difference_of(generated: object, reference: object, ordered_by: Sequence[str] | None = None) -> str | None:
    """Return the first difference in words, None where there is none.

    Of a table `ordered_by` names the columns that its rows are sorted by: rows that are equal in them may stand in any
    order, all rows where it names none. Without it the order of all rows counts.
    """
    import pandas as pd  # deferred: 0.3 s

    if isinstance(generated, pd.DataFrame) and isinstance(reference, pd.DataFrame):
        return _tables_differ(generated, reference, ordered_by)
    if isinstance(generated, pd.Series) and isinstance(reference, pd.Series):
        if generated.name != reference.name:
            return f"a series named {generated.name!r} against {reference.name!r}"
        return _tables_differ(generated.to_frame(), reference.to_frame(), ordered_by)
    if _kind(generated) != _kind(reference):
        return f"{_kind(generated)} against {_kind(reference)}"
    if _same(generated, reference):
        return None
    return f"{_shown(generated)} against {_shown(reference)}"


def _tables_differ(generated: pd.DataFrame, reference: pd.DataFrame, ordered_by: Sequence[str] | None) -> str | None:
    own, other = _with_index(generated), _with_index(reference)
    if list(own.columns) != list(other.columns):
        return f"columns {list(own.columns)} against {list(other.columns)}"
    if len(own) != len(other):
        return f"{len(own):,} rows against {len(other):,}"
    keys = range(len(own.columns)) if ordered_by is None else [list(own.columns).index(name) for name in ordered_by]
    rows, expected = _rows(own), _rows(other)
    for number, (row, wanted) in enumerate(zip(rows, expected, strict=True), start=1):
        wrong = next((key for key in keys if not _same(row[key], wanted[key])), None)
        if wrong is not None:
            return f"row {number} of `{own.columns[wrong]}`: {_shown(row[wrong])} against {_shown(wanted[wrong])}"
    start = 0
    for size in _ties(expected, list(keys)):
        tied = slice(start, start + size)
        if not _same_rows(rows[tied], expected[tied]):
            return f"other rows among rows {start + 1:,} to {start + size:,}"
        start += size
    return None


def _with_index(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with its index as columns where it has a meaning: a name, or labels that are no row numbers."""
    import pandas as pd
    from pandas.api.types import is_integer_dtype

    named = any(name is not None for name in table.index.names)
    if not named and table.index.nlevels == 1 and is_integer_dtype(table.index.dtype):
        return table
    labels = table.index.to_frame(index=False)
    labels.columns = [("index", place, name) for place, name in enumerate(table.index.names)]
    return pd.concat([labels, table.reset_index(drop=True)], axis="columns")


def _rows(table: pd.DataFrame) -> list[_Row]:
    """Return the rows as values of Python; a missing value is None."""
    columns = [
        [None if missing else value for value, missing in zip(column.tolist(), column.isna(), strict=True)]
        for _, column in table.items()
    ]
    return list(zip(*columns, strict=True)) if columns else [()] * len(table)


def _ties(rows: list[_Row], keys: list[int]) -> Iterator[int]:
    """Yield how many rows follow each other with the same values in the keys."""
    for _, tied in groupby(rows, key=lambda row: [_coarse(row[key]) for key in keys]):
        yield sum(1 for _ in tied)


def _coarse(value: object) -> object:
    """Return a real number without the digits in which sums differ that were added up in another order."""
    return float(f"{value:.9g}") if isinstance(value, float) else (type(value).__name__, value)


def _same_rows(rows: list[_Row], expected: list[_Row]) -> bool:
    """Tell whether rows are the same in any order."""
    left: defaultdict[object, list[_Row]] = defaultdict(list)
    for row in expected:
        left[_exact_part(row)].append(row)
    for row in rows:
        offered = left[_exact_part(row)]
        at = next((at for at, other in enumerate(offered) if all(map(_same, row, other))), None)
        if at is None:
            return False
        offered.pop(at)
    return True


def _exact_part(row: _Row) -> object:
    return tuple(repr(value) for value in row if not isinstance(value, int | float) or isinstance(value, bool))


def _same(one: object, other: object) -> bool:
    """Tell whether two values are equal; real numbers but for rounding, and text, truth and number never."""
    if _kind(one) != _kind(other):
        return False
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    if isinstance(one, int | float) and isinstance(other, int | float):
        both_missing = math.isnan(one) and math.isnan(other)
        return both_missing or math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _kind(value: object) -> str:
    plain: Any = getattr(value, "item", None)
    if plain is not None and type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = plain()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return type(value).__name__
    return "number"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
