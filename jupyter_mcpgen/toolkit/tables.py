"""Reading tables from files, and telling what is in them before any work is done."""

from __future__ import annotations

import codecs
import contextlib
import csv
import difflib
import functools
import io
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

from jupyter_mcpgen.toolkit.columns import (
    KINDS,
    dates_in_text,
    expand_json,
    plain_types,
    repeated_names,
    typed_text,
    without_na,
)
from jupyter_mcpgen.toolkit.encodings import (
    HEAD_BYTES,
    MIXED,
    decoded,
    encoding_of,
    lines_of_the_other_encoding,
)
from jupyter_mcpgen.toolkit.layouts import (
    FOOT_BYTES,
    NOTHING_SAID,
    Layout,
    Reading,
    cannot_read,
    empty_file,
    layout_of,
    place_of_decimals,
    unclear,
)
from jupyter_mcpgen.toolkit.text_rows import lines_of

_LONGEST_ROW_BYTES = 1 << 24
_MOST_CATEGORIES = 50
_NO_SUM = ("string", "bytes", "categorical", "datetime64", "datetime", "date", "time", "period", "interval", "mixed")
_MOST_NAMED = 50
_LARGEST_SUM = 9.2e18
_LATELY_NANOSECONDS = 2_000_000_000
"""The times of a file that was written to less long ago may not tell its next change."""
_LONGEST_QUOTED, _MOST_QUOTED = 60, 8
_UTF_8 = ("utf-8", "utf-8-sig")
_ONE_BYTE_A_SIGN = (*_UTF_8, "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "koi8-r", "mac_roman", "cp850", "cp437")
"""Encodings of which the end can be read without the beginning; of UTF-8 but for a cut sign."""
_DELIMITER_WORDS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", ":": "colon"}
_ENCODING_WORDS = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}

_MISSING = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)


def load_csv_data_with_types(
    file_path: str,
    auto_expand_json: bool = True,
    reading: Reading = NOTHING_SAID,
    columns: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Load a table from a file, with types decided by every value and never by a guess.

    Text files: encoding, delimiter and header are found from their content, but for what `reading` says of them. What
    stands above the names of the columns, and notes and totals below the rows, are left out; without a header the
    columns are called `column_1` and so on. Missing values are pandas' default words (empty, `NA`, `None`, ...); among
    codes such as those of countries `NA` is one of them. A text in a formula (`="007"`) is that text.
    Year-first dates (`2024-03-01`, `2024/03/01 12:30`, also with a `Z`) become datetimes; dates that can be read two
    ways (`01/02/2024`) stay text. Numbers with leading zeros (`00501`), thousands separators or currency signs stay
    text. Integers with missing values become floats, or text above 15 digits. Columns of JSON objects become dotted
    columns (`payload.kind`) unless `auto_expand_json` is false. Of a table with many columns, `columns` are the ones
    that are loaded, in this order and with the values that they have in the whole table.

    `.parquet`, `.feather`, `.arrow`, `.json` and `.jsonl` keep the types they carry; a named index becomes a column.
    Raises `FileNotFoundError`, or `ValueError` for a file that is empty, binary or ragged.
    """
    path = _existing_file(file_path)
    reader = _reader(path)
    frame = _read_delimited(path, columns, reading) if reader is _read_delimited else reader(path, columns)
    if frame.shape[1] == 0:
        raise empty_file(path)
    frame = plain_types(expand_json(frame) if auto_expand_json else frame)
    return frame if columns is None else frame[list(dict.fromkeys(columns))]


def detect_column_types(df: pd.DataFrame) -> dict[str, Any]:
    """Sort the columns into `numeric`, `categorical`, `datetime`, `boolean` and `high_cardinality` lists.

    Each column is in exactly one list; text with more than 50 distinct values counts as high cardinality.
    """
    kinds: dict[str, Any] = {kind: [] for kind in ("numeric", "categorical", "datetime", "boolean", "high_cardinality")}
    for position, name in enumerate(df.columns):
        kinds[_kind(df.iloc[:, position])].append(name)
    return kinds


def validate_file_and_columns(
    file_path: str, required_columns: list[str] | None = None, reading: Reading = NOTHING_SAID
) -> None:
    """Check that a file is there and has the columns, reading no more than its header.

    Raises `FileNotFoundError`, or `ValueError` that names the missing columns, the nearest names and the columns there,
    and where the file is written in another way than `reading` says, in which.
    """
    path = _existing_file(file_path)
    required = required_columns or []
    try:
        available = _column_names(path, reading)
    except ValueError as error:
        if hint := _save_the_sheet(reading) or _written_otherwise(path, required, reading):
            raise ValueError(f"{error} {hint}") from error
        raise
    if not available:
        raise empty_file(path)
    missing = [name for name in required if name not in available]
    if any(name.split(".")[0] in available for name in missing):  # may be a key inside a column of JSON objects
        available = [str(name) for name in load_csv_data_with_types(file_path, reading=reading).columns]
        missing = [name for name in missing if name not in available]
    if missing:
        hint = _written_otherwise(path, required, reading)
        raise ValueError(f"{_missing_columns(path, missing, available)}{hint and f' {hint}'}")


def validate_sums(
    df: pd.DataFrame, columns: list[str], file_path: str | None = None, reading: Reading = NOTHING_SAID
) -> None:
    """Check that columns can be added up: pandas joins texts to one, and wraps around past 64 bits.

    Raises `ValueError` that names the column, and those of numbers: of the file where `df` is some of its columns. The
    bound is that of all rows, whichever of them a sum takes.
    """
    for name in columns:
        column = df[name]
        if _holds_no_numbers(column):
            raise ValueError(
                f"`{name}` holds no numbers, so it cannot be added up. {_numbers_in(df, file_path, reading)}"
            )
        if pd.api.types.is_integer_dtype(column.dtype) and column.astype("float64").abs().sum() > _LARGEST_SUM:
            raise ValueError(
                f"`{name}` cannot be added up exactly: its total may be beyond 9.2e18, the most that a whole number of "
                "64 bits holds. Add up a column of smaller numbers, or make it a column of decimal fractions first."
            )


def validate_numbers(
    df: pd.DataFrame, columns: list[str], file_path: str | None = None, reading: Reading = NOTHING_SAID
) -> None:
    """Check that columns hold numbers, of which a mean or a median is taken; raises `ValueError` with a value.

    It names the columns of numbers: of the file where `df` is some of its columns.
    """
    for name in columns:
        if _holds_no_numbers(df[name]):
            value = df[name].dropna().iloc[0]
            numbers = _numbers_in(df, file_path, reading)
            raise ValueError(f"`{name}` holds no numbers: its first value is `{value}`. {numbers}")


def _holds_no_numbers(column: pd.Series) -> bool:
    return pd.api.types.infer_dtype(column, skipna=True) in _NO_SUM


def _numbers_in(df: pd.DataFrame, file_path: str | None, reading: Reading) -> str:
    whole = df if file_path is None else load_csv_data_with_types(file_path, reading=reading)
    numbers = ", ".join(f"`{each}`" for each in detect_column_types(whole)["numeric"][:_MOST_NAMED]) or "none"
    return f"Columns of numbers: {numbers}."


def validate_texts(df: pd.DataFrame, columns: list[str]) -> None:
    """Check that columns hold texts, which a tool reads as numbers, dates or truth; raises `ValueError` with a value.

    In another file the same column may have been written so that it is read as numbers or dates already.
    """
    for name in columns:
        values = df[name].dropna()
        if len(values) and not pd.api.types.is_string_dtype(values.dtype):
            kind = "dates" if pd.api.types.is_datetime64_any_dtype(values.dtype) else "numbers"
            raise ValueError(
                f"`{name}` holds {kind} such as {values.iloc[0]}, and the tool reads texts there, as in the file that "
                "it was made for. Ask the question of this file too, to get a tool for files like it."
            )


def read_as(file_path: str, reading: Reading = NOTHING_SAID, *, of_cells: bool = False) -> list[str]:
    """Say how a text file is read, and which of its lines are left out; nothing of a file of another kind.

    `of_cells` says that it was written from the cells of a sheet: how it separates them means nothing to anybody.
    """
    path = _existing_file(file_path)
    if _reader(path) is not _read_delimited:
        return []
    layout = _whole_layout(path, reading)
    parts = [
        "one column" if layout.width == 1 else f"{_DELIMITER_WORDS.get(layout.delimiter, layout.delimiter)}-separated",
        _encoding_in_words(path, layout.encoding),
        _header_in_words(layout),
    ]
    said = [f"Read as: {', '.join(parts[-1:] if of_cells else parts)}."]
    for written, place in ((layout.above, "above the names of the columns"), (layout.below, "below the rows")):
        lines = [line for line in written if line]
        if lines:
            quoted = ", ".join(f"“{line[:_LONGEST_QUOTED]}”" for line in lines[:_MOST_QUOTED])
            more = f" and {len(lines) - _MOST_QUOTED} more" if len(lines) > _MOST_QUOTED else ""
            said.append(f"What stands {place} is left out: {quoted}{more}.")
    blank = layout.below.count("")
    return [*said, f"{blank:,} empty row{'s' if blank > 1 else ''} at the end left out."] if blank else said


def names_given_twice(file_path: str, reading: Reading = NOTHING_SAID) -> dict[str, list[str]]:
    """Return the names that several columns of a text file have, with what they are called once it is loaded."""
    path = _existing_file(file_path)
    if _reader(path) is not _read_delimited:
        return {}
    return repeated_names(layout_of(path, reading.encoding or encoding_of(path, HEAD_BYTES), reading).words)


def _header_in_words(layout: Layout) -> str:
    if layout.header is None:
        return "no header"
    first, last = layout.header
    return f"header on line {first}" if first == last else f"header on lines {first} to {last}"


def _encoding_in_words(path: Path, encoding: str) -> str:
    if encoding != MIXED:
        return _ENCODING_WORDS.get(encoding, encoding)
    lines = lines_of_the_other_encoding(path)
    named = ", ".join(map(str, lines[:_MOST_QUOTED])) + (" and others" if len(lines) > _MOST_QUOTED else "")
    return f"UTF-8, but Windows-1252 on line{'s' if len(lines) > 1 else ''} {named}"


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


def _reader(path: Path) -> Callable[[Path, Sequence[str] | None], pd.DataFrame]:
    match path.suffix.lower():
        case ".parquet" | ".pq" | ".feather" | ".arrow" | ".ipc":
            return _read_arrow
        case ".json" | ".jsonl" | ".ndjson":
            return _read_json
        case _:
            return _read_delimited


def _column_names(path: Path, reading: Reading) -> list[str]:
    reader = _reader(path)
    if reader is _read_delimited:
        return _beginning_of(path, reading).names
    if reader is _read_arrow:
        return _arrow_names(path)
    return [str(name) for name in _read_json(path).columns]


def _beginning_of(path: Path, reading: Reading) -> Layout:
    return layout_of(path, reading.encoding or encoding_of(path, HEAD_BYTES), reading)


def _save_the_sheet(reading: Reading) -> str:
    return f"Save its table `{reading.sheet}` as CSV, and name that file." if reading.sheet else ""


def _written_otherwise(path: Path, required: Sequence[str], reading: Reading) -> str:
    """Say in what a text file with the columns is written in another way than is said; nothing of other files."""
    if reading == NOTHING_SAID or _reader(path) is not _read_delimited:
        return ""
    try:
        found = _beginning_of(path, NOTHING_SAID)
    except ValueError:
        return ""  # it cannot be told how it is written
    differences = [
        *_header_otherwise(found, reading),
        *_sign_otherwise(found, reading),
        *_encoding_otherwise(found, reading),
    ]
    return " ".join(differences) if set(required) <= set(found.names) else ""


def _header_otherwise(found: Layout, reading: Reading) -> Iterator[str]:
    line = found.header[0] if found.header else 0
    if reading.header is not None and line != reading.header:
        has = f"Its column names are on line {line}" if line else "It has no line of column names"
        takes = f"from line {reading.header}" if reading.header else "from no line"
        yield f"{has}, and they were read {takes}: pass `header={line}`."
    elif line and reading.start >= line:
        yield f"Its column names are on line {line}, and {reading.start} lines were left out: pass `skip={line - 1}`."


def _sign_otherwise(found: Layout, reading: Reading) -> Iterator[str]:
    if reading.delimiter is not None and found.delimiter != reading.delimiter:
        now, then = (_DELIMITER_WORDS.get(sign, sign) for sign in (found.delimiter, reading.delimiter))
        yield f"It is {now}-separated, and it was read as {then}-separated: pass `delimiter={found.delimiter!r}`."


def _encoding_otherwise(found: Layout, reading: Reading) -> Iterator[str]:
    if reading.encoding is None or found.encoding == MIXED:
        return
    with contextlib.suppress(LookupError):  # then the error says that there is no such encoding
        name = found.encoding.removesuffix("-sig")  # a mark at the beginning is read in any case
        if codecs.lookup(name).name != codecs.lookup(reading.encoding).name.removesuffix("-sig"):
            now = _ENCODING_WORDS.get(found.encoding, found.encoding)
            yield f"It is {now}, and it was read as {reading.encoding}: pass `encoding={name!r}`."


def _missing_columns(path: Path, missing: list[str], available: list[str]) -> str:
    by_folded = {name.casefold(): name for name in available}
    named = []
    for name in missing:
        near = difflib.get_close_matches(name.casefold(), by_folded, n=1)
        named.append(f"`{name}`" + (f" (did you mean `{by_folded[near[0]]}`?)" if near else ""))
    shown = ", ".join(f"`{name}`" for name in available[:50]) + (", ..." if len(available) > 50 else "")
    return f"`{path.name}` has no column {', '.join(named)}. Available columns: {shown}."


# ── delimited text ───────────────────────────────────────────────────────────


def _whole_layout(path: Path, reading: Reading) -> Layout:
    """Return the layout of a whole text file; one that has not been written to lately is looked at once."""
    state = path.stat()
    if time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) < _LATELY_NANOSECONDS:
        return _found_layout(path, reading)
    return _known_layout(path, reading, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)


@functools.lru_cache(maxsize=64)
def _known_layout(path: Path, reading: Reading, *_: int) -> Layout:
    return _found_layout(path, reading)


def _found_layout(path: Path, reading: Reading) -> Layout:
    encoding = reading.encoding or encoding_of(path)
    layout = layout_of(path, encoding, reading)
    return layout if layout.is_whole else layout.completed(_end(path, encoding), reading.footer)


def _end(path: Path, encoding: str) -> str:
    """Return how a text ends; the first line of it may be cut."""
    if encoding not in _ONE_BYTE_A_SIGN:
        return decoded(path, encoding)[-FOOT_BYTES:]
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - FOOT_BYTES))
        return file.read().decode(encoding, "ignore")


def _needed(names: Sequence[str], wanted: Sequence[str] | None) -> list[str]:
    """Return the columns of a file that the wanted ones are, or are keys of where they hold JSON objects.

    Columns that are called as such keys belong to them: where there are some, the objects stay as they are.
    """
    if wanted is None:
        return [*names]
    keys = [name.split(".") for name in wanted]
    parts = {".".join(each[:end]) for each in keys for end in range(1, len(each) + 1)}
    needed = [name for name in names if name in parts]
    of_objects = tuple(f"{name}." for name in needed)
    return [name for name in names if name in parts or name.startswith(of_objects)]


def _read_delimited(path: Path, wanted: Sequence[str] | None = None, reading: Reading = NOTHING_SAID) -> pd.DataFrame:
    layout = _whole_layout(path, reading)
    if not layout.has_rows:
        return pd.DataFrame({name: pd.Series(dtype="str") for name in layout.names})
    needed = set(_needed(layout.every_name, wanted))
    columns = {
        name: words
        for place, (name, words) in enumerate(
            zip(layout.every_name, _words(path, layout, reading.missing).columns, strict=False)
        )
        if name in needed and (place not in layout.empty or words.null_count < len(words))
    }
    frame = pd.DataFrame(
        {
            place: typed_text(words, () if layout.may_group(words, reading.decimal) else KINDS)
            for place, words in enumerate(columns.values())
        }
    )
    frame.columns = pd.Index(columns)
    if reading.decimal == ",":
        _require_no_points(path, frame, columns)
    return frame


def _require_no_points(path: Path, frame: pd.DataFrame, columns: Mapping[str, pa.ChunkedArray]) -> None:
    """Raise the error of decimals behind a point where a comma was said to stand before them."""
    for name, words in columns.items():
        row = place_of_decimals(words) if pd.api.types.is_float_dtype(frame[name].dtype) else None
        if row is not None:
            raise cannot_read(
                path,
                f"a comma was said to stand before decimals, and row {row + 1:,} of `{name}` is "
                f"`{words[row].as_py()}`. Say that a point stands there, or leave it to the file.",
            )


def _words(path: Path, layout: Layout, missing: Sequence[str]) -> pa.Table:
    """Read every cell as text, nothing converted."""
    nothing = _nothing(missing)
    try:
        table = _as_words(_source(path, layout), layout, nothing)
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        table = _as_words(pa.BufferReader(_evened(path, layout, error)), layout.evened(), nothing)
    names, surplus = len(layout.words), table.columns[len(layout.words) :]
    if any(column.null_count < len(column) for column in surplus):
        raise cannot_read(path, f"its header has {names} names for {table.num_columns} columns.")
    again = None if layout.is_whole or layout.header is None else _row_of_names(table, layout.words)
    if again is not None:
        raise cannot_read(
            path, f"its row {again + 1:,} repeats the names of the columns. Remove that row, or what follows it."
        )
    return without_na(table.select(range(names)))


def _row_of_names(table: pa.Table, names: Sequence[str]) -> int | None:
    """Return the place of the first row whose cells are the names of the columns."""
    rows = pa.array(np.arange(len(table)))
    for column, name in zip(table.columns, names, strict=False):
        rows = rows.filter(pc.equal(column.take(rows), name).combine_chunks())
        if not len(rows):
            return None
    return int(rows[0].as_py())


class TextRows(NamedTuple):
    """The rows of a text file in UTF-8, the sign between their fields, and their cells as they were read."""

    content: bytes
    delimiter: str
    first_line: int
    cells: pa.Table


def rows_as_read(file_path: str) -> TextRows | None:
    """Return the rows of a text file with the cells that `load_csv_data_with_types` reads in them, not converted.

    There are none of a file of another kind, or of one without rows.
    """
    path = _existing_file(file_path)
    layout = _whole_layout(path, NOTHING_SAID) if _reader(path) is _read_delimited else None
    if layout is None or not layout.has_rows:
        return None
    content = _source(path, layout).read()
    try:
        cells = _as_words(pa.BufferReader(content), layout, ())
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        content, layout = _evened(path, layout, error), layout.evened()
        cells = _as_words(pa.BufferReader(content), layout, ())
    return TextRows(content, layout.delimiter, layout.first_line, cells)


class TextInPieces(NamedTuple):
    """The layout of a text file, and how to go through its rows: some at a time, with every cell as it is written."""

    layout: Layout
    pieces: Callable[[int], Iterator[pa.RecordBatch]]


def in_pieces(file_path: str, reading: Reading = NOTHING_SAID) -> TextInPieces | None:
    """Return a text file as pieces of so many bytes, with the cells that `load_csv_data_with_types` converts.

    There are none of a file of another kind, of one without rows, or of one in another encoding than UTF-8. Going
    through the pieces raises `pyarrow.ArrowInvalid` where a row has more or fewer fields than the others.
    """
    path = _existing_file(file_path)
    layout = _whole_layout(path, reading) if _reader(path) is _read_delimited else None
    if layout is None or not layout.has_rows or layout.encoding not in _UTF_8:
        return None

    def pieces(block_bytes: int) -> Iterator[pa.RecordBatch]:
        options = _as_written(layout, _nothing(reading.missing), block_bytes)
        with _source(path, layout) as source, arrow_csv.open_csv(source, **options) as opened:
            yield from opened

    return TextInPieces(layout, pieces)


def _as_words(source: pa.NativeFile, layout: Layout, missing: Sequence[str]) -> pa.Table:
    return arrow_csv.read_csv(source, **_as_written(layout, missing, _LONGEST_ROW_BYTES))


def _as_written(layout: Layout, missing: Sequence[str], block_bytes: int) -> dict[str, Any]:
    """Return how every cell is read as text, so many bytes at a time."""
    if not layout.delimiter.isascii():
        raise pa.ArrowInvalid(f"{layout.delimiter!r} stands between fields")
    return {
        "read_options": arrow_csv.ReadOptions(
            column_names=[f"f{i}" for i in range(layout.width)], block_size=block_bytes
        ),
        "parse_options": arrow_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True),
        "convert_options": arrow_csv.ConvertOptions(
            column_types={f"f{i}": pa.string() for i in range(layout.width)},
            null_values=list(missing),
            strings_can_be_null=True,
        ),
    }


def _nothing(missing: Sequence[str]) -> list[str]:
    """Return the words for a missing value, but for `NA`, which may be a code."""
    return [word for word in _MISSING if word != "NA"] + [*missing]


def _source(path: Path, layout: Layout) -> pa.NativeFile:
    """Return the rows of a text file as UTF-8."""
    if layout.encoding not in _UTF_8:
        content = decoded(path, layout.encoding).encode("utf-8")
        return pa.BufferReader(content[layout.start : len(content) - layout.cut])
    with path.open("rb") as file:
        start = layout.start + len(codecs.BOM_UTF8) * (file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8)
    opened = pa.OSFile(str(path))
    return opened.get_stream(start, opened.size() - start - layout.cut)


def _evened(path: Path, layout: Layout, error: Exception) -> bytes:
    """Return the rows without delimiters at their ends that others lack; raises the error of the first uneven row."""
    width, even = len(layout.words), io.StringIO(newline="")
    writer = csv.writer(even, lineterminator="\n")
    content = decoded(path, layout.encoding).encode("utf-8")
    lines = lines_of(content[layout.start : len(content) - layout.cut].decode("utf-8"))
    reader = csv.reader(iter(lines), delimiter=layout.delimiter)
    is_even = layout.delimiter.isascii()
    try:
        for row in reader:
            if row and (len(row) < width or any(cell.strip() for cell in row[width:])):
                return _raise_uneven(path, layout, row, layout.first_line - 1 + reader.line_num)
            is_even = is_even and len(row) in (0, width)
            writer.writerows([row[:width]] if row else [])
    except csv.Error as reason:
        line = layout.first_line - 1 + reader.line_num
        raise cannot_read(path, f"line {line}: {reason}. Repair that line: a quote in it may have no end.") from error
    if is_even:
        raise cannot_read(path, f"{error}. Save it again as CSV with UTF-8 encoding.") from error
    return even.getvalue().encode("utf-8")


def _raise_uneven(path: Path, layout: Layout, row: list[str], line: int) -> NoReturn:
    raise unclear(
        path,
        f"line {line} has {len(row)} fields, the header has {len(layout.words)} "
        f"(separated by {layout.delimiter!r}). Repair that line, or quote the field that was split.",
    )


# ── typed formats ────────────────────────────────────────────────────────────


def _read_arrow(path: Path, wanted: Sequence[str] | None = None) -> pd.DataFrame:
    try:
        if _is_parquet(path):
            names = None if wanted is None else _needed(parquet.read_schema(path).names, wanted)
            table = parquet.read_table(path, columns=names)
        else:
            table = _ipc_table(path)
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


def _read_json(path: Path, wanted: Sequence[str] | None = None) -> pd.DataFrame:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".json":
            content = json.loads(text)
        else:
            content = [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError as error:
        raise cannot_read(path, f"it is not valid JSON ({error}). Save it as JSON in UTF-8.") from error
    records = _records(path, content)
    return dates_in_text(
        plain_types(records if wanted is None else records[_needed([*map(str, records.columns)], wanted)])
    )


def _records(path: Path, content: Any) -> pd.DataFrame:
    if isinstance(content, dict) and content and all(isinstance(column, list) for column in content.values()):
        if len({len(column) for column in content.values()}) == 1:
            return pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in content.items()})
    elif isinstance(content, list) and all(isinstance(row, dict) for row in content):
        names = list(dict.fromkeys(name for row in content for name in row))
        return pd.DataFrame({n: pd.Series([row.get(n) for row in content], dtype=object) for n in names})
    raise cannot_read(path, "it must hold a list of objects, or one object of lists of the same length.")
