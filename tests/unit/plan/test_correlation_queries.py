"""The reference of many correlations reads the rows once per column, not once per pair."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from tests.plans import plan_of
from tests.statistic_plans import statistic

MANY = 20
COLUMNS = {f"c{number}": "real" for number in range(MANY)}


@pytest.mark.parametrize("kind", ["correlations", "correlation_matrix"])
@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_the_rows_are_read_at_most_once_for_each_column(kind: str, method: str) -> None:
    query = emit_duckdb(plan_of(COLUMNS, statistic(kind, columns=list(COLUMNS), method=method)))

    assert 0 < query.count("FROM step_0 WHERE") <= MANY


def test_one_column_is_correlated_with_many_in_one_reading() -> None:
    others = list(COLUMNS)[1:]

    query = emit_duckdb(plan_of(COLUMNS, statistic("correlations", columns=others, against="c0")))

    assert query.count("FROM step_0 WHERE") == 1
