"""Loading, checking, reporting and charting for the tool beside this file; needs pandas and pyarrow only."""

from __future__ import annotations

import codecs
import csv
import datetime
import difflib
import io
import itertools
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

__all__ = [
    "Report",
    "allow_missing",
    "detect_column_types",
    "load_csv_data_with_types",
    "validate_columns_of_both",
    "validate_file_and_columns",
    "validate_keys",
    "validate_new_columns",
    "validate_sums",
    "validate_sums_of_both",
    "vega_lite_chart",
]


def json_value(value: Any) -> Any:
    """Turn one value into what JSON can hold: missing is null, dates are ISO 8601, infinity is a word."""
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, np.generic):
        value = value.item() if not isinstance(value, np.datetime64 | np.timedelta64) else pd.Series([value]).iloc[0]
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return [json_value(item) for item in value]
    return str(value)


def json_rows(table: pd.DataFrame, most: int) -> list[dict[str, Any]]:
    """Return the first rows as objects of JSON values."""
    head = table.head(most)
    columns = [[json_value(value) for value in head.iloc[:, i].astype(object)] for i in range(head.shape[1])]
    names = [str(name) for name in head.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


_MOST_JSON_KEYS = 200
_MOST_EXACT_DIGITS = 15
_LARGEST_EXACT = 2**53

_DAY = r"[0-9]{4}(-[0-9]{2}-[0-9]{2}|/[0-9]{2}/[0-9]{2})"
_CLOCK = r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?"
_INFINITY = r"^[+-]?(inf|Inf|INF|Infinity|infinity)$"


class _Kind(NamedTuple):
    """A pattern that every value must match, and the Arrow type they then become."""

    pattern: str
    type: pa.DataType


KINDS = (
    _Kind(r"^[+-]?(0|[1-9][0-9]{0,17})$", pa.int64()),
    _Kind(
        r"^[+-]?(((0|[1-9][0-9]{0,14})(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|inf|Inf|INF|Infinity|infinity)$",
        pa.float64(),
    ),
    _Kind(r"^(true|True|TRUE|false|False|FALSE)$", pa.bool_()),
    _Kind(rf"^{_DAY}({_CLOCK})?$", pa.timestamp("us")),
    _Kind(rf"^{_DAY}({_CLOCK})?$", pa.timestamp("ns")),
    _Kind(rf"^{_DAY}{_CLOCK}Z$", pa.timestamp("us")),
    _Kind(rf"^{_DAY}{_CLOCK}Z$", pa.timestamp("ns")),
)
_DATE_KINDS = KINDS[3:]


# ── text to types ────────────────────────────────────────────────────────────


def typed_text(values: pa.ChunkedArray, kinds: tuple[_Kind, ...] = KINDS) -> pd.Series:
    """Turn a column of words into the first kind that every word fits, else leave it text."""
    first = next((word for chunk in values.chunks for word in chunk.drop_null().slice(0, 1).to_pylist()), None)
    if first is None:
        return pd.Series(np.full(len(values), np.nan))
    fitting = [kind for kind in kinds if _all_match(pa.array([first.strip()]), kind.pattern)]
    if fitting:
        # Distinct words are tested and converted once, however often they occur.
        coded = values.dictionary_encode().combine_chunks()
        words = pc.utf8_trim_whitespace(coded.dictionary)
        for kind in fitting:
            typed = _converted(words, kind)
            if typed is not None and not (coded.null_count and _loses_digits(words, kind)):
                return _plain(pd.Series(typed.take(coded.indices).to_pandas()))
    return pd.Series(values.to_pandas(), dtype="str")


def _all_match(words: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(words, pattern)).as_py())


def _converted(words: pa.Array, kind: _Kind) -> pa.Array | None:
    if not _all_match(words, kind.pattern):
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


def _loses_digits(words: pa.Array, kind: _Kind) -> bool:
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


HEAD_BYTES = 1 << 20
_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_ROWS = 50
_MOST_TITLE_ROWS = 20
_WIDE = 3
_GROUPED = r"^\s*[+-]?([1-9][0-9]{0,2}\.[0-9]{3}|[1-9][0-9]{0,2}|0)\s*$"


class Layout(NamedTuple):
    """How a text file is written: encoding, delimiter, the lines above the header, and the words in the header."""

    encoding: str
    delimiter: str
    skipped: int
    words: list[str]
    has_rows: bool

    @property
    def names(self) -> list[str]:
        """The column names, each of them once."""
        return unique_names(self.words)

    def may_group(self, words: pa.ChunkedArray) -> bool:
        """Tell whether points may stand between thousands: files with `;` come from where `1.234` is a large number."""
        if self.delimiter != ";" or words.null_count == len(words):
            return False
        dotted = bool(pc.any(pc.match_substring(words, ".")).as_py())
        return dotted and bool(pc.all(pc.match_substring_regex(words, _GROUPED)).as_py())


class _Row(NamedTuple):
    """A row of the head of a file, and the line on which it ends."""

    line: int
    cells: list[str]

    @property
    def filled(self) -> int:
        return sum(bool(cell.strip()) for cell in self.cells)


def cannot_read(path: Path, reason: object) -> ValueError:
    """Return the error that a file is no table."""
    return ValueError(f"`{path.name}` cannot be read as a table: {reason}")


def empty_file(path: Path) -> ValueError:
    """Return the error that a file has nothing in it."""
    return pd.errors.EmptyDataError(f"`{path.name}` is empty. Check that the right file was named.")


def encoding_of(path: Path, most_bytes: int | None = None) -> str:
    """Tell the encoding from the bytes; refuse a file with zero bytes, which no text has."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        file.seek(0)
        is_utf8 = True
        while chunk := file.read(HEAD_BYTES):
            if b"\0" in chunk:
                raise cannot_read(path, "it is a binary file, not text. Name a CSV file, or use its proper suffix.")
            try:
                decoder.decode(chunk if is_utf8 else b"")
            except UnicodeDecodeError:
                is_utf8 = False
            if most_bytes is not None and file.tell() >= most_bytes:
                break
    return "utf-8-sig" if is_utf8 else "cp1252"


def layout_of(path: Path, encoding: str) -> Layout:
    """Find the delimiter that gives the most even rows, and the first row that is no title."""
    try:
        with path.open(encoding=encoding, newline="") as file:
            head = file.read(HEAD_BYTES)
    except UnicodeDecodeError as error:
        raise cannot_read(path, f"its text is neither UTF-8 nor Windows-1252 ({error}). Save it as UTF-8.") from error
    if not head.strip():
        raise empty_file(path)
    best, found, best_score = ",", _first_rows(head, ","), (0.0, 1, 0)
    for delimiter in _DELIMITERS:
        every = _first_rows(head, delimiter)
        rows = _below_title(every)
        evenness, width = _evenness(rows)
        score = (evenness, width, len(rows) - len(every))
        if width > 1 and score > best_score:
            best, found, best_score = delimiter, rows, score
    header = found[0]
    skipped = _line_before(head, best, header)
    return Layout(encoding, best, skipped, [word.strip() for word in header.cells], len(found) > 1)


def _evenness(rows: list[_Row]) -> tuple[float, int]:
    """Return the share of rows that are as wide as the header, and this width.

    Rows that all have one field less than the header, or one more, are even too: a delimiter stands at the end of the
    one and not of the other. Who is told so can mend it; another delimiter would cut the numbers.
    """
    width = len(rows[0].cells)
    below = [len(row.cells) for row in rows[1:]]
    if len(set(below)) == 1 and abs(below[0] - width) == 1:
        return 1.0, min(below[0], width)
    return (1 + below.count(width)) / len(rows), width


def _first_rows(head: str, delimiter: str) -> list[_Row]:
    rows: list[_Row] = []
    try:
        reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
        for row in itertools.islice(reader, _SNIFFED_ROWS):
            rows += [_Row(reader.line_num, row)] if row else []
    except csv.Error:  # a field longer than the module takes; the parser proper takes it
        rows.append(_Row(0, []))
    return rows


def _line_before(head: str, delimiter: str, header: _Row) -> int:
    """Return how many lines stand above the header, when a title does."""
    rows = _first_rows(head, delimiter)
    place = rows.index(header)
    return rows[place - 1].line if place else 0


def _below_title(rows: list[_Row]) -> list[_Row]:
    """Leave out first rows with one cell only, when a row follows that names every column and holds no number."""
    titles = list(itertools.takewhile(_is_title, rows[:_MOST_TITLE_ROWS]))
    rest = rows[len(titles) :]
    if not titles or len(rest) < 2:
        return rows
    header = rest[0].cells
    width = max(len(row.cells) for row in titles)
    fits = width == 1 or (width == len(header) >= _WIDE)
    return rest if fits and all(map(_is_name, header)) and len(header) > 1 else rows


def _is_title(row: _Row) -> bool:
    return row.filled == 0 or (row.filled == 1 and bool(row.cells[0].strip()))


def _is_name(cell: str) -> bool:
    return bool(cell.strip()) and not cell.strip().lstrip("+-").replace(".", "").replace(",", "").isdecimal()


_LONGEST_ROW_BYTES = 1 << 24
_MOST_CATEGORIES = 50
_NO_SUM = ("string", "bytes", "categorical", "datetime64", "datetime", "date", "time", "period", "interval", "mixed")
_MOST_NAMED = 50
_LARGEST_SUM = 9.2e18

_MISSING = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)


def load_csv_data_with_types(file_path: str, auto_expand_json: bool = True) -> pd.DataFrame:
    """Load a table from a file, with types decided by every value and never by a guess.

    Text files: the delimiter (`,` `;` tab `|`) is found from the first rows; the encoding is UTF-8, UTF-16 with a byte
    order mark, else Windows-1252. A title above the names of the columns is left out. Missing values are pandas'
    default words (empty, `NA`, `None`, `null`, ...).
    Year-first dates (`2024-03-01`, `2024/03/01 12:30`, also with a `Z`) become datetimes; dates that can be read two
    ways (`01/02/2024`) stay text. Numbers with leading zeros (`00501`), thousands separators or currency signs stay
    text. Integers with missing values become floats, or text above 15 digits. Columns of JSON objects become dotted
    columns (`payload.kind`) unless `auto_expand_json` is false.

    `.parquet`, `.feather`, `.arrow`, `.json` and `.jsonl` keep the types they carry; a named index becomes a column.
    Raises `FileNotFoundError`, or `ValueError` for a file that is empty, binary or ragged.
    """
    path = _existing_file(file_path)
    frame = _reader(path)(path)
    if frame.shape[1] == 0:
        raise empty_file(path)
    return plain_types(expand_json(frame) if auto_expand_json else frame)


def detect_column_types(df: pd.DataFrame) -> dict[str, Any]:
    """Sort the columns into `numeric`, `categorical`, `datetime`, `boolean` and `high_cardinality` lists.

    Each column is in exactly one list; text with more than 50 distinct values counts as high cardinality.
    """
    kinds: dict[str, Any] = {kind: [] for kind in ("numeric", "categorical", "datetime", "boolean", "high_cardinality")}
    for position, name in enumerate(df.columns):
        kinds[_kind(df.iloc[:, position])].append(name)
    return kinds


def validate_file_and_columns(file_path: str, required_columns: list[str] | None = None) -> None:
    """Check that a file is there and has the columns, reading no more than its header.

    Raises `FileNotFoundError`, or `ValueError` that names the missing columns, the nearest names and the columns there.
    """
    path = _existing_file(file_path)
    available = _column_names(path)
    if not available:
        raise empty_file(path)
    missing = [name for name in required_columns or [] if name not in available]
    if any(name.split(".")[0] in available for name in missing):  # may be a key inside a column of JSON objects
        available = [str(name) for name in load_csv_data_with_types(file_path).columns]
        missing = [name for name in missing if name not in available]
    if missing:
        raise ValueError(_missing_columns(path, missing, available))


def validate_sums(df: pd.DataFrame, columns: list[str]) -> None:
    """Check that columns can be added up: pandas joins texts to one, and wraps around past 64 bits.

    Raises `ValueError` that names the column. The bound is that of all rows, whichever of them a sum takes.
    """
    for name in columns:
        column = df[name]
        if pd.api.types.infer_dtype(column, skipna=True) in _NO_SUM:
            numbers = ", ".join(f"`{each}`" for each in detect_column_types(df)["numeric"][:_MOST_NAMED]) or "none"
            raise ValueError(f"`{name}` holds no numbers, so it cannot be added up. Columns of numbers: {numbers}.")
        if pd.api.types.is_integer_dtype(column.dtype) and column.astype("float64").abs().sum() > _LARGEST_SUM:
            raise ValueError(
                f"`{name}` cannot be added up exactly: its total may be beyond 9.2e18, the most that a whole number of "
                "64 bits holds. Add up a column of smaller numbers, or make it a column of decimal fractions first."
            )


def lines_above_header(file_path: str) -> list[str]:
    """Return the lines of a text file that stand above the names of its columns, such as a title; they are left out."""
    path = _existing_file(file_path)
    if _reader(path) is not _read_delimited:
        return []
    layout = layout_of(path, encoding_of(path, HEAD_BYTES))
    with path.open(encoding=layout.encoding) as file:
        lines = [line.strip(f" {layout.delimiter}\n") for line in itertools.islice(file, layout.skipped)]
    return [line for line in lines if line]


def names_given_twice(file_path: str) -> dict[str, list[str]]:
    """Return the names that several columns of a text file have, with what they are called once it is loaded."""
    path = _existing_file(file_path)
    if _reader(path) is not _read_delimited:
        return {}
    return repeated_names(layout_of(path, encoding_of(path, HEAD_BYTES)).words)


def _kind(column: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(column.dtype):
        return "boolean"
    if pd.api.types.is_numeric_dtype(column.dtype):
        return "numeric"
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return "datetime"
    distinct = (column.map(str) if pd.api.types.is_object_dtype(column.dtype) else column).nunique()
    return "high_cardinality" if distinct > _MOST_CATEGORIES else "categorical"


def _existing_file(file_path: str) -> Path:
    path = Path(file_path).expanduser()
    if not path.exists():
        raise FileNotFoundError(f"There is no file `{file_path}`. Check the path and the folder it starts from.")
    if not path.is_file():
        raise ValueError(f"`{file_path}` is not a file. Name one CSV, TSV, Parquet, Feather, Arrow or JSON file.")
    if path.stat().st_size == 0:
        raise empty_file(path)
    return path


def _reader(path: Path) -> Callable[[Path], pd.DataFrame]:
    match path.suffix.lower():
        case ".parquet" | ".pq" | ".feather" | ".arrow" | ".ipc":
            return _read_arrow
        case ".json" | ".jsonl" | ".ndjson":
            return _read_json
        case _:
            return _read_delimited


def _column_names(path: Path) -> list[str]:
    reader = _reader(path)
    if reader is _read_delimited:
        return layout_of(path, encoding_of(path, HEAD_BYTES)).names
    if reader is _read_arrow:
        return _arrow_names(path)
    return [str(name) for name in _read_json(path).columns]


def _missing_columns(path: Path, missing: list[str], available: list[str]) -> str:
    by_folded = {name.casefold(): name for name in available}
    named = []
    for name in missing:
        near = difflib.get_close_matches(name.casefold(), by_folded, n=1)
        named.append(f"`{name}`" + (f" (did you mean `{by_folded[near[0]]}`?)" if near else ""))
    shown = ", ".join(f"`{name}`" for name in available[:50]) + (", ..." if len(available) > 50 else "")
    return f"`{path.name}` has no column {', '.join(named)}. Available columns: {shown}."


# ── delimited text ───────────────────────────────────────────────────────────


def _read_delimited(path: Path) -> pd.DataFrame:
    layout = layout_of(path, encoding_of(path))
    if not layout.has_rows:
        return pd.DataFrame({name: pd.Series(dtype="str") for name in layout.names})
    table = _words(path, layout)
    # Row 0 is the header; it is read as data so that odd or repeated names cannot confuse the parser.
    cells = (column.slice(1) for column in table.columns)
    frame = pd.DataFrame(
        {i: typed_text(words, () if layout.may_group(words) else KINDS) for i, words in enumerate(cells)}
    )
    frame.columns = pd.Index(layout.names)
    return frame


def _words(path: Path, layout: Layout) -> pa.Table:
    """Read every cell as text, nothing converted."""
    try:
        table = arrow_csv.read_csv(
            path,
            read_options=arrow_csv.ReadOptions(
                encoding="utf-8" if layout.encoding == "utf-8-sig" else layout.encoding,
                autogenerate_column_names=True,
                skip_rows=layout.skipped,
                block_size=_LONGEST_ROW_BYTES,
            ),
            parse_options=arrow_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types={f"f{i}": pa.string() for i in range(len(layout.names))},
                null_values=_MISSING,
                strings_can_be_null=True,
            ),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        raise _ragged(path, layout, error) from error
    if table.num_columns != len(layout.names):
        raise cannot_read(path, f"its header has {len(layout.names)} names for {table.num_columns} columns.")
    return table


def _ragged(path: Path, layout: Layout, error: Exception) -> ValueError:
    """Explain a failed parse by the first row whose width is not the header's."""
    width = len(layout.names)
    with path.open(encoding=layout.encoding, newline="") as file:
        reader = csv.reader(file, delimiter=layout.delimiter)
        try:
            for row in reader:
                if row and reader.line_num > layout.skipped and len(row) != width:
                    return cannot_read(
                        path,
                        f"line {reader.line_num} has {len(row)} fields, the header has {width} "
                        f"(separated by {layout.delimiter!r}). Repair that line, or quote the field that was split.",
                    )
        except (csv.Error, UnicodeDecodeError) as reason:
            return cannot_read(path, f"line {reader.line_num}: {reason}. Repair that line, or save the file as UTF-8.")
    return cannot_read(path, f"{error}. Save it again as CSV with UTF-8 encoding.")


# ── typed formats ────────────────────────────────────────────────────────────


def _read_arrow(path: Path) -> pd.DataFrame:
    try:
        table = parquet.read_table(path) if _is_parquet(path) else _ipc_table(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise cannot_read(path, f"{error}. Check that the file is complete and of that format.") from error
    return _with_named_levels(table.to_pandas(date_as_object=False))


def _with_named_levels(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose named row labels are columns; others only number the rows."""
    named = [level for level in frame.index.names if level is not None]
    return frame.reset_index(level=named) if named else frame.reset_index(drop=True)


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() in (".parquet", ".pq")


def _ipc_table(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as source:
        table = _opened(source).read_all()
    table.validate(full=True)  # what lies about where its values are would be read out of bounds
    return table


def _ipc_schema(path: Path) -> pa.Schema:
    with pa.OSFile(str(path)) as source:
        return _opened(source).schema


def _opened(source: pa.OSFile) -> pa.ipc.RecordBatchFileReader | pa.ipc.RecordBatchStreamReader:
    if source.read(6) == b"ARROW1":
        return pa.ipc.open_file(source)
    source.seek(0)
    return pa.ipc.open_stream(source)


def _arrow_names(path: Path) -> list[str]:
    try:
        schema = parquet.read_schema(path) if _is_parquet(path) else _ipc_schema(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise cannot_read(path, f"{error}. Check that the file is complete and of that format.") from error
    return [str(name) for name in _with_named_levels(schema.empty_table().to_pandas()).columns]


def _read_json(path: Path) -> pd.DataFrame:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".json":
            content = json.loads(text)
        else:
            content = [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError as error:
        raise cannot_read(path, f"it is not valid JSON ({error}). Save it as JSON in UTF-8.") from error
    return dates_in_text(plain_types(_records(path, content)))


def _records(path: Path, content: Any) -> pd.DataFrame:
    if isinstance(content, dict) and content and all(isinstance(column, list) for column in content.values()):
        if len({len(column) for column in content.values()}) == 1:
            return pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in content.items()})
    elif isinstance(content, list) and all(isinstance(row, dict) for row in content):
        names = list(dict.fromkeys(name for row in content for name in row))
        return pd.DataFrame({n: pd.Series([row.get(n) for row in content], dtype=object) for n in names})
    raise cannot_read(path, "it must hold a list of objects, or one object of lists of the same length.")


_WITH_GAPS = {"int64": "Int64", "uint64": "UInt64", "bool": "boolean"}
_MOST_SHOWN = 5
_LARGEST_EXACT_KEY = 2**53


def allow_missing(df: pd.DataFrame) -> pd.DataFrame:
    """Return the table in types that can hold missing values: a row without a match leaves whole numbers whole."""
    kinds = {name: _WITH_GAPS[str(kind)] for name, kind in df.dtypes.items() if str(kind) in _WITH_GAPS}
    return df.astype(kinds) if kinds else df


def validate_keys(
    df: pd.DataFrame,
    other: pd.DataFrame,
    keys: dict[str, str],
    *,
    once_in_first: bool = False,
    once_in_second: bool = False,
) -> None:
    """Check that the keys of two tables can be compared, and that none repeats where it must not.

    Raises `ValueError` that names the columns, and some of the keys that repeat.
    """
    for first, second in keys.items():
        kinds = _kind_of_key(df[first]), _kind_of_key(other[second])
        if kinds[0] != kinds[1] and "nothing" not in kinds:
            raise ValueError(
                f"`{first}` holds {kinds[0]} and `{second}` of the second table {kinds[1]}, so no row can match. "
                "Name columns of one type, or convert one of them first."
            )
        _refuse_rounded(df[first], other[second])
    if once_in_first:
        _refuse_repeated(df, list(keys), "first", "second")
    if once_in_second:
        _refuse_repeated(other.dropna(subset=list(keys.values())), list(keys.values()), "second", "first")


def validate_new_columns(df: pd.DataFrame, columns: list[str]) -> None:
    """Check that columns can be put beside those of a table; raises `ValueError` for one that it has already."""
    taken = [name for name in columns if name in df.columns]
    if taken:
        named = ", ".join(f"`{name}`" for name in taken)
        raise ValueError(f"The first table has a column {named} already. Rename it first.")


def validate_columns_of_both(df: pd.DataFrame, other: pd.DataFrame, columns: list[str], suffix: str = "") -> None:
    """Check that the table made of two has the columns; the second one's get the suffix where the first has the name.

    Raises `ValueError` that names the missing columns and the nearest names.
    """
    names = [str(name) for name in df.columns]
    names += [f"{name}{suffix}" if name in names else str(name) for name in other.columns]
    missing = [name for name in columns if name not in names]
    if missing:
        near = {name: difflib.get_close_matches(name, names, n=1) for name in missing}
        named = (f"`{name}`" + (f" (did you mean `{near[name][0]}`?)" if near[name] else "") for name in missing)
        shown = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
        raise ValueError(f"The two tables have no column {', '.join(named)}. Columns of both: {shown}.")


def validate_sums_of_both(df: pd.DataFrame, other: pd.DataFrame, columns: list[str], suffix: str = "") -> None:
    """Check that whole numbers of either table can be added up; raises `ValueError` as `validate_sums` does."""
    for name in columns:
        parts = [table[name] for table in (df, other) if name in table]
        values = pd.concat(parts) if parts else other[name.removesuffix(suffix)]
        validate_sums(values.to_frame(name), [name])


def _kind_of_key(column: pd.Series) -> str:
    if column.isna().all():
        return "nothing"
    if pd.api.types.is_bool_dtype(column.dtype):
        return "true and false"
    if pd.api.types.is_numeric_dtype(column.dtype):
        return "numbers"
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return "dates with a time zone"
    return "dates" if pd.api.types.is_datetime64_any_dtype(column.dtype) else "text"


def _refuse_rounded(first: pd.Series, second: pd.Series) -> None:
    """Refuse whole numbers that would become equal: numbers of two sorts are compared as real ones, which round."""
    sorts = {getattr(column.dtype, "kind", "") for column in (first, second)}
    if len(sorts) < 2 or not sorts <= set("iuf"):
        return
    for column, which, beside in ((first, "first", second), (second, "second", first)):
        if column.dtype.kind != "f" and bool((column.dropna().abs() > _LARGEST_EXACT_KEY).any()):
            raise ValueError(
                f"`{column.name}` of the {which} table has whole numbers beyond 2^53, and `{beside.name}` of the other "
                "one has numbers of another type: they would be rounded, and match what they are not. Make both of "
                "them whole numbers, or texts."
            )


def _refuse_repeated(table: pd.DataFrame, keys: list[str], which: str, others: str) -> None:
    repeated = table[table.duplicated(subset=keys, keep=False)][keys].drop_duplicates()
    if len(repeated):
        shown = ["/".join(map(str, row)) for row in repeated.head(_MOST_SHOWN).itertuples(index=False, name=None)]
        more = f" and {len(repeated) - _MOST_SHOWN:,} more" if len(repeated) > _MOST_SHOWN else ""
        raise ValueError(
            f"`{', '.join(keys)}` names several rows of the {which} table ({', '.join(shown)}{more}), so rows of the "
            f"{others} table would count several times. Leave one row per key, or add them up by key first."
        )


_SHOWN_ROWS = 50
_MARKUP = re.compile(r"(\\*)([|\[])")
_LARGEST_PLAIN = 1e15
_UNFIT_ARGUMENT = "Correct the argument named above and call the tool again."
_UNFIT_TYPE = (
    "A column holds values of a type that this cannot be computed from: name another one, of numbers where numbers "
    "are needed, and call the tool again."
)


class Report(str):
    """Markdown with a JSON footer, as a genuine `str`; the table and its figures ride along for callers in Python.

    `details` is JSON-able and holds path, columns, numeric_columns, row_count, rows_in, rows_used, without_value, notes
    and chart. `without_value` says in how many of the rows used each measured column has no value.
    """

    table: pd.DataFrame | None
    details: dict[str, Any]
    failed: bool

    def __new__(
        cls,
        text: str,
        table: pd.DataFrame | None = None,
        details: Mapping[str, Any] | None = None,
        failed: bool = False,
    ) -> Self:
        """Attach a table and its figures to a text."""
        report = super().__new__(cls, text)
        report.table = table
        report.details = dict(details or {})
        report.failed = failed
        return report

    @classmethod
    def of(
        cls,
        table: pd.DataFrame | pd.Series,
        *,
        title: str,
        source: str,
        rows_in: int,
        rows_used: int | None = None,
        without_value: Mapping[str, int] | None = None,
        notes: Sequence[str] = (),
        chart: dict[str, Any] | None = None,
    ) -> Self:
        """Report a result table, and how many of the source's rows it accounts for.

        `rows_used` is None where no one number says it. A row that is used and has no value in a measured column adds
        nothing to its figures; `without_value` counts such rows by column.
        """
        table = _as_columns(table)
        gaps = {str(name): int(count) for name, count in (without_value or {}).items() if count}
        details: dict[str, Any] = {
            "path": source,
            "columns": [str(name) for name in table.columns],
            "numeric_columns": [str(name) for name in table.select_dtypes("number").columns],
            "row_count": len(table),
            "rows_in": int(rows_in),
            "rows_used": None if rows_used is None else int(rows_used),
            "without_value": gaps,
            "notes": [str(note) for note in notes],
            "chart": json_value(chart),
        }
        footer = {name: value for name, value in details.items() if name != "chart"}
        footer["rows"] = json_rows(table, _SHOWN_ROWS)
        blocks = [f"## {_inline(title)}", _markdown_table(table), _accounting(rows_in, rows_used, gaps)]
        if notes:
            blocks.append("\n".join(f"- {_inline(note)}" for note in details["notes"]))
        return cls("\n\n".join(blocks) + _footer(footer), table, details)

    @classmethod
    def failure(cls, error: Exception, source: str) -> Self:
        """Report that there is no result: what went wrong, and what to do."""
        message = str(error) if not isinstance(error, KeyError) else f"There is no {error}."
        message = message or "No further details."
        details = {"path": source, "error": {"type": type(error).__name__, "message": message}}
        text = (
            f"## No result\n\n**{type(error).__name__}**: {_inline(message)}\n\n"
            f"Nothing was computed from `{_inline(source)}` and nothing was changed. "
            f"{_UNFIT_TYPE if isinstance(error, TypeError) else _UNFIT_ARGUMENT}"
        )
        return cls(text + _footer(details), None, details, failed=True)


def _as_columns(table: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """Return a frame whose group labels are columns, not an index."""
    frame = table.to_frame() if isinstance(table, pd.Series) else table
    return frame.reset_index(drop=isinstance(frame.index, pd.RangeIndex) and frame.index.name is None)


def _footer(content: Mapping[str, Any]) -> str:
    # With every angle bracket escaped no cell can end the comment or start another one.
    text = json.dumps(json_value(content), allow_nan=False).replace("<", "\\u003c").replace(">", "\\u003e")
    return f"\n\n<!--output_json:{text}-->"


def _accounting(rows_in: int, rows_used: int | None, without_value: Mapping[str, int]) -> str:
    if rows_used is None:
        return f"{_rows(rows_in)} read."
    left_out = rows_in - rows_used
    some = f"{rows_used:,} of {_rows(rows_in)} used, {left_out:,} left out"
    used = some if left_out else f"All {_rows(rows_in)} used"
    gaps = [f"{count:,} without a value in `{_inline(name)}`" for name, count in without_value.items()]
    return f"{used}; of those used, {', '.join(gaps)}." if gaps else f"{used}."


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


def _markdown_table(table: pd.DataFrame) -> str:
    if table.shape[1] == 0:
        return "No columns."
    columns = [_shown_column(table.iloc[:_SHOWN_ROWS, i]) for i in range(table.shape[1])]
    aligned = ["---:" if pd.api.types.is_numeric_dtype(dtype) else "---" for dtype in table.dtypes]
    lines = [[_inline(str(name)) for name in table.columns], aligned, *zip(*columns, strict=True)]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    hidden = len(table) - _SHOWN_ROWS
    if hidden > 0:
        return f"{text}\n\n… and {hidden:,} more rows"
    return text if len(table) else f"{text}\n\nNo rows."


def _shown_column(column: pd.Series) -> list[str]:
    dates_only = (
        pd.api.types.is_datetime64_any_dtype(column.dtype) and (column.dropna() == column.dropna().dt.normalize()).all()
    )
    return [_shown(value)[: 10 if dates_only else None] for value in column.astype(object)]


def _shown(value: Any) -> str:
    plain = json_value(value)
    if plain is None:
        return "—"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, int):
        return str(plain)
    if isinstance(plain, float):
        return _shown_float(plain)
    if isinstance(value, pd.Timestamp):
        return value.isoformat(sep=" ")
    return _inline(str(plain))


def _shown_float(value: float) -> str:
    if value.is_integer() and abs(value) < _LARGEST_PLAIN:
        return str(int(value))
    return f"{value:.2f}" if 1e3 <= abs(value) < _LARGEST_PLAIN else f"{value:.6g}"


def _inline(text: str) -> str:
    """Make a text safe inside a table cell: no markup, no link or image, no line break, no column border."""
    # A backslash before the sign would escape ours, so it is doubled.
    return _MARKUP.sub(r"\1\1\\\2", " ".join(text.split()).replace("<", "&lt;"))


_YEARS = "%Y"
_MONTHS = "%Y-%m"
_DAYS = "%Y-%m-%d"
_MINUTES = "%Y-%m-%d %H:%M"
_FEWEST_PERIODS = 2
_MOST_TICKS = 6
_MANY_YEARS = 8
_MANY_MONTHS = 4
_MANY_DAYS = 3
_MONTH_STEPS = (1, 2, 3, 6)
_NAMES_IN_NUMBERS = re.compile(r"(^|_)(year|yr|id|code|zip|postcode|no)$", re.IGNORECASE)
_MOST_DIGITS = 6


def is_date(column: pd.Series) -> bool:
    """Tell whether a column holds moments."""
    return pd.api.types.is_datetime64_any_dtype(column.dtype)


def is_name(column: str) -> bool:
    """Tell whether numbers in a column are names, such as years and ids: a separator would make them amounts."""
    return bool(_NAMES_IN_NUMBERS.search(column))


def date_format(dates: pd.Series) -> str:
    """Return how dates are written: no more of them than differs from the first of a year, of a month, or midnight.

    A single date is written as a day, because it may be one.
    """
    present = dates.dropna()
    if (present != present.dt.normalize()).any():
        return _MINUTES
    if (present.dt.day != 1).any() or present.nunique() < _FEWEST_PERIODS:
        return _DAYS
    return _MONTHS if (present.dt.month != 1).any() else _YEARS


def ticks_of_dates(dates: pd.Series) -> dict[str, Any]:
    """Return the format of a time's ticks, and how far apart they are, so that no two of them read the same."""
    shown = date_format(dates)
    days = 0 if dates.dropna().empty else (dates.max() - dates.min()).days
    if shown == _YEARS or days > _MANY_YEARS * 366:
        return {"format": _YEARS, "tickCount": {"interval": "year", "step": max(1, round(days / 366 / _MOST_TICKS))}}
    if shown == _MONTHS or days > _MANY_MONTHS * 31:
        step = next((step for step in _MONTH_STEPS if step >= days / 30 / _MOST_TICKS), 12)
        return {"format": _MONTHS, "tickCount": {"interval": "month", "step": step}}
    if shown == _DAYS or days > _MANY_DAYS:
        return {"format": _DAYS, "tickCount": {"interval": "day", "step": max(1, round(days / _MOST_TICKS))}}
    return {"format": shown}


def number_format(numbers: pd.Series) -> str:
    """Return how numbers are written: names as they are, amounts with separators and four digits of the smallest."""
    finite = numbers[numbers.abs() < float("inf")].astype("float64")
    if (finite == finite.round()).all():
        return "d" if is_name(str(numbers.name)) else ",d"
    digits = max(3 - math.floor(math.log10(finite[finite != 0].abs().min())), 2)
    return f",.{digits}~f" if digits <= _MOST_DIGITS else ",.4~g"


def written_texts(column: pd.Series) -> list[str]:
    """Return the values of a column as texts that can stand in a label."""
    values = column.dt.strftime(date_format(column)) if is_date(column) else column
    return ["–" if pd.isna(value) else str(value) for value in values]


_MarkKind = Literal["bar", "line", "scatter", "pie", "histogram", "heatmap"]
ChartKind = Literal[_MarkKind, "box"]
StackKind = Literal["", "total", "share"]

_STACKS = {"total": "zero", "share": "normalize"}
_BAR_STEP = 22
_MOST_UPRIGHT_BARS = 8
_MOST_UPRIGHT_NUMBERS = 31
_LONGEST_UPRIGHT_LABEL = 12
_THINNEST_BAR = 6
_HEIGHT = 300
_SPECIAL_TIPS = ("image", "title")
_LONGEST_TITLE = 32
_BOX_FIGURES = ("min", "q25", "median", "q75", "max")
_BOX_OPACITY = 0.45
_MEDIAN_WIDTH = 2
_BETWEEN_BOXES = 0.4
_MOST_BINS = 30


@dataclass(frozen=True)
class Wishes:
    """What was wished of a chart beyond its columns; `x` and `y` are the axes as they stand on the page."""

    x_title: str = ""
    y_title: str = ""
    stack: StackKind = ""
    lying: bool = False
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Picture:
    """What is drawn: the columns of a table on the channels of a kind of chart."""

    table: pd.DataFrame
    kind: ChartKind
    x: str
    y: str
    color: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    """What columns are called that were made for the drawing."""
    wishes: Wishes = field(default_factory=Wishes)

    def title(self, name: str) -> str:
        """Return what a column is called for a reader."""
        return self.titles.get(name, name)


def drawn_columns(kind: ChartKind, x: str, y: str, color: str | None) -> list[str]:
    """Return the columns that a chart of a kind shows."""
    figures: tuple[str, ...] = _BOX_FIGURES if kind == "box" else () if kind == "histogram" else (y,)
    return [name for name in dict.fromkeys((x, *figures, color)) if name is not None]


def drawing(picture: Picture) -> dict[str, Any]:
    """Return the mark with its channels, or the layers of a box plot."""
    drawn = _boxes(picture) if picture.kind == "box" else _marks(picture, picture.kind)
    for part in (drawn, *drawn.get("layer", ())):
        for side, title in (("x", picture.wishes.x_title), ("y", picture.wishes.y_title)):
            if title and side in part["encoding"]:
                part["encoding"][side]["title"] = title
    return drawn


def height(picture: Picture) -> dict[str, Any]:
    """Return how high a chart is: bars that lie take a step each."""
    if picture.kind not in ("bar", "box") or not _lies_down(picture):
        return {"height": _HEIGHT}
    color = picture.color
    beside = 1 if color is None or picture.wishes.stack else max(1, picture.table[color].nunique(dropna=False))
    return {"height": {"step": max(_THINNEST_BAR, _BAR_STEP // beside)}}


def what_spreads(table: pd.DataFrame) -> str:
    """Return the name of the column that a summary is about, if it is about one."""
    names = list(table["column"].unique()) if "column" in table.columns else []
    return str(names[0]) if len(names) == 1 else "value"


def _marks(picture: Picture, kind: _MarkKind) -> dict[str, Any]:
    mark, encoding = _channels(picture, kind)
    shown = drawn_columns(kind, picture.x, picture.y, picture.color)
    tips = [_tip(picture, name) for name in shown]
    encoding["tooltip"] = _histogram_tooltip(picture) if kind == "histogram" else tips
    return {"mark": mark, "encoding": encoding}


def _boxes(picture: Picture) -> dict[str, Any]:
    """Lay whiskers from the smallest to the largest value, a box between the quartiles and the median's line."""
    up = "x" if _lies_down(picture) else "y"
    spread = {"type": "quantitative", "title": _shortened(what_spreads(picture.table)), "scale": {"zero": False}}

    def layer(mark: dict[str, Any], start: str, end: str) -> dict[str, Any]:
        return {"mark": mark, "encoding": {up: {"field": start, **spread}, f"{up}2": {"field": end}}}

    tips = [_tip(picture, name) for name in drawn_columns("box", picture.x, picture.x, picture.color)]
    return {
        "encoding": {**_groups(picture, {"scale": {"paddingInner": _BETWEEN_BOXES}}), "tooltip": tips},
        "layer": [
            layer({"type": "rule"}, "min", "max"),
            layer({"type": "bar", "opacity": _BOX_OPACITY}, "q25", "q75"),
            layer({"type": "bar", "filled": False, "strokeWidth": _MEDIAN_WIDTH}, "median", "median"),
        ],
    }


def _groups(picture: Picture, spaced: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the channels that say where a bar or a box stands; `spaced` says how far one is from the next."""
    across, colors = _along(picture, picture.x), _colors(picture)
    if across["type"] == "temporal":
        return {"x": across, **colors}
    upright = not _lies_down(picture)
    group = {**across, "type": "ordinal", "sort": None, **({"axis": {"labelAngle": 0}} if upright else {})}
    if picture.color is None or picture.wishes.stack:
        return {"x" if upright else "y": {**group, **(spaced or {})}, **colors}
    # side by side: bars on top of each other would add up what may be means
    beside = {"field": _path(picture.color), "sort": None, **(spaced or {})}
    return {"x" if upright else "y": group, **colors, "xOffset" if upright else "yOffset": beside}


def _colors(picture: Picture) -> dict[str, Any]:
    return {} if picture.color is None else {"color": _channel(picture, picture.color)}


def _channels(picture: Picture, kind: _MarkKind) -> tuple[dict[str, Any], dict[str, Any]]:
    rows, counted = picture.table, picture.y in picture.table.columns
    across, up = _along(picture, picture.x), _along(picture, picture.y) if counted else {}
    match kind:
        case "bar":
            return {"type": "bar"}, {**_groups(picture), ("x" if _lies_down(picture) else "y"): _stacked(up, picture)}
        case "line":
            across |= {"sort": None} if across["type"] == "nominal" else {}
            mark = {"type": "line", "point": len(rows) <= _MOST_UPRIGHT_BARS * 4}
            return mark, {"x": across, "y": _scaled(up, picture, picture.y), **_colors(picture)}
        case "scatter":
            across, up = _scaled(across, picture, picture.x, zero=False), _scaled(up, picture, picture.y, zero=False)
            return {"type": "point", "filled": True, "opacity": 0.6}, {"x": across, "y": up, **_colors(picture)}
        case "pie":
            slices = {"theta": {**up, "stack": True}, "color": {**across, "type": "nominal", "sort": None}}
            return {"type": "arc"}, slices
        case "heatmap":
            along = _of_fields(picture, picture.x, None)
            along |= {} if _needs_room(rows[picture.x]) else {"axis": {"labelAngle": 0}}
            down = _of_fields(picture, picture.color or picture.x, _order_of_rows(picture))
            return {"type": "rect"}, {"x": along, "y": down, "color": {**up, "scale": {"zero": False}}}
        case "histogram":
            rows_in = {"aggregate": "count", "type": "quantitative", "title": "rows"}
            return {"type": "bar"}, {"x": {**across, "bin": {"maxbins": _MOST_BINS}}, "y": rows_in, **_colors(picture)}


def _of_fields(picture: Picture, name: str, order: str | None) -> dict[str, Any]:
    return {**_channel(picture, name), "type": "ordinal", "sort": order}


def _order_of_rows(picture: Picture) -> str | None:
    """Return how the rows of a heat map are sorted: as they are first met, but the first column may lack some."""
    down = picture.table.groupby(picture.x, sort=False)[picture.color or picture.x]
    return "ascending" if all(values.is_monotonic_increasing for _, values in down) else None


def _stacked(up: dict[str, Any], picture: Picture) -> dict[str, Any]:
    """Put the bars of several colors on each other, where that was wished."""
    stack = picture.wishes.stack
    shares = {"axis": {"format": ".0%"}, "title": f"share of {up['title']}"} if stack == "share" else {}
    return {**up, "stack": _STACKS[stack], **shares} if stack else up


def _scaled(channel: dict[str, Any], picture: Picture, name: str, *, zero: bool = True) -> dict[str, Any]:
    """Return the axis of a column with the scale that was wished; zero has no place on a logarithmic one."""
    if channel["type"] != "quantitative":
        return channel
    if picture.wishes.log_y if name == picture.y else picture.wishes.log_x:
        above = bool((picture.table[name].dropna() > 0).all())
        return {**channel, "scale": {"type": "log" if above else "symlog"}}
    return channel if zero else {**channel, "scale": {"zero": False}}


def _channel(picture: Picture, name: str) -> dict[str, Any]:
    return {"field": _path(name), "type": _type(picture.table[name]), "title": _shortened(picture.title(name))}


def _along(picture: Picture, name: str) -> dict[str, Any]:
    """Describe an axis: Vega's own would leave out most years of a time, and write the year 2024 as 2,024."""
    channel = _channel(picture, name)
    match channel["type"]:
        case "temporal":
            return {**channel, "axis": ticks_of_dates(picture.table[name])}
        case "quantitative" if is_name(name):
            return {**channel, "axis": {"format": "d", "tickMinStep": 1}}
        case _:
            return channel


def _shortened(title: str) -> str:
    """Leave out the middle of a title that would leave no room beside its axis for what is drawn."""
    if len(title) <= _LONGEST_TITLE:
        return title
    half = _LONGEST_TITLE // 2
    return f"{title[:half]}…{title[1 - half :]}"


def _tip(picture: Picture, name: str) -> dict[str, Any]:
    """Describe one line of a tooltip; Vega's own would show a line called `image` as a picture from the network."""
    called = f"{name} (column)" if name in _SPECIAL_TIPS else picture.title(name)
    told = {**_channel(picture, name), "title": called}
    match told["type"]:
        case "temporal":
            return {**told, "format": date_format(picture.table[name])}
        case "quantitative":
            return {**told, "format": number_format(picture.table[name])}
        case _:
            return told


def _histogram_tooltip(picture: Picture) -> list[dict[str, Any]]:
    return [
        {**_tip(picture, picture.x), "bin": {"maxbins": _MOST_BINS}},
        {"aggregate": "count", "type": "quantitative", "title": "rows"},
        *([] if picture.color is None else [_tip(picture, picture.color)]),
    ]


def _type(column: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(column.dtype):
        return "nominal"
    if pd.api.types.is_numeric_dtype(column.dtype):
        return "quantitative"
    return "temporal" if is_date(column) else "nominal"


def _path(name: str) -> str:
    """Escape what Vega-Lite would read as a path into nested data."""
    for special in ("\\", ".", "[", "]", "'", '"'):
        name = name.replace(special, f"\\{special}")
    return name


def _lies_down(picture: Picture) -> bool:
    column = picture.table[picture.x]
    if is_date(column) or picture.wishes.lying:
        return picture.wishes.lying and not is_date(column)
    if pd.api.types.is_numeric_dtype(column.dtype):  # hours, months and years are read from left to right
        return column.nunique() > _MOST_UPRIGHT_NUMBERS
    return _needs_room(column)


def _needs_room(column: pd.Series) -> bool:
    """Tell whether labels are too many or too long to stand beside each other."""
    labels = column.astype(str).drop_duplicates()
    return len(labels) > _MOST_UPRIGHT_BARS or bool((labels.str.len() > _LONGEST_UPRIGHT_LABEL).any())


_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_MOST_ROWS = 5_000


def vega_lite_chart(
    table: pd.DataFrame,
    kind: ChartKind,
    x: str,
    y: str,
    *,
    color: str | None = None,
    title: str = "",
    x_title: str = "",
    y_title: str = "",
    stack: StackKind = "",
    lying: bool = False,
    log_x: bool = False,
    log_y: bool = False,
) -> dict[str, Any]:
    """Draw `y` over `x` (a histogram bins `x` and counts; a pie slices `y` by `x`; a box plot has a box per `x`).

    A heat map has a field for each `x` and `color`, the darker the larger `y` is. Bars keep the order of the table,
    and lie down when there are many of them, their labels are long, or `lying` says so; those of different colors
    stand side by side, or on each other with `stack`: `total` as they are, `share` as shares of their total. A box plot
    draws the columns `min`, `q25`, `median`, `q75` and `max` instead of `y`. Rows that would be drawn on each other are
    told apart by the columns before `y`. A logarithmic axis with values that are not above zero is linear around it. At
    most 5,000 rows are drawn, and the subtitle says so when there are more.
    """
    for name in drawn_columns(kind, x, y, color):
        if name not in table.columns:
            raise ValueError(f"There is no column `{name}` to draw. Columns: {', '.join(map(str, table.columns))}.")
    wishes = Wishes(x_title, y_title, stack if kind == "bar" and color is not None else "", lying, log_x, log_y)
    picture = _told_apart(Picture(table, kind, x, y, color, wishes=wishes))
    drawn = [*drawn_columns(kind, picture.x, y, picture.color), *drawn_columns(kind, x, y, color)]
    described = _description(kind, picture.title(picture.x), what_spreads(table) if kind == "box" else y)
    return {
        "$schema": _SCHEMA,
        "title": _title(title or described, len(table)),
        "description": described,
        "data": {"values": json_rows(picture.table[list(dict.fromkeys(drawn))], _MOST_ROWS)},
        **drawing(picture),
        "width": "container",
        **height(picture),
    }


def _told_apart(picture: Picture) -> Picture:
    """Return the picture with `x` and `color` such that no mark lies on another, as far as the columns before `y` say.

    A table of more groups than a chart has channels would hide all but one of the bars in a place.
    """
    table, kind, x, y, color = picture.table, picture.kind, picture.x, picture.y, picture.color
    if kind in ("scatter", "histogram"):
        return picture
    names, places = list(table.columns), [x] if color is None else [x, color]
    figures = names.index("column" if kind == "box" and "column" in names else y)
    further = [name for name in names[:figures] if name not in places] if table.duplicated(places).any() else []
    if further and (kind == "line" or (color is None and is_date(table[x]))):
        picture = _colored(picture, [*places[1:], *further])
        further = []
    # bars of several colors along a time would be added up
    stands = kind != "line" and picture.color is not None and not picture.wishes.stack
    if further or (stands and is_date(table[x])):
        picture = _placed(picture, [x, *further])
    return _colored(picture, [color]) if kind == "heatmap" and color is not None else picture


def _colored(picture: Picture, names: list[str]) -> Picture:
    table, label, titles = _labelled(picture, names)
    return replace(picture, table=table, color=label, titles=titles)


def _placed(picture: Picture, names: list[str]) -> Picture:
    table, label, titles = _labelled(picture, names)
    return replace(picture, table=table, x=label, titles=titles)


def _labelled(picture: Picture, names: list[str]) -> tuple[pd.DataFrame, str, dict[str, str]]:
    """Return the table with a column of texts that say the values of some columns, its name, and what it is called."""
    table, titles = picture.table, dict(picture.titles)
    if len(names) == 1 and not is_date(table[names[0]]):
        return table, names[0], titles
    called = " · ".join(names)
    label = called
    while label in table.columns:
        label = f"{label} (text)"
    rows = zip(*(written_texts(table[name]) for name in names), strict=True)
    return table.assign(**{label: [" · ".join(row) for row in rows]}), label, {**titles, label: called}


def _description(kind: ChartKind, x: str, y: str) -> str:
    match kind:
        case "histogram":
            return f"Histogram of {x}"
        case "pie":
            return f"Pie chart of {y} by {x}"
        case "heatmap":
            return f"Heat map of {y} by {x}"
        case "box":
            return f"Box plot of {y} by {x}"
        case _:
            return f"{kind.capitalize()} chart of {y} by {x}"


def _title(text: str, rows: int) -> dict[str, Any]:
    title: dict[str, Any] = {"text": text, "anchor": "start"}
    return title if rows <= _MOST_ROWS else {**title, "subtitle": f"first {_MOST_ROWS:,} of {rows:,} rows"}
