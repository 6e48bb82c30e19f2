"""Reading tables from files, and telling what is in them before any work is done."""

from __future__ import annotations

import csv
import difflib
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

from jupyter_mcpgen.toolkit.columns import (
    KINDS,
    dates_in_text,
    expand_json,
    plain_types,
    repeated_names,
    typed_text,
)
from jupyter_mcpgen.toolkit.layouts import HEAD_BYTES, Layout, cannot_read, empty_file, encoding_of, layout_of

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
