"""Tables of database servers: copied within bounds, never changed, without a secret, and answered as files are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pandas as pd
import pytest

from jupyter_mcpgen.data.sql_tables import Bounds, copy_of
from jupyter_mcpgen.errors import SeveralTables, UnreadableData
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.verbs.perform import perform
from tests import postgres
from tests.products import new_runtime, ungated

BOUNDS = Bounds(rows=1000, bytes=10_000_000, seconds=5)
MADE = """
CREATE TABLE orders (id int PRIMARY KEY, region text, amount numeric(10, 2), paid boolean, day date, at timestamptz);
INSERT INTO orders VALUES
  (3, 'north', 10.50, true, '2024-01-05', '2024-01-05 10:00+00'),
  (1, 'south', 2.25, false, '2024-02-05', NULL),
  (2, 'north', NULL, NULL, '2024-02-06', '2024-02-06 11:30+00');
CREATE SCHEMA old;
CREATE TABLE old.notes (words text);
CREATE VIEW slow AS SELECT pg_sleep(60)::text AS nothing;
CREATE TABLE "strange "" name" ("a column; drop table orders" int);
CREATE ROLE reader LOGIN;
GRANT ALL ON ALL TABLES IN SCHEMA public TO reader;
GRANT USAGE ON SCHEMA old TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA old TO reader;
"""
needs_postgres = pytest.mark.skipif(postgres.programs() is None, reason="PostgreSQL is not installed")


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    """Return the address of a PostgreSQL database."""
    with postgres.server(MADE) as address:
        yield address


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return an SQLite file with two tables."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE orders (region TEXT, amount REAL)")
        base.executemany("INSERT INTO orders VALUES (?, ?)", [("north", 10.5), ("south", 2.25), ("north", None)])
        base.execute("CREATE TABLE customers (name TEXT)")
        base.commit()
    return path


@needs_postgres
def test_a_table_of_postgresql_is_copied_with_its_types_in_the_order_of_its_key(shop: str) -> None:
    copied = copy_of(f"{shop}#orders", BOUNDS)

    expected = pd.DataFrame(
        {
            "id": [1, 2, 3],
            "region": pd.Series(["south", "north", "north"], dtype="str"),
            "amount": [2.25, None, 10.5],
            "paid": pd.Series([False, None, True], dtype="boolean"),
            "day": pd.to_datetime(["2024-02-05", "2024-02-06", "2024-01-05"]).astype("datetime64[us]"),
            "at": pd.to_datetime([None, "2024-02-06 11:30", "2024-01-05 10:00"]).astype("datetime64[us]"),
        }
    )
    pd.testing.assert_frame_equal(copied.frame, expected)
    assert copied.notes == (f"A copy of the 3 rows that the table `orders` of {shop} had when you asked.",)


@needs_postgres
def test_tables_of_another_schema_and_strange_names_are_found(shop: str) -> None:
    assert list(copy_of(f"{shop}#old.notes", BOUNDS).frame.columns) == ["words"]
    assert list(copy_of(f'{shop}#strange " name', BOUNDS).frame.columns) == ["a column; drop table orders"]
    with pytest.raises(SeveralTables, match="`orders`"):
        copy_of(f"{shop}#order", BOUNDS)
    with pytest.raises(SeveralTables, match="`slow`"):
        copy_of(shop, BOUNDS)


@needs_postgres
def test_a_table_that_takes_too_long_is_refused_in_the_words_of_the_database(shop: str) -> None:
    with pytest.raises(UnreadableData, match="statement timeout"):
        copy_of(f"{shop}#slow", Bounds(rows=1000, bytes=10_000_000, seconds=0.5))


@needs_postgres
def test_nothing_can_be_written_in_the_transaction(shop: str) -> None:
    import sqlalchemy

    from jupyter_mcpgen.data.sql_tables import connected

    with connected(shop, BOUNDS) as connection, pytest.raises(sqlalchemy.exc.InternalError, match="read-only"):
        connection.execute(sqlalchemy.text("DELETE FROM orders"))


@needs_postgres
def test_a_question_about_a_table_of_postgresql_becomes_a_tool(shop: str, tmp_path: Path) -> None:
    runtime = new_runtime(tmp_path)

    said = perform(["ask", "total", "amount", "by", "region", "in", f"{shop}#orders"], runtime, {})

    assert said.answer is not None, said.text
    card = said.answer.stage().card
    assert card is not None, said.answer
    assert card.table.rows == (("north", 10.5), ("south", 2.25))
    assert card.sound, card.evidence
    assert f"A copy of the 3 rows that the table `orders` of {shop} had when you asked." in card.assumptions
    follow = perform(["ask", "only", "for", "north"], runtime, {})
    assert follow.answer is not None, follow.text
    assert follow.answer.reading is not None
    assert "where region is north" in follow.answer.reading


def test_an_sqlite_file_is_read_through_its_address_and_cannot_be_changed(file: Path, tmp_path: Path) -> None:
    runtime = ungated(tmp_path)

    computed = runtime.compute("total amount by region", runtime.reference(f"sqlite:///{file}#orders"))

    assert isinstance(computed, flow.Computed)
    assert runtime.draft_card(computed).table.rows == (("north", 10.5), ("south", 2.25))
    import sqlalchemy

    from jupyter_mcpgen.data.sql_tables import connected

    with connected(f"sqlite:///{file}", BOUNDS) as connection, pytest.raises(sqlalchemy.exc.OperationalError):
        connection.execute(sqlalchemy.text("DELETE FROM orders"))


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(UnreadableData, match="unable to open database file"):
        copy_of(f"sqlite:///{tmp_path / 'none.db'}#orders", BOUNDS)

    assert not (tmp_path / "none.db").exists()


def test_a_changed_table_is_copied_again_and_an_equal_one_is_kept_once(file: Path, tmp_path: Path) -> None:
    runtime = ungated(tmp_path)
    first = runtime.reference(f"sqlite:///{file}#orders")
    again = runtime.reference(f"sqlite:///{file}#orders")
    with closing(sqlite3.connect(file)) as base:
        base.execute("INSERT INTO orders VALUES ('east', 1)")
        base.commit()

    changed = runtime.reference(f"sqlite:///{file}#orders")

    assert first.path == again.path != changed.path
    assert (first.name, first.typed) == ("orders", f"sqlite:///{file}#orders")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://ada:secret@host/shop#orders", "a password in an address would be kept"),
        ("postgresql://ada@host/shop?password=secret#orders", "a password in an address would be kept"),
        ("postgresql://ada:a@secret@host/shop#orders", "a password in an address would be kept"),
        ("postgresql://ada:a@secret#1@host/shop#orders", "a password in an address would be kept"),
        ("postgresql://ada:secret#1@host/shop#orders", "this is not a database address"),
        ("postgresql://ada:a/secret@host:port/shop#orders", "this is not a database address"),
        ("sqlite://#orders", "it names no file"),
    ],
)
def test_an_address_with_a_secret_is_refused_without_saying_it(address: str, why: str) -> None:
    with pytest.raises(UnreadableData, match=why) as refused:
        copy_of(address, BOUNDS)

    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "option"),
    [
        ("mysql+pymysql://ada@host/shop?init_command=DROP TABLE orders#orders", "init_command"),
        ("mysql+pymysql://ada@host/shop?charset=utf8&local_infile=1#orders", "local_infile"),
        ("postgresql://ada@host/shop?options=-c default_transaction_read_only=off#orders", "options"),
        ("postgresql://ada@host/shop?plugin=other#orders", "plugin"),
    ],
)
def test_an_address_tells_a_driver_nothing_but_how_to_reach_the_server(address: str, option: str) -> None:
    with pytest.raises(UnreadableData, match=f"`{option}` may not be set in an address"):
        copy_of(address, BOUNDS)


def test_the_name_of_an_sqlite_file_is_no_way_to_write_to_it(tmp_path: Path) -> None:
    path = tmp_path / "100% ä?mode=rwc&x=.db"
    address = f"sqlite:///{quote(str(path))}"

    with pytest.raises(UnreadableData, match="unable to open database file"):
        copy_of(address, BOUNDS)
    assert list(tmp_path.iterdir()) == []
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE orders (region TEXT)")
        base.commit()
    assert list(copy_of(address, BOUNDS).frame.columns) == ["region"]


def test_a_view_of_sqlite_that_never_ends_is_interrupted(file: Path) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS numbers FROM n"
    with closing(sqlite3.connect(file)) as base:
        base.execute(f"CREATE VIEW endless AS {endless}")
        base.commit()

    with pytest.raises(UnreadableData, match="the database said: interrupted"):
        copy_of(f"sqlite:///{file}#endless", Bounds(rows=1000, bytes=10_000_000, seconds=0.2))


def test_more_rows_than_the_bounds_allow_are_refused(file: Path) -> None:
    with pytest.raises(UnreadableData, match="more than 2 rows"):
        copy_of(f"sqlite:///{file}#orders", Bounds(rows=2, bytes=10_000_000, seconds=5))


def test_a_server_that_is_not_there_is_said_in_one_sentence() -> None:
    with pytest.raises(UnreadableData, match=r"the database said: connection (failed|is bad)"):
        copy_of("postgresql://reader@127.0.0.1:1/shop#orders", BOUNDS)
