"""Only one SELECT over the granted tables is accepted; whatever else a reply may hold has a flaw that says why."""

from __future__ import annotations

import string

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.plan.from_sql import Flaw, FlawKind, Unread, check_select, read_sql, written
from jupyter_mcpgen.plan.plan import Plan
from tests.laws import law
from tests.selects import TABLES, selects

_SQL = [select.sql for select in selects()]
FORBIDDEN = [
    "DROP TABLE parcels",
    "DELETE FROM parcels",
    "INSERT INTO parcels SELECT * FROM archive",
    "UPDATE parcels SET fee = 0",
    "CREATE TABLE x AS SELECT * FROM parcels",
    "ATTACH 'other.db'",
    "COPY parcels TO 'out.csv'",
    "COPY (SELECT * FROM parcels) TO 'out.csv'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "EXPORT DATABASE 'x'",
    "EXPLAIN ANALYZE SELECT 1",
    "DESCRIBE parcels",
    "SHOW TABLES",
    "SELECT 1; SELECT 2",
    "SELECT * FROM parcels; DROP TABLE parcels",
    "",
    "-- nothing",
    "The table has 40 rows.",
    "SELECT FROM WHERE",
    "SELECT * FROM (SELECT * FROM parcels",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_parquet('x.parquet')",
    "SELECT * FROM glob('*')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM 'file.csv'",
    "SELECT * FROM range(10000000)",
    "SELECT * FROM generate_series(1, fee) FROM parcels",
    "SELECT unnest(range(items)) FROM parcels",
    "SELECT * FROM generate_series(1, 3, 0)",
    "SELECT * FROM range(DATE '1000-01-01', DATE '3000-01-01', INTERVAL 1 DAY)",
    "SELECT * FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2025-01-01', INTERVAL 1 SECOND)",
    "SELECT * FROM range((SELECT 5))",
    "SELECT * FROM generate_series(1, getenv('X'))",
    "SELECT * FROM unnest(glob('*'))",
    "SELECT u.y FROM unnest([1, 2]) AS u(x)",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM other.parcels",
    "SELECT * FROM main.parcels",
    "SELECT getenv('HOME')",
    "SELECT getvariable('x') FROM parcels",
    "SELECT current_setting('threads') FROM parcels",
    "SELECT now() FROM parcels",
    "SELECT current_date FROM parcels",
    "SELECT random() FROM parcels",
    "SELECT uuid() FROM parcels",
    "SELECT nextval('s') FROM parcels",
    "SELECT read_text('/etc/passwd') FROM parcels",
    "SELECT query('SELECT 1') FROM parcels",
    "SELECT city INTO x FROM parcels",
    "SELECT * FROM parcels FOR UPDATE",
    "SELECT * FROM parcels USING SAMPLE 3",
    "SELECT * FROM parcels TABLESAMPLE 3 ROWS",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
    "SELECT COLUMNS('.*') FROM parcels",
    "SELECT list_transform([1], x -> x + 1) FROM parcels",
    "SELECT * FROM parcels, LATERAL (SELECT 1)",
    "FROM parcels SELECT city, error('x')",
    "SELECT * FROM parcels WHERE fee > (SELECT max(size) FROM read_text('/etc/passwd'))",
    "PIVOT parcels ON city USING sum(fee)",
    "SELECT city FROM parcels WHERE fee IN ()",
    "SELECT date_part('year') FROM parcels",
    "SELECT " + "(" * 5_000 + "fee" + ")" * 5_000 + " FROM parcels",
    "SELECT fee " + "+ fee " * 20_000 + "FROM parcels",
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("sql", FORBIDDEN)
def test_what_is_no_plain_select_over_the_tables_has_a_flaw(sql: str) -> None:
    flaw = check_select(sql, TABLES)

    assert isinstance(flaw, Flaw)
    assert flaw.reason.endswith((".", "`."))
    assert read_sql(sql, TABLES) == Unread(flaw.reason)


def test_a_column_that_is_not_there_comes_with_the_nearest_ones() -> None:
    flaw = check_select("SELECT city, SUM(fees) AS total FROM parcels GROUP BY city", TABLES)

    assert flaw == Flaw(
        FlawKind.UNKNOWN_COLUMN, "There is no column `fees`. Did you mean `fee`?", name="fees", nearest=("fee",)
    )


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("SELECT p.regoin FROM parcels p", "p.regoin"),
        ("SELECT d.fee FROM parcels p JOIN depots d USING (depot)", "d.fee"),
        ("WITH c AS (SELECT city FROM parcels) SELECT city, fee FROM c", "fee"),
        ("SELECT n FROM (SELECT COUNT(*) AS m FROM parcels)", "n"),
        ("SELECT city FROM parcels WHERE fee > (SELECT AVG(fe) FROM parcels)", "fe"),
        ("SELECT city FROM parcels ORDER BY town", "town"),
        ("SELECT x.city FROM parcels p", "x.city"),
    ],
)
def test_a_column_is_looked_for_in_the_tables_that_its_place_can_see(sql: str, name: str) -> None:
    flaw = check_select(sql, TABLES)

    assert isinstance(flaw, Flaw)
    assert (flaw.kind, flaw.name) == (FlawKind.UNKNOWN_COLUMN, name)


def test_a_table_that_is_not_there_comes_with_the_nearest_ones() -> None:
    flaw = check_select("SELECT COUNT(*) FROM parcel", TABLES)

    assert flaw == Flaw(
        FlawKind.UNKNOWN_TABLE,
        "There is no table `parcel`. Tables: `parcels`, `depots`, `archive`, `labels`.",
        name="parcel",
        nearest=("parcels", "archive"),
    )


@pytest.mark.parametrize("sql", _SQL)
def test_a_select_of_the_files_is_accepted_unless_it_reads_the_clock(sql: str) -> None:
    assert isinstance(check_select(sql, TABLES), Flaw) is ("CURRENT_DATE" in sql)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sql", _SQL)
def test_what_is_written_again_is_read_as_the_same(sql: str) -> None:
    statement = check_select(sql, TABLES)

    if not isinstance(statement, Flaw):
        assert read_sql(written(statement), TABLES) == read_sql(sql, TABLES)


@law(300)
@given(st.text(st.sampled_from(string.printable + "äλ😀\0"), max_size=60))
def test_any_text_is_accepted_or_has_a_flaw(text: str) -> None:
    assert isinstance(read_sql(text, TABLES), Plan | Unread)


@law(600)
@given(st.sampled_from(_SQL), st.data())
def test_a_damaged_select_is_read_or_not_and_never_fails(sql: str, data: st.DataObject) -> None:
    words = sql.split(" ")
    place = data.draw(st.integers(0, len(words) - 1))
    other = data.draw(st.sampled_from(_SQL)).split(" ")
    damaged = data.draw(
        st.sampled_from(
            [
                words[:place],
                [*words[:place], *words[place + 1 :]],
                [*words[:place], words[place], *words[place:]],
                [*words[:place], *other[place : place + 3], *words[place:]],
            ]
        )
    )

    assert isinstance(read_sql(" ".join(damaged), TABLES), Plan | Unread)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT regr_slope(fee, items) AS slope FROM parcels",
        "SELECT regr_intercept(fee, items) AS start, regr_r2(fee, items) AS fit FROM parcels",
        "SELECT corr(fee, items) AS strength FROM parcels",
    ],
)
def test_a_statistic_that_the_parser_knows_by_a_type_of_its_own_is_allowed(sql: str) -> None:
    assert not isinstance(check_select(sql, TABLES), Flaw)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT range FROM range(10)",
        "SELECT r.i FROM range(2, 10, 2) AS r(i)",
        "SELECT generate_series FROM generate_series(3, 1, -1)",
        "SELECT u.x FROM unnest(['a', 'b']) AS u(x)",
        "SELECT d FROM unnest(range(DATE '2024-01-01', DATE '2024-12-01', INTERVAL 1 DAY)) AS c(d)",
        """WITH months AS (SELECT unnest(generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL 1 MONTH)) AS m)
        SELECT m, count(parcel_id) AS n FROM months LEFT JOIN parcels ON date_trunc('month', sent) = m GROUP BY m""",
        """SELECT g.d FROM generate_series(
        (SELECT min(date_trunc('day', sent)) FROM parcels), (SELECT max(sent) FROM parcels), INTERVAL 1 DAY) AS g(d)""",
    ],
)
def test_a_calendar_that_a_select_makes_itself_is_allowed_and_stays_sql(sql: str) -> None:
    statement = check_select(sql, TABLES)

    assert not isinstance(statement, Flaw)
    assert duckdb.connect().execute("CREATE TABLE parcels(parcel_id INT, sent TIMESTAMP)").execute(written(statement))
    assert isinstance(read_sql(sql, TABLES), Unread)
