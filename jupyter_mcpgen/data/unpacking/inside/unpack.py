"""Unpacks one file into the current folder: a request comes on stdin, and the answer is on stdout, both JSON.

The request names the file, what it is called, and the table that is wanted in it; the answer is a table, the tables to
choose from, or why there is none, and the digest of what was read. What a library prints goes to stderr.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath
from typing import Any

from .archives import extract_member, workbook_in
from .compressed import decompress
from .kinds import COMPRESSED, Kind, kind_of
from .outcome import CannotUnpack, SeveralTables, Table

_MOST_LAYERS = 2
"""How many times a file may be compressed: a member of an archive that is compressed itself, and no more."""
_READ_BY_NAME = (".json", ".jsonl", ".ndjson", ".tsv", ".txt", ".parquet", ".pq", ".feather", ".arrow", ".ipc")
_READ_BY_KIND = {Kind.PARQUET: ".parquet", Kind.ARROW: ".arrow"}
_TABLE = Path("table")


def main() -> None:
    """Answer one request."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    request = json.load(sys.stdin)
    path = Path(request["path"])
    said: dict[str, Any]
    try:
        said = {"table": asdict(unpack(path, request["name"], request["sheet"]))}
    except SeveralTables as several:
        said = {"what": several.what, "choices": list(map(asdict, several.choices)), "missing": several.missing}
    except CannotUnpack as why:
        said = {"refused": str(why)}
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    with answer:
        json.dump({**said, "digest": digest}, answer)


def unpack(path: Path, name: str, sheet: str | None, layers: int = 0) -> Table:
    """Unpack a file that is called so, layer by layer, down to one table; raises `SeveralTables` or `CannotUnpack`."""
    kind = kind_of(path, name)
    is_archive = kind is Kind.ZIP and workbook_in(path) is None
    if kind not in COMPRESSED and not is_archive:
        return _one_table(path, kind, name, sheet, is_unpacked=layers > 0)
    if layers == _MOST_LAYERS:
        raise CannotUnpack("it is compressed more than twice. Unpack it yourself, and name the file in it.")
    inner = Path(f"layer{layers}")
    if not is_archive:
        decompress(path, kind, inner)
        return unpack(inner, name.rpartition(".")[0] or name, sheet, layers + 1)
    member, of_member, note = extract_member(path, sheet, inner)
    try:
        found = unpack(inner, PurePosixPath(member).name, of_member, layers + 1)
    except SeveralTables as several:
        choices = [replace(each, name=f"{member}/{each.name}") for each in several.choices]
        raise SeveralTables(several.what, choices, several.missing) from several
    chosen = member if found.sheet is None else f"{member}/{found.sheet}"
    return replace(found, notes=(note, *found.notes), sheet=chosen)


def _one_table(path: Path, kind: Kind, name: str, sheet: str | None, *, is_unpacked: bool) -> Table:
    """Read a file that is not compressed; what a library of its format needs is loaded only for it."""
    match kind:
        case Kind.ZIP | Kind.COMPOUND:
            from .workbooks import workbook_as_text

            return workbook_as_text(path, sheet, _TABLE)
        case Kind.JSON:
            from .json_documents import records_of

            return records_of(path, sheet, _TABLE)
        case Kind.SQLITE | Kind.DUCKDB:
            from .databases import database_table

            return database_table(path, kind, sheet, _TABLE)
        case Kind.XML:
            from .xml_workbooks import xml_workbook

            return xml_workbook(path, sheet, _TABLE)
        case Kind.WEB_PAGE:
            from .web_pages import web_table

            return web_table(path, sheet, _TABLE)
        case _:
            if sheet is not None:
                raise CannotUnpack(f"it holds one table, so there is no `{sheet}` to choose. Leave the choice out.")
    if kind is Kind.ALIGNED:
        from .aligned_text import aligned_table

        return aligned_table(path, _suffix(kind, name), _TABLE)
    if kind in (Kind.ORC, Kind.FEATHER_1):
        from .columnar import columnar_as_parquet

        columnar_as_parquet(path, kind, _TABLE)
        return Table(str(_TABLE), ".parquet")
    if kind is Kind.TAR:
        raise CannotUnpack("it is a tar archive. Unpack it with `tar xf`, and name the table in it.")
    return _as_it_is(path, kind, name, is_unpacked=is_unpacked)


def _as_it_is(path: Path, kind: Kind, name: str, *, is_unpacked: bool) -> Table:
    """Return a file that the reader of tables takes, under a suffix that tells it how."""
    if is_unpacked:
        return Table(str(path), _suffix(kind, name))
    shutil.copyfile(path, _TABLE)
    return Table(str(_TABLE), _suffix(kind, name))


def _suffix(kind: Kind, name: str) -> str:
    suffix = PurePosixPath(name).suffix.lower()
    return _READ_BY_KIND.get(kind) or (suffix if suffix in _READ_BY_NAME else ".csv")
