"""Column types that are careful: what a value means in the file is what it means in the frame.

A column ends up in one of the plain types: `int64`, `float64`, `bool`, `boolean` (with missing values), `datetime64`
or text (`str`); `uint64` and `Int64` only where `int64` or `float64` would change a value.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

_MOST_JSON_KEYS = 200
_MOST_EXACT_DIGITS = 15
_LARGEST_EXACT = 2**53

_DAY = r"[0-9]{4}(-[0-9]{2}-[0-9]{2}|/[0-9]{2}/[0-9]{2})"
_CLOCK = r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?"
_TEXT_IN_FORMULA = r'^=\(?"([^"]*)"\)?$'
_TWO_CAPITALS, _FEWEST_CODES = "^[A-Z]{2}$", 3
_INFINITY = r"^[+-]?(inf|Inf|INF|Infinity|infinity)$"


class WordKind(NamedTuple):
    """A pattern that every value must match, and the Arrow type they then become."""

    pattern: str
    type: pa.DataType


KINDS = (
    WordKind(r"^[+-]?(0|[1-9][0-9]{0,17})$", pa.int64()),
    WordKind(
        r"^[+-]?(((0|[1-9][0-9]{0,14})(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|inf|Inf|INF|Infinity|infinity)$",
        pa.float64(),
    ),
    WordKind(r"^(true|True|TRUE|false|False|FALSE)$", pa.bool_()),
    WordKind(rf"^{_DAY}({_CLOCK})?$", pa.timestamp("us")),
    WordKind(rf"^{_DAY}({_CLOCK})?$", pa.timestamp("ns")),
    WordKind(rf"^{_DAY}{_CLOCK}Z$", pa.timestamp("us")),
    WordKind(rf"^{_DAY}{_CLOCK}Z$", pa.timestamp("ns")),
)
_DATE_KINDS = KINDS[3:]


# ── text to types ────────────────────────────────────────────────────────────


def typed_text(values: pa.ChunkedArray, kinds: tuple[WordKind, ...] = KINDS) -> pd.Series:
    """Turn a column of words into the first kind that every word fits, else leave it text."""
    first = next((word for chunk in values.chunks for word in chunk.drop_null().slice(0, 1).to_pylist()), None)
    if first is None:
        return pd.Series(np.full(len(values), np.nan))
    fitting = [kind for kind in kinds if re.match(kind.pattern, first.strip())]
    if fitting:
        # Distinct words are tested and converted once, however often they occur.
        coded = values.dictionary_encode().combine_chunks()
        words = pc.utf8_trim_whitespace(coded.dictionary)
        for kind in fitting:
            typed = converted(words, kind)
            if typed is not None and not (coded.null_count and loses_digits(words, kind)):
                return _plain(pd.Series(typed.take(coded.indices).to_pandas()))
    return pd.Series(without_formulas(values).to_pandas(), dtype="str")


def without_formulas(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return words without what a spreadsheet is told by `="007"`: that this is a text."""
    if not pc.any(pc.starts_with(values, "=")).as_py():
        return values
    return pc.replace_substring_regex(values, _TEXT_IN_FORMULA, r"\1")


def without_na(table: pa.Table) -> pa.Table:
    """Return a table of words in which `NA` is a missing value.

    Among codes of two capitals it is one of them, such as Namibia, unless a column of something else has `NA` too.
    """
    with_na = [place for place, words in enumerate(table.columns) if pc.index(words, "NA").as_py() >= 0]
    if all(are_codes(table.column(place)) for place in with_na):
        return table
    for place in with_na:
        words = table.column(place)
        present = pc.if_else(pc.equal(words, "NA"), pa.scalar(None, pa.string()), words)
        table = table.set_column(place, table.field(place), present)
    return table


def are_codes(words: pa.ChunkedArray) -> bool:
    """Tell whether words are codes of two capitals, several beside `NA`."""
    distinct = pc.unique(words).drop_null()
    return len(distinct) > _FEWEST_CODES and all_match(distinct, _TWO_CAPITALS)


def all_match(words: pa.Array, pattern: str) -> bool:
    """Tell whether every word matches a pattern."""
    return bool(pc.all(pc.match_substring_regex(words, pattern)).as_py())


def converted(words: pa.Array, kind: WordKind) -> pa.Array | None:
    """Return words, without spaces around them, as values of a kind; None where one of them is no such value."""
    if not all_match(words, kind.pattern):
        return None
    if pa.types.is_timestamp(kind.type):
        words = pc.replace_substring(pc.utf8_rtrim(words, "Z"), "/", "-")
    else:
        words = pc.utf8_ltrim(words, "+")
    try:
        typed = pc.cast(words, kind.type)
    except pa.ArrowInvalid:  # a date that no calendar has, such as 2023-02-30, or one finer than the unit
        return None
    if pa.types.is_floating(kind.type) and not pc.is_inf(typed).equals(pc.match_substring_regex(words, _INFINITY)):
        return None  # 1e999 is a number, infinity is not that number
    return typed


def loses_digits(words: pa.Array, kind: WordKind) -> bool:
    """Whether an integer is too long for the float column that missing values force."""
    return bool(pa.types.is_integer(kind.type)) and pc.max(pc.utf8_length(words)).as_py() > _MOST_EXACT_DIGITS


def unique_names(words: Sequence[str]) -> list[str]:
    """Name columns as pandas does: `Unnamed: 0` for an empty name, `a`, `a.1` for a repeated one."""
    names: dict[str, None] = {}
    for position, word in enumerate(words):
        name = word or f"Unnamed: {position}"
        repeats = (name if count == 0 else f"{name}.{count}" for count in itertools.count())
        names[next(candidate for candidate in repeats if candidate not in names)] = None
    return list(names)


def repeated_names(words: Sequence[str]) -> dict[str, list[str]]:
    """Return each name that several columns were given, with the names that `unique_names` makes of it."""
    made: dict[str, list[str]] = {}
    for word, name in zip(words, unique_names(words), strict=True):
        made.setdefault(word, []).append(name)
    return {word: names for word, names in made.items() if word and len(names) > 1}


# ── any frame to plain types ─────────────────────────────────────────────────


def plain_types(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with every column in one of the plain types; the given frame is not changed.

    Narrow numbers are widened, decimals become floats, categories their values, timestamps with a zone the wall-clock
    time in that zone, durations their seconds. Lists become JSON text, and what is left its text. Mixed columns become
    text.
    """
    plain = frame.copy(deep=False)
    for position in range(frame.shape[1]):
        before = frame.iloc[:, position]
        after = _plain(before)
        if after is not before:
            plain.isetitem(position, after.array)
    return plain


def _plain(column: pd.Series) -> pd.Series:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _plain(column.astype(dtype.categories.dtype))
    if pd.api.types.is_bool_dtype(dtype):
        return column if dtype == "bool" else column.astype("boolean" if column.isna().any() else "bool")
    if pd.api.types.is_integer_dtype(dtype):
        return _plain_integers(column)
    if pd.api.types.is_float_dtype(dtype):
        return column if dtype == "float64" else column.astype("float64")
    if isinstance(dtype, pd.DatetimeTZDtype):
        return _plain_dates(column.dt.tz_localize(None))
    if pd.api.types.is_datetime64_dtype(dtype):
        return _plain_dates(column)
    if pd.api.types.is_timedelta64_dtype(dtype):
        return pd.Series(column.dt.total_seconds(), dtype="float64")
    if isinstance(dtype, pd.ArrowDtype):
        return _plain(column.astype(object).where(column.notna(), None))
    if isinstance(dtype, pd.StringDtype):
        return column if str(dtype) == "str" else column.astype("str")
    return _plain_objects(column) if pd.api.types.is_object_dtype(dtype) else _text(column)


def _plain_integers(column: pd.Series) -> pd.Series:
    if column.dtype == "int64":
        return column
    if column.isna().any():
        known = column.dropna()
        exact = known.empty or (known.min() >= -_LARGEST_EXACT and known.max() <= _LARGEST_EXACT)
        return column.astype("float64") if exact else column
    fits = column.empty or column.max() <= np.iinfo("int64").max
    return column.astype("int64" if fits else "uint64")


def _plain_dates(column: pd.Series) -> pd.Series:
    if column.dtype == "datetime64[us]":
        return column
    microseconds = column.dt.as_unit("us")
    finer = column.dtype == "datetime64[ns]" and not microseconds.eq(column).where(column.notna(), True).all()
    return column if finer else microseconds


def _is_exact_real(value: float) -> bool:
    """Tell whether a number is the same as a float."""
    return abs(value) <= _LARGEST_EXACT or abs(value) == float("inf") or value != int(value)


def _plain_objects(column: pd.Series) -> pd.Series:
    match pd.api.types.infer_dtype(column, skipna=True):
        case "empty":
            return column.astype("float64")
        case "boolean":
            return _plain(column.astype("boolean"))
        case "integer" if column.dropna().map(lambda v: abs(v) < 2**63).all():
            return _plain(column.astype("Int64"))
        case "floating" | "decimal":
            return column.astype("float64")
        case "mixed-integer-float" if column.dropna().map(_is_exact_real).all():
            return column.astype("float64")
        case "timedelta64" | "timedelta":
            return _plain(pd.to_timedelta(column))
        case "datetime64" | "datetime" | "date":
            try:
                return _plain(pd.to_datetime(column))
            except (ValueError, TypeError):  # several time zones, or years that no timestamp holds
                return _text(column)
        case _:
            return _text(column)


def _text(column: pd.Series) -> pd.Series:
    words = [None if _is_missing(value) else _word(value) for value in column.astype(object)]
    return pd.Series(words, index=column.index, name=column.name, dtype="str")


def _is_missing(value: object) -> bool:
    return value is None or value is pd.NaT or value is pd.NA or (isinstance(value, float) and value != value)


def _word(value: object) -> str:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair is no text
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, default=str, ensure_ascii=False)
    return str(value)


# ── columns of JSON objects ──────────────────────────────────────────────────


def expand_json(frame: pd.DataFrame) -> pd.DataFrame:
    """Replace each column of JSON objects by one column per key, named `column.key`, in the same place.

    A column stays as it is when one of its values is not an object, when it has more than 200 keys, or when a new
    name is already taken.
    """
    expanded = {i: _expanded(frame.iloc[:, i]) for i in range(frame.shape[1])}
    taken = {str(name) for name in frame.columns}
    usable = {i: keys for i, keys in expanded.items() if keys is not None and taken.isdisjoint(keys.columns)}
    if not usable:
        return frame
    return pd.concat([usable.get(i, frame.iloc[:, [i]]) for i in expanded], axis=1)


def _expanded(column: pd.Series) -> pd.DataFrame | None:
    objects = _objects(column)
    if objects is None:
        return None
    rows = [_flat(item, str(column.name)) for item in objects]
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not 0 < len(names) <= _MOST_JSON_KEYS:
        return None
    columns = {name: pd.Series([row.get(name) for row in rows], index=column.index, dtype=object) for name in names}
    return dates_in_text(plain_types(pd.DataFrame(columns, index=column.index)))


def _objects(column: pd.Series) -> list[Mapping[str, Any]] | None:
    """Parse every value, or return `None` as soon as one is not a JSON object."""
    if not isinstance(column.dtype, pd.StringDtype) and not pd.api.types.is_object_dtype(column.dtype):
        return None
    parsed: list[Mapping[str, Any]] = []
    for value in column:
        if _is_missing(value):
            parsed.append({})
            continue
        item = _parsed(value) if isinstance(value, str) else value
        if not isinstance(item, Mapping):
            return None
        parsed.append(item)
    return parsed


def _parsed(text: str) -> object:
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def _flat(item: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in item.items():
        name = f"{prefix}.{key}"
        flat.update(_flat(value, name) if isinstance(value, Mapping) else {name: value})
    return flat


def dates_in_text(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn text columns that hold only year-first dates into datetimes; JSON has no dates of its own."""
    dated = frame.copy(deep=False)
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        if column.dtype == "str" and column.notna().any():
            typed = typed_text(pa.chunked_array([pa.array(column, type=pa.string(), from_pandas=True)]), _DATE_KINDS)
            dated.isetitem(position, typed.array)
    return dated
