"""A SELECT may make rows itself, such as a calendar; however many it makes, the sandbox's limits hold and are named."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from jupyter_mcpgen.authors.selects import granted
from jupyter_mcpgen.pipeline.material import load
from jupyter_mcpgen.pipeline.written_reference import Rows, SqlReference
from jupyter_mcpgen.plan.from_sql import Flaw, check_select, written
from jupyter_mcpgen.runtime import Runtime

TIDES = pd.DataFrame({"hour": [1, 2, 3], "height": [0.5, 1.25, 0.75]})
MEMORY_MB = 768


def rows_of(runtime: Runtime, sql: str) -> Rows:
    services = replace(runtime.services, limits=replace(runtime.services.limits, memory_mb=MEMORY_MB))
    material = load(runtime.reference("tides", TIDES), services)
    statement = check_select(sql, granted([material.profile]))
    assert not isinstance(statement, Flaw)
    return SqlReference(written(statement), True, services).rows_on(material)


def test_a_calendar_beside_the_table_is_computed(runtime: Runtime) -> None:
    sql = "SELECT h, height FROM generate_series(1, 4) AS g(h) LEFT JOIN tides ON hour = h ORDER BY h"

    table = rows_of(runtime, sql).table

    assert table is not None
    assert table["h"].tolist() == [1, 2, 3, 4]


@pytest.mark.every_run("a calendar over all time")
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a.range AS x, b.range AS y FROM range(100000) AS a, range(100000) AS b ORDER BY y, x",
        """SELECT d FROM range((SELECT min(DATE '0001-01-01') FROM tides), (SELECT max(DATE '280000-01-01') FROM tides),
        INTERVAL 1 HOUR) AS g(d) ORDER BY d""",
        "SELECT count(DISTINCT a.range * 100000 + b.range) AS n FROM range(100000) AS a, range(100000) AS b",
    ],
    ids=["a product of two series", "a calendar over all time", "more values than fit"],
)
def test_too_many_rows_of_a_series_end_at_a_limit_of_the_sandbox(runtime: Runtime, sql: str) -> None:
    rows = rows_of(runtime, sql)

    assert rows.table is None
    assert "memory" in rows.wrong.lower(), rows.wrong
