"""Files of one shape as one table: those of a folder, or those that a pattern such as `sales/*.csv` names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.named_files import TABLE_FILES, is_pattern
from jupyter_mcpgen.errors import UnreadableData

if TYPE_CHECKING:
    import pandas as pd

_MOST_FILES, _MOST_BYTES = 10_000, 1 << 30
_MOST_NAMED = 5
_FILE = "file"


def members_of(named: Path) -> tuple[Path, ...]:
    """Return the files of a folder or a pattern, in the order of their names; raises `UnreadableData`.

    Hidden files and links are left out. Below a folder only those are looked at that are called `key=value`.
    """
    found = tuple(sorted(_files(named)))
    if not found:
        raise UnreadableData(named, "it names no files of tables. Check the folder and the ending.")
    if len(found) > _MOST_FILES:
        raise UnreadableData(named, f"it names more than {_MOST_FILES:,} files. Name fewer, such as those of one year.")
    if sum(path.stat().st_size for path in found) > _MOST_BYTES:
        raise UnreadableData(named, f"its files have more than {_MOST_BYTES >> 20:,} MB together. Name fewer of them.")
    endings = sorted({path.suffix.lower() for path in found})
    if len(endings) > 1:
        listed = ", ".join(f"`*{ending}`" for ending in endings[:_MOST_NAMED])
        raise UnreadableData(named, f"its files are of several kinds: {listed}. Name one of them, as `folder/*.csv`.")
    return found


def one_table(named: Path, parts: Sequence[tuple[Path, pd.DataFrame]]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the rows of all files, with the file of each row, and what was done; raises `UnreadableData`.

    Folders on the way that are called `key=value` are columns.
    """
    import pandas as pd  # deferred: 300 ms

    (first, example), *_ = parts
    for path, frame in parts:
        _require_same_columns(named, (first, example), (path, frame))
    top = named.parent if is_pattern(named.name) else named
    keys = {path: dict(_keys(path.relative_to(top))) for path, _ in parts}
    column = _FILE if _FILE not in example.columns else f"{_FILE}_name"
    mixed = [name for name in example.columns if len({_kind(frame[name]) for _, frame in parts} - {""}) > 1]
    frames = [
        frame[list(example.columns)]
        .astype(dict.fromkeys(mixed, "str"))
        .assign(**{**keys[path], column: path.relative_to(top).as_posix()})
        for path, frame in parts
    ]
    table = pd.concat(frames, ignore_index=True)
    for key in dict.fromkeys(key for found in keys.values() for key in found):
        table[key] = _numbers_or_texts(table[key])
    notes = [f"Read from {len(parts):,} files; the column `{column}` says which."]
    if mixed:
        notes.append(f"Of several types in these files and read as text: {', '.join(f'`{each}`' for each in mixed)}.")
    return table, tuple(notes)


def _files(named: Path) -> Iterator[Path]:
    folder, pattern = (named.parent, named.name) if is_pattern(named.name) else (named, "*")
    for path in folder.glob(pattern):
        if path.name.startswith((".", "_")) or path.is_symlink():
            continue
        if path.is_dir() and "=" in path.name and pattern == "*":
            yield from _files(path)
        elif path.is_file() and path.suffix.lower() in TABLE_FILES:
            yield path


def _require_same_columns(named: Path, first: tuple[Path, pd.DataFrame], other: tuple[Path, pd.DataFrame]) -> None:
    names, others = (list(frame.columns) for _, frame in (first, other))
    missing, more = ([f"`{each}`" for each in a if each not in b] for a, b in ((names, others), (others, names)))
    if missing or more:
        told = [f"lacks {', '.join(missing[:_MOST_NAMED])}"] if missing else []
        told += [f"has {', '.join(more[:_MOST_NAMED])} besides"] if more else []
        raise UnreadableData(
            named,
            f"its files are not of one shape: `{other[0].name}` {' and '.join(told)}, held against `{first[0].name}`. "
            "Name only files that have the same columns.",
        )


def _keys(path: Path) -> Iterator[tuple[str, str]]:
    for part in path.parts[:-1]:
        key, equals, value = part.partition("=")
        if equals:
            yield key, value


def _kind(column: pd.Series) -> str:
    """Return what a column holds, as far as others can be put below it; nothing for one without values."""
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype

    if column.isna().all():
        return ""
    if is_bool_dtype(column.dtype):
        return "truth"
    if is_numeric_dtype(column.dtype):
        return "number"
    return "date" if is_datetime64_any_dtype(column.dtype) else "text"


def _numbers_or_texts(column: pd.Series) -> pd.Series:
    """Return the values of a key as whole numbers where all are written so, without zeros before them."""
    is_whole = column.dropna().str.fullmatch(r"0|-?[1-9]\d{0,17}").all()
    return column.astype("int64") if is_whole and column.notna().all() else column
