"""SQLite and DuckDB files: one table of them as Parquet, read and never written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from .kinds import Kind
from .outcome import CannotUnpack, Choice, Table, choose

_PIECE_ROWS = 50_000
_LONGEST_TEXT = 1 << 28
_ALLOWED = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)


def database_table(path: Path, kind: Kind, wanted: str | None, into: Path) -> Table:
    """Write the table that is wanted, or the only one, as Parquet; raises `SeveralTables` or `CannotUnpack`."""
    if kind is Kind.SQLITE:
        try:
            return _from_sqlite(path, wanted, into)
        except sqlite3.Error as error:
            raise CannotUnpack(
                f"it is an SQLite file that cannot be read ({error}). Fetch or copy it again."
            ) from error
    import duckdb  # deferred: only this format needs it

    try:
        return _from_duckdb(path, wanted, into)
    except duckdb.Error as error:
        raise CannotUnpack(
            f"it is a DuckDB file that cannot be read ({str(error).splitlines()[0]}). Export the table as Parquet."
        ) from error


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _note(name: str, tables: int) -> str:
    return f"Read from the table `{name}`{f', one of {tables}' if tables > 1 else ''}."


# ── SQLite ───────────────────────────────────────────────────────────────────


def _from_sqlite(path: Path, wanted: str | None, into: Path) -> Table:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as base:
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_TEXT)
        base.text_factory = lambda text: text.decode("utf-8", "replace")
        base.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY)
        named = base.execute(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
            "ESCAPE '\\' ORDER BY rowid"
        ).fetchall()
        if not named:
            raise CannotUnpack("it is an SQLite file without tables. Check that you named the right file.")
        own = [each for each in named if each[1] == "table"] if wanted is None else []
        choices = [Choice(name, "a view" if kind == "view" else "") for name, kind in (own or named)]
        name = choose("tables", choices, wanted).name
        notes = [_note(name, len(own or named)), *_write_sqlite(base, name, into)]
    return Table(str(into), ".parquet", tuple(notes), name)


def _write_sqlite(base: sqlite3.Connection, name: str, into: Path) -> list[str]:
    """Write a table whose values each have a type of their own; returns which columns had several."""
    import pyarrow as pa  # deferred: only this format needs it
    import pyarrow.parquet as parquet

    described = base.execute(f"SELECT * FROM {_quoted(name)} LIMIT 0").description  # noqa: S608  # the name is quoted
    columns = [column[0] for column in described]
    types = [_types_in(base, name, column) for column in columns]
    schema = pa.schema([pa.field(column, _arrow_type(found)) for column, found in zip(columns, types, strict=True)])
    with parquet.ParquetWriter(into, schema) as writer:
        for rows in _pieces(base.execute(f"SELECT * FROM {_quoted(name)}")):  # noqa: S608  # as above
            arrays = [
                pa.array([_value(row[at], field.type) for row in rows], field.type) for at, field in enumerate(schema)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
    mixed = [column for column, found in zip(columns, types, strict=True) if _is_mixed(found)]
    return [f"Of several types and read as text: {', '.join(f'`{each}`' for each in mixed)}."] if mixed else []


def _types_in(base: sqlite3.Connection, name: str, column: str) -> frozenset[str]:
    found = base.execute(f"SELECT DISTINCT typeof({_quoted(column)}) FROM {_quoted(name)}")  # noqa: S608  # as above
    return frozenset(kind for (kind,) in found) - {"null"}


def _is_mixed(types: frozenset[str]) -> bool:
    return len(types) > 1 and types != {"integer", "real"}


def _arrow_type(types: frozenset[str]) -> Any:
    import pyarrow as pa  # deferred, as above

    if types == {"integer"}:
        return pa.int64()
    return pa.float64() if types and types <= {"integer", "real"} else pa.string()


def _value(value: Any, kind: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if str(kind) == "string" else value


def _pieces(cursor: sqlite3.Cursor) -> Iterator[list[tuple[Any, ...]]]:
    while rows := cursor.fetchmany(_PIECE_ROWS):
        yield rows


# ── DuckDB ───────────────────────────────────────────────────────────────────


def _from_duckdb(path: Path, wanted: str | None, into: Path) -> Table:
    import duckdb  # deferred, as above

    locked: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false", "autoload_known_extensions": "false",
        "allow_community_extensions": "false", "threads": "2", "memory_limit": "1GB",
    }  # fmt: skip
    with duckdb.connect(str(path), read_only=True, config=locked) as base:
        base.execute(f"SET temp_directory = '{Path().absolute()}'")
        base.execute(f"SET allowed_directories = ['{Path().absolute()}']")
        base.execute("SET enable_external_access = false")
        base.execute("SET lock_configuration = true")
        named = base.execute(
            "SELECT table_schema, table_name, table_type FROM information_schema.tables "
            "WHERE table_catalog = current_database() ORDER BY ALL"
        ).fetchall()
        if not named:
            raise CannotUnpack("it is a DuckDB file without tables. Check that you named the right file.")
        places = {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name, _ in named}
        name = choose("tables", [Choice(each) for each in places], wanted).name
        place = ".".join(map(_quoted, places[name]))
        base.execute(f"COPY (SELECT * FROM {place}) TO '{into.absolute()}' (FORMAT parquet)")  # noqa: S608  # quoted
    return Table(str(into), ".parquet", (_note(name, len(places)),), name)
