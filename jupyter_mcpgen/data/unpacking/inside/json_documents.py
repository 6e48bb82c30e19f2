"""JSON documents that are no list of objects: the records in them, wherever they lie."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .outcome import CannotUnpack, Choice, Table, choose, counted

_DEEPEST = 8
_BYTE_ORDER_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
Records = list[dict[str, Any]]


def records_of(path: Path, wanted: str | None, into: Path) -> Table:
    """Write the records of a document as a list of objects; one that the reader of tables takes stays as it is.

    Raises `SeveralTables` where they lie under several keys, `CannotUnpack` where there are none.
    """
    text = _decoded(path.read_bytes())
    try:
        document = json.loads(text, object_pairs_hook=_each_key_once)
    except RecursionError as error:
        raise CannotUnpack("it is JSON that is nested too deeply to be a table.") from error
    except ValueError as error:
        lines = _as_lines(text)
        if lines is None:
            raise CannotUnpack(f"it is not valid JSON ({error}). Repair it, or save it again.") from error
        return _written(lines, "Read as one JSON object in each line.", None, into)
    whole = _of_whole(document)
    if whole is not None and wanted is None:
        records, note = whole
        return _written(records, note, None, into)
    found = dict(_candidates(document, "", 0))
    if not found:
        raise CannotUnpack("it holds no list of objects. Save it as a list of objects, one for each row.")
    choices = [Choice(key, counted(len(records), "record")) for key, records in found.items()]
    key = choose("lists of records", choices, wanted).name
    of = f", one of {len(found)} lists of records" if len(found) > 1 else ""
    return _written(found[key], f"Read from the records under `{key}`{of}.", key if len(found) > 1 else None, into)


def _decoded(content: bytes) -> str:
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if content.startswith(mark)), "utf-8-sig")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise CannotUnpack(f"it is JSON that is not in UTF-8 ({error}). Save it as UTF-8.") from error


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise CannotUnpack(f"an object in it has the key `{twice}` twice. Rename one of them.")
    return found


def _as_lines(text: str) -> Records | None:
    """Return the objects of JSON lines that are called JSON."""
    try:
        rows = [json.loads(line, object_pairs_hook=_each_key_once) for line in text.split("\n") if line.strip()]
    except ValueError:
        return None
    return rows if _is_records(rows) else None


def _of_whole(document: Any) -> tuple[Records, str] | None:
    """Return the records that a whole document is, in one of the shapes that programs write tables in."""
    if _is_records(document):
        return document, ""
    if isinstance(document, list):
        return _of_rows(document)
    if not isinstance(document, dict) or not document:
        return None
    names, rows = document.get("columns"), document.get("data")
    if isinstance(names, list) and isinstance(rows, list) and _are_rows(rows, len(names)):
        return [dict(zip(map(str, names), row, strict=True)) for row in rows], "Read from `columns` and `data`."
    parts = list(document.values())
    if all(isinstance(part, list) for part in parts) and len(set(map(len, parts))) == 1 and parts[0]:
        if any(isinstance(value, dict) for part in parts for value in part):
            return None  # records under a key
        return [dict(zip(document, row, strict=True)) for row in zip(*parts, strict=True)], ""
    return _of_objects(document) if all(isinstance(part, dict) and part for part in parts) else None


def _of_rows(rows: list[Any]) -> tuple[Records, str] | None:
    """Return the records of a list of lists: the first gives the names where it holds texts only, each once."""
    if len(rows) < 2 or not isinstance(rows[0], list) or not _are_rows(rows, len(rows[0])):
        return None
    first = rows[0]
    is_header = all(isinstance(name, str) and name for name in first) and len(set(first)) == len(first)
    names = first if is_header else [f"column_{place}" for place in range(1, len(first) + 1)]
    note = "" if is_header else "The rows have no names for their columns, so these are `column_1` and so on."
    return [dict(zip(names, row, strict=True)) for row in rows[is_header:]], note


def _of_objects(document: dict[str, dict[str, Any]]) -> tuple[Records, str] | None:
    """Return the records of an object of objects: columns of numbered rows, or rows by a key."""
    rows = list(document.values())
    numbers = [str(number) for number in range(len(rows[0]))]
    if all(list(row) == numbers for row in rows) and len(document) > 1:
        return [{name: column[at] for name, column in document.items()} for at in numbers], ""
    shared = set(rows[0]).intersection(*rows)
    if len(rows) < 2 or not shared or any(isinstance(row[name], list) for row in rows for name in shared):
        return None
    name = "key" if not any("key" in row for row in rows) else "row_key"
    return [{name: key, **row} for key, row in document.items()], f"The keys of the objects are the column `{name}`."


def _candidates(value: Any, path: str, depth: int) -> Iterator[tuple[str, Records]]:
    """Yield every list of objects under the keys of a document, with its path."""
    if _is_records(value) and path:
        yield path, value
    elif isinstance(value, dict) and depth < _DEEPEST:
        for key, part in value.items():
            yield from _candidates(part, f"{path}.{key}" if path else key, depth + 1)


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _are_rows(rows: list[Any], width: int) -> bool:
    return bool(rows) and width > 0 and all(isinstance(row, list) and len(row) == width for row in rows)


def _written(records: Records, note: str, sheet: str | None, into: Path) -> Table:
    into.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    return Table(str(into), ".json", (note,) if note else (), sheet)
