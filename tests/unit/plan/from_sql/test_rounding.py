"""How many digits are shown is presentation: ROUND around a column of the result is taken off, and nowhere else."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.plan.from_sql import Flaw, Unread, check_select, read_select, without_rounding, written
from tests.selects import TABLES, desks


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        (
            "SELECT city, ROUND(AVG(fee), 2) AS mean_fee FROM parcels GROUP BY city ORDER BY mean_fee DESC, city",
            'SELECT city, AVG(fee) AS "mean_fee" FROM parcels GROUP BY city ORDER BY mean_fee DESC, city',
        ),
        (
            "SELECT city, ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS pct FROM parcels GROUP BY city",
            'SELECT city, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS "pct" FROM parcels GROUP BY city',
        ),
    ],
)
def test_a_rounded_column_of_the_result_is_read_with_all_its_digits(sql: str, plain: str) -> None:
    statement = check_select(sql, TABLES)
    assert not isinstance(statement, Flaw)

    found = written(without_rounding(statement))

    assert found == plain
    reading = read_select(found, TABLES)
    assert not isinstance(reading, Unread)
    assert [desk.difference(desk.run(found), reading) for desk in desks()] == [None] * len(desks())
    for desk in desks():
        rows, rounded = desk.run(found), desk.run(sql)
        assert len(rows) == len(rounded)
        assert rows.iloc[:, -1].sub(rounded.iloc[:, -1]).abs().max() <= 0.06 or rows.iloc[:, -1].isna().all()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT city, COUNT(*) AS n FROM parcels WHERE ROUND(fee) = 3 GROUP BY city",
        "SELECT ROUND(fee) AS fee_class, COUNT(*) AS n FROM parcels GROUP BY fee_class",
        "SELECT ROUND(fee) AS fee_class, COUNT(*) AS n FROM parcels GROUP BY 1",
        "SELECT ROUND(fee) AS fee_class, COUNT(*) AS n FROM parcels GROUP BY ALL",
        "SELECT DISTINCT ROUND(fee) AS fee_class FROM parcels",
        "SELECT city, ROUND(AVG(fee), 1) AS m FROM parcels GROUP BY city HAVING m > 3",
        "SELECT city, ROUND(AVG(fee), 1) AS m, m * 2 AS twice FROM parcels GROUP BY city",
        "SELECT m FROM (SELECT ROUND(AVG(fee), 1) AS m FROM parcels)",
        "SELECT ROUND(fee) + 1 AS more FROM parcels",
        "SELECT city, ROUND(AVG(fee)) AS m FROM parcels GROUP BY city ORDER BY m DESC, city LIMIT 2",
        "SELECT city, ROUND(AVG(fee)) AS m FROM parcels GROUP BY city ORDER BY 2, 1 LIMIT 2",
        "SELECT ROUND(AVG(fee)) AS m, city FROM parcels GROUP BY city ORDER BY ALL LIMIT 2",
        "SELECT parcel_id, ROUND(fee) AS m FROM parcels ORDER BY m % 3",
    ],
)
def test_rounding_that_something_depends_on_stays(sql: str) -> None:
    statement = check_select(sql, TABLES)
    assert not isinstance(statement, Flaw)

    assert written(without_rounding(statement)) == written(statement)
    assert isinstance(read_select(sql, TABLES), Unread)
