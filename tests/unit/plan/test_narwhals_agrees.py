"""The law of the third computation: narwhals gives the table of DuckDB for every plan that it does not refuse."""

from __future__ import annotations

import ast

import duckdb
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_mcpgen.errors import NotExact
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.narwhals import emit_narwhals
from jupyter_mcpgen.plan.emit.narwhals_engines import Below
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair
from tests.engines import ROW, run_body, run_duckdb, run_narwhals
from tests.laws import law
from tests.plans import derive, distinct, group, limit, part, plan_of, schema_of, select, sort, table_of, totals, where
from tests.strategies.plans import tables_with_plans
from tests.strategies.tables import NAMES
from tests.strategies.two_tables import two_tables_with_plans

HEALTH = list(HealthCheck)
pytestmark = pytest.mark.filterwarnings("ignore:Dask support is moving:FutureWarning")  # to a package not yet published
SHARES = {Below.PANDAS: 0.45, Below.POLARS: 0.45, Below.DUCKDB: 0.2, Below.DASK: 0.08}
"""The least part of random plans, most of them with hostile names, that each engine must take."""


@pytest.mark.parametrize("below", list(Below))
@law(15)
@given(case=tables_with_plans(), order=st.sampled_from([ROW, ROW, None]))
def test_narwhals_and_duckdb_give_the_same_table(
    below: Below, case: tuple[pd.DataFrame, Plan], order: str | None
) -> None:
    frame, plan = case
    before = frame.copy(deep=True)
    try:
        result = run_narwhals(plan, frame, below, order)
    except NotExact:
        return

    difference = first_difference(result, run_duckdb(plan, frame))

    assert difference is None, f"{plan.model_dump_json(exclude={'source_schema'})}\n{emit_narwhals(plan, below, order)}"
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("below", [Below.POLARS, Below.DASK])
@law(12)
@given(case=two_tables_with_plans())
def test_narwhals_and_duckdb_give_the_same_table_of_two(
    below: Below, case: tuple[pd.DataFrame, pd.DataFrame, Plan]
) -> None:
    frame, other, plan = case
    try:
        result = run_narwhals(plan, frame, below, ROW, other)
    except NotExact:
        return

    difference = first_difference(result, run_duckdb(plan, frame, other))

    assert difference is None, f"{plan.second}\n{emit_narwhals(plan, below, ROW)}"


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    """Draw plans as the laws draw them, once for all engines."""
    drawn: list[Plan] = []

    @settings(max_examples=200, derandomize=True, database=None, suppress_health_check=HEALTH)
    @given(tables_with_plans())
    def keep(case: tuple[pd.DataFrame, Plan]) -> None:
        drawn.append(case[1])

    keep()
    return drawn


def takes(below: Below, plan: Plan) -> bool:
    try:
        emit_narwhals(plan, below, ROW)
    except NotExact:
        return False
    return True


@pytest.mark.parametrize("below", list(Below))
def test_an_engine_takes_its_share_of_the_plans(below: Below, plans: list[Plan]) -> None:
    taken = [takes(below, plan) for plan in plans]

    assert sum(taken) / len(taken) >= SHARES[below]


@law(30)
@given(tables_with_plans(), st.sampled_from(list(Below)))
def test_the_emitted_code_holds_no_name_or_literal_outside_a_string(
    case: tuple[pd.DataFrame, Plan], below: Below
) -> None:
    _, plan = case
    try:
        body = emit_narwhals(plan, below, ROW)
    except NotExact:
        return

    tree = ast.parse(f"def analyze(df):\n    {body.replace(chr(10), chr(10) + '    ')}")

    assert {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} <= {
        "df",
        "nw",
        "ncs",
        "table",
        "datetime",
    }
    assert not any(
        isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr | ast.Lambda) for node in ast.walk(tree)
    )


@pytest.mark.parametrize("below", list(Below))
@pytest.mark.parametrize("name", [*NAMES, "*", "^.*$", "^kind$", "a,b", "count(*)", "a::int", "?", "$1", '"a"', "--"])
def test_a_name_is_data_or_refused(below: Below, name: str) -> None:
    frame = pd.DataFrame({name: [3, 1, 2, 2], "other": [1.0, 2.0, 3.0, 4.0]})
    steps = where(name, "!=", 1), group(name, "sum other"), sort(f"{name} desc")
    plan = plan_of({name: "integer", "other": "real"}, *steps)
    try:
        result = run_narwhals(plan, frame, below, ROW)
    except NotExact as refusal:
        assert repr(name) in str(refusal)  # noqa: PT017  a refusal is one of two right answers
        return

    assert first_difference(result, run_duckdb(plan, frame)) is None


TABLE = """
    city text | amount real | number integer | day date
    rome      | 1.5         | 3              | 2024-01-05
    oslo      | —           | 1              | 2024-02-05
    rome      | 2.0         | —              | —
    —         | 4.0         | 7              | 2024-01-07
"""


@pytest.mark.parametrize(
    ("steps", "refused"),
    [
        ([], "a table of rows whose order is open"),
        ([where("amount", ">", 1.5), select("city")], "a table of rows whose order is open"),
        ([sort("city"), limit(2)], "the first rows of rows whose order is open"),
        ([totals("first city")], "the first value of rows whose order is open"),
        ([sort("city"), distinct("city"), sort("city")], None),
        ([group("city", "sum amount"), sort("sum_amount desc"), limit(1)], None),
        ([derive("month", part("month", "day")), group("month", "count")], None),
    ],
)
def test_without_a_column_that_numbers_the_rows_only_what_needs_no_order_is_written(
    steps: list[object], refused: str | None
) -> None:
    frame, schema = table_of(TABLE)
    plan = plan_of(schema, *steps)
    if refused is not None:
        with pytest.raises(NotExact, match=refused):
            emit_narwhals(plan, Below.POLARS)
        return

    assert first_difference(run_narwhals(plan, frame, Below.POLARS), run_duckdb(plan, frame)) is None


@pytest.mark.parametrize(
    ("step", "refused"),
    [
        (group("city", "median amount"), "quantiles are approximated"),
        (group("city", "std amount"), "loses digits"),
        (group("city", "count_distinct number"), "once per partition"),
        (limit(2), "one machine"),
        (derive("month", part("start_of_month", "day")), "not cut to months"),
    ],
)
def test_what_dask_does_not_do_exactly_is_refused(step: object, refused: str) -> None:
    _, schema = table_of(TABLE)

    with pytest.raises(NotExact, match=refused):
        emit_narwhals(plan_of(schema, step), Below.DASK, ROW)
    emit_narwhals(plan_of(schema, step), Below.POLARS, ROW)


@pytest.mark.parametrize("below", [Below.POLARS, Below.DASK])
@pytest.mark.parametrize("how", [how for how in JoinKind if how is not JoinKind.OUTER])
def test_a_second_table_comes_to_the_first(below: Below, how: JoinKind) -> None:
    frame, schema = table_of(TABLE)
    other, other_schema = table_of("""
        name text | people integer
        rome      | 3
        —         | 9
        rome      | 4
    """)
    keys = (KeyPair(first=Col(name="city"), second=Col(name="name")),)
    join = Join(other="cities", first_schema=schema, other_schema=other_schema, keys=keys, how=how)
    plan = plan_of(join.first_schema, group("city", "sum amount", "count")).over(join)

    result = run_narwhals(plan, frame, below, None, other)

    assert first_difference(result, run_duckdb(plan, frame, other)) is None


@pytest.mark.parametrize("below", list(Below))
def test_rows_of_the_second_table_alone_are_refused(below: Below) -> None:
    schema = schema_of({"city": "text"})
    keys = (KeyPair(first=Col(name="city"), second=Col(name="city")),)
    join = Join(other="cities", first_schema=schema, other_schema=schema, keys=keys, how=JoinKind.OUTER)

    with pytest.raises(NotExact, match="cities"):
        emit_narwhals(plan_of(schema, totals("count")).over(join), below, ROW)


@pytest.mark.parametrize(("relation", "which"), [("one_to_many", "first"), ("many_to_one", "second")])
def test_a_key_that_must_be_unique_and_is_not_is_an_error(relation: str, which: str) -> None:
    frame, schema = table_of("""
        city text
        rome
        rome
    """)
    keys = (KeyPair(first=Col(name="city"), second=Col(name="city")),)
    join = Join(other="cities", first_schema=schema, other_schema=schema, keys=keys, relation=relation)

    with pytest.raises(ValueError, match=f"A key of the {which} table"):
        run_narwhals(plan_of(schema, totals("count")).over(join), frame, Below.POLARS, None, frame)


@pytest.mark.parametrize("below", [Below.PANDAS, Below.POLARS, Below.DASK])  # DuckDB keeps no zone beside a moment
def test_a_moment_counts_by_the_clock_of_its_zone(below: Below) -> None:
    days = pd.to_datetime(["2024-01-01 23:30", "2024-01-02 00:30"]).tz_localize("America/New_York").as_unit("us")
    plan = plan_of(schema_of({"day": "date"}), derive("hour", part("hour", "day")), group("hour", "count"))

    result = run_narwhals(plan, pd.DataFrame({"day": days}), below)

    assert result["hour"].tolist() == [0, 23]


def test_whole_numbers_of_few_bits_are_added_up_in_sixty_four() -> None:
    frame = pl.LazyFrame({"kind": ["a", "a"], "number": [2**31 - 1, 2**31 - 1]}, schema_overrides={"number": pl.Int32})
    plan = plan_of({"kind": "text", "number": "integer"}, group("kind", "sum number"))

    assert run_body(emit_narwhals(plan, Below.POLARS), frame)["sum_number"].tolist() == [2**32 - 2]


def test_categories_are_ordered_by_their_letters() -> None:
    sizes = pl.Series("size", ["small", "large", "small"], dtype=pl.Enum(["small", "large"]))
    plan = plan_of({"size": "text"}, group("size", "count"))

    result = run_body(emit_narwhals(plan, Below.POLARS), pl.LazyFrame([sizes]))

    assert result["size"].tolist() == ["large", "small"]


def test_a_number_that_is_none_is_a_missing_value() -> None:
    frame = duckdb.sql("SELECT unnest([1.0::DOUBLE, 'nan'::DOUBLE, NULL]) AS amount")
    plan = plan_of({"amount": "real"}, totals("count amount", "max amount", "mean amount"))

    result = run_body(emit_narwhals(plan, Below.DUCKDB), frame)

    assert result.to_dict("records") == [{"count_amount": 1, "max_amount": 1.0, "mean_amount": 1.0}]
