"""Tables of database servers: one is copied through SQLAlchemy, in a read-only transaction and within bounds.

Nothing is sent but a SELECT that is composed here of names that the database itself gave. It runs in the person's own
process, with the rights and the network that they have. Passwords are left to the driver: no address holds one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jupyter_mcpgen.errors import SeveralTables, UnreadableData
from jupyter_mcpgen.toolkit.columns import plain_types

if TYPE_CHECKING:
    import pandas as pd
    from sqlalchemy import URL, Connection, CursorResult

_PIECE_ROWS = 50_000
_CONNECT_SECONDS = 10
_STEPS = 100_000
"""So many steps of SQLite take a few milliseconds."""
_BACKENDS = ("postgresql", "mysql", "mariadb", "sqlite")
_SECRETS = ("pass", "pwd", "secret", "token")
_OPTIONS = frozenset(
    (
        *("host", "port", "application_name", "target_session_attrs", "channel_binding", "gssencmode", "krbsrvname"),
        *("sslmode", "sslrootcert", "sslcert", "sslkey", "ssl_ca", "ssl_cert", "ssl_key", "ssl_check_hostname"),
        *("unix_socket", "charset", "read_default_file", "read_default_group"),
    )
)
"""What an address may tell a driver: where the server is and how to reach it, and no statement that it runs there."""
_INSTALL = "Install what reads databases: `pip install 'jupyter-mcpgen[sql]'`."


@dataclass(frozen=True)
class Copied:
    """A copy of a table: what it is called, its address without the table, its rows, and what was done."""

    table: str
    address: str
    frame: pd.DataFrame
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Bounds:
    """How many rows and bytes a copy may have, and how long the database may work for it."""

    rows: int
    bytes: int
    seconds: float


def copy_of(named: str, bounds: Bounds) -> Copied:
    """Copy the table that is named, as `postgresql://user@host/db#orders`, or the only one there is.

    Raises `SeveralTables` where one has to be named, or `UnreadableData` that says why there is no copy.
    """
    address, _, wanted = named.partition("#")
    with connected(address, bounds) as connection:
        return _copied(connection, address, wanted or None, bounds)


@contextmanager
def connected(address: str, bounds: Bounds) -> Iterator[Connection]:
    """Connect to a database in a transaction that changes nothing; raises `UnreadableData` for what it refuses."""
    try:
        import sqlalchemy  # deferred: an extra, and 100 ms
    except ModuleNotFoundError as error:
        raise UnreadableData(_without_password(address), f"SQLAlchemy is missing. {_INSTALL}") from error
    url = _url(address)
    try:
        engine = sqlalchemy.create_engine(
            _read_only(url), connect_args=_arguments(url, bounds.seconds), poolclass=sqlalchemy.NullPool
        )
        connection = engine.connect()
        for statement in _before(connection, bounds.seconds):
            connection.execute(sqlalchemy.text(statement))
        if connection.dialect.name == "sqlite":
            _end_after(connection, bounds.seconds)
    except (ModuleNotFoundError, sqlalchemy.exc.NoSuchModuleError) as error:
        raise UnreadableData(address, f"its driver is missing ({error}). Install it, or name another one.") from error
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise UnreadableData(address, f"the database said: {_last_words(error)}") from error
    with connection:
        yield connection


def _url(address: str) -> URL:
    """Return an address as its parts; raises `UnreadableData` for one with a password, or that cannot be read-only."""
    import sqlalchemy

    try:
        url = sqlalchemy.make_url(address)
    except (sqlalchemy.exc.ArgumentError, ValueError) as error:  # the second one of a port that is no number
        raise UnreadableData(
            _without_password(address),
            "this is not a database address. Write `postgresql://USER@HOST/DATABASE#TABLE`, without a password.",
        ) from error
    if url.password is not None or any(sign in key.lower() for key in url.query for sign in _SECRETS):
        raise UnreadableData(
            _without_password(address),
            "a password in an address would be kept with the question. Leave it out, and give it where the driver "
            "looks for it: `PGPASSWORD` or `~/.pgpass` for PostgreSQL, `?read_default_file=~/.my.cnf` for MySQL.",
        )
    if url.get_backend_name() not in _BACKENDS:
        raise UnreadableData(address, f"only of {', '.join(_BACKENDS)} can it be made sure that nothing is changed.")
    options = sorted(set(url.query) - _OPTIONS)
    if options and url.get_backend_name() != "sqlite":  # of an SQLite file, none is handed on
        raise UnreadableData(
            address.partition("?")[0],
            f"`{options[0]}` may not be set in an address, because a driver may be told to change data by it. Leave "
            f"it out. An address may set: {', '.join(sorted(_OPTIONS))}.",
        )
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "postgresql" and not url.drivername.startswith("postgresql+psycopg"):
        raise UnreadableData(address, "of PostgreSQL's drivers, `psycopg` and `psycopg2` can be made read-only here.")
    return url


def _read_only(url: URL) -> URL:
    """Return the address of an SQLite file that is opened for reading alone; of a server its own."""
    if url.get_backend_name() != "sqlite":
        return url
    if not url.database or url.database == ":memory:":
        raise UnreadableData(url.render_as_string(), "it names no file. Write `sqlite:///PATH`.")
    path = quote(url.database, safe="/:")
    return url.set(database=f"file:{path}", query={"mode": "ro", "uri": "true"})


def _arguments(url: URL, seconds: float) -> Mapping[str, Any]:
    """Return what a driver is told when it connects."""
    match url.get_backend_name():
        case "postgresql":
            options = f"-c default_transaction_read_only=on -c statement_timeout={round(seconds * 1000)}"
            return {"connect_timeout": _CONNECT_SECONDS, "options": options, "client_encoding": "utf8"}
        case "mysql" | "mariadb":
            return {"connect_timeout": _CONNECT_SECONDS}
        case _:
            return {"timeout": _CONNECT_SECONDS}


def _before(connection: Connection, seconds: float) -> Iterator[str]:
    """Yield the statements that make a transaction of MySQL read-only and bounded; the others are so already."""
    dialect = connection.dialect
    if dialect.name not in ("mysql", "mariadb"):
        return
    if getattr(dialect, "is_mariadb", False):  # whatever its address calls it
        yield f"SET SESSION max_statement_time = {max(1, round(seconds))}"
    else:
        yield f"SET SESSION max_execution_time = {round(seconds * 1000)}"
    yield "START TRANSACTION READ ONLY"


def _end_after(connection: Connection, seconds: float) -> None:
    """Interrupt what SQLite does after some time: it has no server that would."""
    driver = connection.connection.driver_connection
    if driver is not None:
        end = time.monotonic() + seconds
        driver.set_progress_handler(lambda: int(time.monotonic() > end), _STEPS)


def _copied(connection: Connection, address: str, wanted: str | None, bounds: Bounds) -> Copied:
    import sqlalchemy

    try:
        return _copied_table(connection, address, wanted, bounds)
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise UnreadableData(address, f"the database said: {_last_words(error)}") from error


def _copied_table(connection: Connection, address: str, wanted: str | None, bounds: Bounds) -> Copied:
    import sqlalchemy

    schema, name = _chosen(connection, address, wanted)
    inspector = sqlalchemy.inspect(connection)
    columns = [column["name"] for column in inspector.get_columns(name, schema)]
    keys = inspector.get_pk_constraint(name, schema).get("constrained_columns", [])
    listed = sqlalchemy.table(name, *map(sqlalchemy.column, columns), schema=schema)
    query = sqlalchemy.select(listed).order_by(*(listed.c[key] for key in keys)).limit(bounds.rows + 1)
    frame = _rows(connection.execution_options(stream_results=True).execute(query), columns, address, bounds)
    called = name if schema is None else f"{schema}.{name}"
    note = f"A copy of the {len(frame):,} rows that the table `{called}` of {address} had when you asked."
    return Copied(table=called, address=address, frame=frame, notes=(note,))


def _chosen(connection: Connection, address: str, wanted: str | None) -> tuple[str | None, str]:
    """Return the schema and the name of a table as the database has them, of the default schema where none is said."""
    import sqlalchemy

    inspector = sqlalchemy.inspect(connection)
    own = [*inspector.get_table_names(), *inspector.get_view_names()]
    if wanted is None and len(own) == 1:
        return None, own[0]
    if wanted in own:
        return None, str(wanted)
    schema, _, name = (wanted or "").partition(".")
    if name and schema in inspector.get_schema_names():
        of_schema = [*inspector.get_table_names(schema), *inspector.get_view_names(schema)]
        if name in of_schema:
            return schema, name
    if not own:
        raise UnreadableData(address, "it has no tables that you may read.")
    raise SeveralTables(address, "tables", [(each, "") for each in own], wanted)


def _rows(result: CursorResult[Any], columns: list[str], address: str, bounds: Bounds) -> pd.DataFrame:
    """Return all rows in plain types; raises `UnreadableData` where there are more than the bounds allow."""
    import pandas as pd  # deferred: 300 ms

    pieces: list[pd.DataFrame] = []
    rows = size = 0
    for piece in result.partitions(_PIECE_ROWS):
        frame = pd.DataFrame([tuple(row) for row in piece], columns=pd.Index(columns), dtype=object)
        rows, size = rows + len(frame), size + int(frame.memory_usage(deep=True).sum())
        if rows > bounds.rows or size > bounds.bytes:
            raise UnreadableData(
                address,
                f"the table has more than {min(rows - 1, bounds.rows):,} rows, or more than "
                f"{bounds.bytes // 1_000_000:,} MB. Make a view of the rows or columns that you need, and name that.",
            )
        pieces.append(frame)
    whole = pd.concat(pieces, ignore_index=True) if pieces else pd.DataFrame(columns=pd.Index(columns), dtype=object)
    return plain_types(whole)


def _without_password(address: str) -> str:
    """Return how an address begins, up to where a password may stand: signs in one may cut it anywhere."""
    return re.sub(r"(://[^:\s]*).*", r"\1", address).partition("?")[0]


def _last_words(error: Exception) -> str:
    """Return the first line of what the database said itself."""
    own = getattr(error, "orig", None) or error
    lines = [line.strip() for line in str(own).splitlines() if line.strip()]
    return lines[0] if lines else type(own).__name__
