"""Tables by reference: a file as it is, or a snapshot of a notebook variable that a sandbox may read."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet

from jupyter_mcpgen.data.fingerprint import fingerprint_frame
from jupyter_mcpgen.data.lazy_frames import USUAL, Most
from jupyter_mcpgen.data.parquet_tables import ParquetTable, Rows
from jupyter_mcpgen.data.second_reading import where_readers_differ
from jupyter_mcpgen.data.taking import as_pandas
from jupyter_mcpgen.data.unpacking.inside.outcome import CELLS
from jupyter_mcpgen.data.whole_numbers import whole_numbers_with_gaps
from jupyter_mcpgen.errors import EmptyData, UnknownData, UnreadableData
from jupyter_mcpgen.model.request import DataKind, DataRef
from jupyter_mcpgen.toolkit.columns import dates_in_text, plain_types, repeated_names, unique_names
from jupyter_mcpgen.toolkit.encodings import UnclearTextError
from jupyter_mcpgen.toolkit.layouts import NOTHING_SAID, Reading
from jupyter_mcpgen.toolkit.tables import (
    load_csv_data_with_types,
    names_given_twice,
    read_as,
    validate_file_and_columns,
)

_NOTES = b"mcpgen.notes"
_CHANGED = b"mcpgen.changed"
_REPEATED = b"mcpgen.repeated"
_ORDERS = b"mcpgen.orders"
_MOST_NAMED = 8
_MOST_IN_ORDER = 200
"""Categories of more values than this are names in some order, not steps of a scale."""
_DECIMALS = "decimals are computed as floats, which hold about 15 digits"
_READ_ONLY = 0o444
_HOW_READ = ("Read as: ", "Read from the ")
_SAY_IT = "Or say how it is written, for example with `--header 3`, `--delimiter tab` or `--encoding cp1250`."


def file_ref(path: str | Path, reading: Reading = NOTHING_SAID) -> DataRef:
    """Refer to a table file, after reading no more than its header.

    Raises `UnknownData`, `UnreadableData` or `EmptyData`.
    """
    found = Path(path).expanduser()
    if not found.exists():
        beside = sorted(str(found.with_name(p.name)) for p in found.parent.glob(f"*{found.suffix}") if p.is_file())
        raise UnknownData(str(path), beside)
    try:
        validate_file_and_columns(str(found), reading=reading)
    except pd.errors.EmptyDataError as error:
        raise EmptyData(path) from error
    except (ValueError, OSError) as error:
        raise UnreadableData(found, reason_of(found, error)) from error
    return DataRef(kind=DataKind.FILE, name=found.name, path=str(found.resolve()))


def frame_ref(
    name: str, frame: Any, folder: Path, most: Most = USUAL, go_on: Callable[[], None] = lambda: None
) -> DataRef:
    """Refer to a notebook variable by a read-only Parquet snapshot, named by its content and written once.

    Takes pandas, polars (eager or lazy), Dask, pyarrow and anything else that exports an Arrow stream; the variable
    itself is not changed. Of a lazy table no more than `most` is computed, and `go_on` raises when nobody waits for it
    any more. Texts that are all year-first dates become dates, and numbers that are decimal only for their gaps become
    whole, as they do when a text file is read. What the snapshot had to change (index, column names, such dates) is
    kept in it, see `snapshot_notes`.
    """
    table, notes, repeated = _columns_only(as_pandas(name, frame, most, go_on))
    if table.shape[1] == 0:
        raise EmptyData(name)
    plain = plain_types(table)
    dated = dates_in_text(plain)
    about = {
        _NOTES: json.dumps(notes).encode(),
        _CHANGED: json.dumps({**_lost_types(table), **_dates_made(plain, dated)}).encode(),
        _REPEATED: json.dumps(repeated).encode(),
        _ORDERS: json.dumps(_orders(table)).encode(),
    }
    table = whole_numbers_with_gaps(dated)
    content = f"{fingerprint_frame(table)} {about}"
    path = folder / f"{hashlib.sha256(content.encode()).hexdigest()[:32]}.parquet"
    if not _is_snapshot(path, len(table)):
        _write_once(pa.Table.from_pandas(table, preserve_index=False), about, path)
    return DataRef(kind=DataKind.FRAME, name=name, path=str(path.resolve()))


def snapshot_notes(ref: DataRef, used: Collection[str] | None = None) -> tuple[str, ...]:
    """Say what was changed when a variable was written as a snapshot, or how a text file is read.

    Of single columns only those that are `used` are spoken of, or all where none are given.
    """
    unpacked = ref.packed.notes if ref.packed is not None else ()
    if ref.kind is DataKind.FILE and (told := read_as(ref.path, of_cells=ref.path.endswith(CELLS))):
        return (*unpacked, *told)
    kept = _metadata(ref)
    changed: Mapping[str, list[str]] = json.loads(kept.get(_CHANGED, b"{}"))
    of_columns = {how: [name for name in names if used is None or name in used] for how, names in changed.items()}
    said = (f"{_named(names)}: {how}." for how, names in of_columns.items() if names)
    return (*unpacked, *json.loads(kept.get(_NOTES, b"[]")), *said)


def how_read(ref: DataRef) -> str | None:
    """Return the sentence that says how a file was read, or which of its tables; nothing of what has no such thing."""
    return next((note for note in snapshot_notes(ref) if note.startswith(_HOW_READ)), None)


def repeated_columns(ref: DataRef) -> Mapping[str, tuple[str, ...]]:
    """Return each name that several columns were given, with what these columns are called in the loaded table."""
    given: Mapping[str, list[str]] = json.loads(_metadata(ref).get(_REPEATED, b"{}"))
    if ref.kind is DataKind.FILE and not given:
        given = names_given_twice(ref.path)
    return {name: tuple(columns) for name, columns in given.items()}


def about_repeated(names: Mapping[str, Sequence[str]]) -> dict[bytes, bytes]:
    """Return what is written into a snapshot so that `repeated_columns` finds it there."""
    return {_REPEATED: json.dumps({name: list(columns) for name, columns in names.items()}).encode()}


def orders_of(ref: DataRef) -> Mapping[str, tuple[str, ...]]:
    """Return the columns of ordered categories that a variable had, each with its values from the lowest."""
    given: Mapping[str, list[str]] = json.loads(_metadata(ref).get(_ORDERS, b"{}"))
    return {name: tuple(words) for name, words in given.items()}


def _orders(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return the ordered categories of texts; other values have an order already."""
    types = {str(name): table.dtypes.iloc[place] for place, name in enumerate(table.columns)}
    return {
        name: list(dtype.categories)
        for name, dtype in types.items()
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered and _is_scale(dtype)
    }


def _is_scale(dtype: pd.CategoricalDtype) -> bool:
    return len(dtype.categories) <= _MOST_IN_ORDER and all(isinstance(word, str) for word in dtype.categories)


def _metadata(ref: DataRef) -> Mapping[bytes, bytes]:
    if Path(ref.path).suffix != ".parquet":
        return {}
    return parquet.read_schema(ref.path).metadata or {}


def read_frame(ref: DataRef) -> pd.DataFrame:
    """Read a table exactly as a generated tool reads it.

    Raises `UnknownData` when it is gone, `EmptyData` or `UnreadableData` when it cannot be used.
    """
    try:
        frame = load_csv_data_with_types(ref.path)
        difference = where_readers_differ(ref.path) if ref.kind is DataKind.FILE else None
    except FileNotFoundError as error:
        raise UnknownData(ref.name) from error
    except pd.errors.EmptyDataError as error:
        raise EmptyData(ref.name) from error
    except (ValueError, OSError) as error:
        raise UnreadableData(ref.origin, reason_of(Path(ref.path), error)) from error
    if difference is not None:
        raise UnreadableData(
            ref.origin, f"{difference}. Quote the cells in it that hold quotes or delimiters, and double their quotes."
        )
    return frame


def read_or_open(ref: DataRef) -> Rows:
    """Return the same as `read_frame` of a table, or the table in its file where it is large and means the same there.

    Raises as `read_frame` does.
    """
    try:
        found = ParquetTable.of(ref.path) if Path(ref.path).suffix == ".parquet" else None
    except (pa.ArrowInvalid, OSError):
        found = None  # reading it says what is wrong
    return read_frame(ref) if found is None else found


def reason_of(path: Path, error: Exception) -> str:
    """Return why a file cannot be read as a table, without its name, and what a person may say of it."""
    reason = str(error).removeprefix(f"`{path.name}` cannot be read as a table: ")
    return f"{reason} {_SAY_IT}" if isinstance(error, UnclearTextError) else reason


def _columns_only(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...], dict[str, list[str]]]:
    """Return the frame with its named index as columns and unique text names, what that changed, and repeated names."""
    notes: list[str] = []
    names_of_rows = list(frame.index.names)
    if frame.index.nlevels == 1 and frame.index.name is None and _says_something(frame.index):
        names_of_rows = ["index"]
        notes.append("The index has no name and is the column `index`.")
    levels = [level for level, name in enumerate(names_of_rows) if name is not None]
    if len(levels) < frame.index.nlevels and not isinstance(frame.index, pd.RangeIndex):
        notes.append("The index has no name and was left out; name it to keep it as a column.")
    index = [frame.index.get_level_values(level).to_series(index=pd.RangeIndex(len(frame))) for level in levels]
    before = [*(names_of_rows[level] for level in levels), *frame.columns]
    words = [_column_name(name) for name in before]
    names = unique_names(words)
    flat = frame.reset_index(drop=True)
    flat = pd.concat([*index, flat], axis=1) if index else flat
    flat.columns = pd.Index(names)
    renamed = [f"`{old!r}` is `{new}`" for old, new in zip(before, names, strict=True) if str(old) != new]
    if renamed:
        notes.append(f"Columns were renamed: {', '.join(renamed)}.")
    return flat, tuple(notes), repeated_names(words)


def _says_something(index: pd.Index) -> bool:
    """Tell whether an index without a name names its rows: dates and texts do, numbers are places."""
    return not pd.api.types.is_numeric_dtype(index.dtype)


def _lost_types(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return what columns lose of their types, because generated code works on plain ones, and which columns do."""
    lost: dict[str, list[str]] = {}
    for position, name in enumerate(table.columns):
        lost.setdefault(_lost_type(table.iloc[:, position]), []).append(str(name))
    return {how: names for how, names in lost.items() if how}


def _dates_made(plain: pd.DataFrame, dated: pd.DataFrame) -> dict[str, list[str]]:
    """Return which columns of texts became dates, as what columns lose is returned."""
    became = [str(name) for at, name in enumerate(plain) if plain.dtypes.iloc[at] != dated.dtypes.iloc[at]]
    return {"every text is a year-first date, so they are read as dates": became}


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(f"`{name}`" for name in names[:_MOST_NAMED]) + more


def _lost_type(column: pd.Series) -> str:
    """Return what plain types leave out of a column's own type, or nothing."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        left_out = dtype.ordered and not _is_scale(dtype)
        return "an order of categories is left out, the values sort by themselves" if left_out else ""
    if isinstance(dtype, pd.DatetimeTZDtype):
        return f"times are read as the clock shows them in {dtype.tz}, without the time zone"
    if pd.api.types.is_timedelta64_dtype(dtype):
        return "durations are counted in seconds"
    if isinstance(dtype, pd.ArrowDtype):
        arrow = dtype.pyarrow_dtype
        if pa.types.is_duration(arrow):
            return "durations are counted in seconds"
        if pa.types.is_timestamp(arrow) and arrow.tz is not None:
            return f"times are read as the clock shows them in {arrow.tz}, without the time zone"
        return _DECIMALS if pa.types.is_decimal(arrow) else ""
    is_decimal = pd.api.types.is_object_dtype(dtype) and pd.api.types.infer_dtype(column, skipna=True) == "decimal"
    return _DECIMALS if is_decimal else ""


def _column_name(name: Any) -> str:
    return "_".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _is_snapshot(path: Path, rows: int) -> bool:
    """Whether a whole snapshot lies there; one that was cut short is written again."""
    try:
        return int(parquet.read_metadata(path).num_rows) == rows
    except (FileNotFoundError, pa.ArrowInvalid):
        return False


def _write_once(table: pa.Table, about: Mapping[bytes, bytes], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), **about})
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    os.close(handle)
    try:
        parquet.write_table(table, temporary)
        Path(temporary).chmod(_READ_ONLY)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
