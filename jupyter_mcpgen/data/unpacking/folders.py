"""Files or sheets of one shape as one table: those of a folder, or those that a pattern such as `sales/*.csv` names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.named_files import TABLE_FILES, is_pattern
from jupyter_mcpgen.errors import UnreadableData

if TYPE_CHECKING:
    import pandas as pd

_MOST_FILES, _MOST_BYTES = 10_000, 1 << 30
_MOST_NAMED = 5


def members_of(named: Path) -> tuple[Path, ...]:
    """Return the files of a folder or a pattern, in the order of their names; raises `UnreadableData`.

    Hidden files and links are left out. Below a folder only those are looked at that are called `key=value`.
    """
    found = tuple(sorted(_files(named)))
    if not found:
        what = "it is a folder without files of tables" if named.is_dir() else "no file is called so"
        raise UnreadableData(named, f"{what}. Check the folder and the ending.")
    if len(found) > _MOST_FILES:
        raise UnreadableData(named, f"it names more than {_MOST_FILES:,} files. Name fewer, such as those of one year.")
    if sum(path.stat().st_size for path in found) > _MOST_BYTES:
        raise UnreadableData(named, f"its files have more than {_MOST_BYTES >> 20:,} MB together. Name fewer of them.")
    endings = sorted({path.suffix.lower() for path in found})
    if len(endings) > 1:
        listed = ", ".join(f"`*{ending}`" for ending in endings[:_MOST_NAMED])
        raise UnreadableData(named, f"its files are of several kinds: {listed}. Name one of them, as `folder/*.csv`.")
    return found


@dataclass(frozen=True)
class Part:
    """The rows of one file or sheet, what it is called, and the keys in its path."""

    name: str
    frame: pd.DataFrame
    keys: Mapping[str, str] = field(default_factory=dict)


def part_of(named: Path, path: Path, frame: pd.DataFrame) -> Part:
    """Return a file of a folder or a pattern as a part; folders on the way that are called `key=value` are its keys."""
    inside = path.relative_to(named.parent if is_pattern(named.name) else named)
    return Part(inside.as_posix(), frame, dict(_keys(inside)))


def one_table(named: Path, parts: Sequence[Part], what: str) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the rows of all parts, with the part of each row, and what was done; raises `UnreadableData`.

    `what` is what a part is, `file` or `sheet`: the name of the column that says which.
    """
    import pandas as pd  # deferred: 300 ms

    first, *others = parts
    for other in others:
        _require_same_columns(named, first, other)
    names = list(first.frame.columns)
    column = what if what not in names else f"{what}_name"
    mixed = [name for name in names if len({_kind(part.frame[name]) for part in parts} - {""}) > 1]
    frames = [
        part.frame[names].astype(dict.fromkeys(mixed, "str")).assign(**{**part.keys, column: part.name})
        for part in parts
    ]
    table = pd.concat(frames, ignore_index=True)
    for key in dict.fromkeys(key for part in parts for key in part.keys):
        table[key] = _numbers_or_texts(table[key])
    notes = [f"Read from {len(parts):,} {what}s; the column `{column}` says which."]
    if mixed:
        notes.append(f"Of several types in these {what}s and read as text: {', '.join(f'`{each}`' for each in mixed)}.")
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


def _require_same_columns(named: Path, first: Part, other: Part) -> None:
    names, others = list(first.frame.columns), list(other.frame.columns)
    missing, more = ([f"`{each}`" for each in a if each not in b] for a, b in ((names, others), (others, names)))
    if missing or more:
        told = [f"lacks {', '.join(missing[:_MOST_NAMED])}"] if missing else []
        told += [f"has {', '.join(more[:_MOST_NAMED])} besides"] if more else []
        raise UnreadableData(
            named,
            f"not all of it is of one shape: `{other.name}` {' and '.join(told)}, held against `{first.name}`. "
            "Name only what has the same columns.",
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
