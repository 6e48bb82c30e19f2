"""Whether two computations gave the same table, and in words where they did not."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest

from jupyter_mcpgen.pipeline.agreement import disagreement, first_difference
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, Limit, Measure, Select, Sort, SortKey, Step, TopPerGroup
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Field, Schema
from tests.engines import reference, run_pandas


def table(*values: object, dtype: str | None = None) -> pd.DataFrame:
    return pd.DataFrame({"x": pd.Series(values, dtype=dtype)})


DAY = dt.datetime(2024, 1, 1)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (table(1, 2), table(1, 2)),
        (table(1, 2), table(1.0, 2.0)),
        (table(1, None, dtype="Int64"), table(1.0, float("nan"))),
        (table(0.1 + 0.2), table(0.3)),
        (table(float("inf"), float("-inf")), table(float("inf"), float("-inf"))),
        (table("a", None, dtype="str"), table("a", None, dtype=object)),
        (table(True, None, dtype="boolean"), table(True, None, dtype=object)),
        (table(True, False), table(True, False, dtype="boolean")),
        (table(DAY, dtype="datetime64[us]"), table(DAY, dtype="datetime64[ns]")),
        (table(DAY, None, dtype="datetime64[us]"), table(DAY, pd.NaT, dtype="datetime64[us]")),
        (table(None, None, dtype="str"), table(float("nan"), float("nan"))),
        (table(dtype="str"), table(dtype="float64")),
        (pd.DataFrame({"x": [1, 2]}, index=[7, 8]), table(1, 2)),
    ],
)
def test_equal_values_in_other_types_agree(left: pd.DataFrame, right: pd.DataFrame) -> None:
    assert first_difference(left, right) is None
    assert first_difference(right, left) is None


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        (table(1, 2), pd.DataFrame({"y": [1, 2]}), "columns ['x'] against ['y']"),
        (table(1), pd.DataFrame({"x": [1], "y": [1]}), "columns ['x'] against ['x', 'y']"),
        (table(1, 2, 3), table(1, 2), "3 rows against 2"),
        (table(1, 2), table(1, 3), "row 2 of `x`: "),
        (table(1, 2), table(2, 1), "row 1 of `x`"),
        (table(1.0), table(1.0 + 1e-7), "row 1 of `x`"),
        (table(2**53, 0), table(2**53 + 1, 0), "row 1 of `x`"),
        (table(1.0, float("nan")), table(1.0, 0.0), "row 2 of `x`"),
        (table("", dtype="str"), table(None, dtype="str"), "row 1 of `x`"),
        (table("a", dtype="str"), table("A", dtype="str"), "row 1 of `x`"),
        (table("1", dtype="str"), table(1), "row 1 of `x`"),
        (table(True), table(1), "row 1 of `x`"),
        (table("True", dtype="str"), table(True), "row 1 of `x`"),
        (table(DAY, dtype="datetime64[us]"), table("2024-01-01", dtype="str"), "row 1 of `x`"),
        (
            table(DAY, dtype="datetime64[us]"),
            table(DAY + dt.timedelta(seconds=1), dtype="datetime64[us]"),
            "row 1 of `x`",
        ),
        (table(float("inf")), table(1e308), "row 1 of `x`"),
    ],
)
def test_the_first_difference_is_named(left: pd.DataFrame, right: pd.DataFrame, words: str) -> None:
    assert words in (first_difference(left, right) or "")
    assert first_difference(right, left) is not None


SUM = "sum_amount"
SALES = pd.DataFrame(
    {
        "city": ["oslo"] * 3 + ["rome"] * 3 + ["bonn"] * 2,
        "stall": ["a", "b", "b", "c", "d", "d", "e", "f"],
        "amount": [0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 5.0, 7.0],
    }
)
"""The stalls `a` and `b` sold as much, and so did `c` and `d`; as floats the totals differ in the last digit."""
LARGEST_FIRST = SortKey(column=SUM, descending=True)


def plan_of(*after: Step, by: tuple[str, ...] = ("stall",)) -> Plan:
    types = {"city": "text", "stall": "text", "amount": "real"}
    schema = Schema(fields=tuple(Field(name=name, type=type_) for name, type_ in types.items()))
    total = Aggregate(by=Columns(names=by), measures=(Measure(function="sum", column=Col(name="amount")),))
    return Plan(source="sales", source_schema=schema, steps=(total, *after))


def exchanged(plan: Plan, one: str, other: str) -> pd.DataFrame:
    """Return the plan's result with two stalls at each other's place."""
    result = run_pandas(plan, SALES)
    return result.replace({"stall": {one: other, other: one}})


@pytest.mark.parametrize(
    ("plan", "result"),
    [
        (plan_of(Sort(keys=(LARGEST_FIRST,))), ("a", "b")),
        (plan_of(Sort(keys=(LARGEST_FIRST,)), Limit(count=3)), ("a", "b")),
        (plan_of(Sort(keys=(LARGEST_FIRST,)), Limit(count=3), Select(columns=Columns(names=("stall",)))), ("b", "d")),
        (plan_of(Sort(keys=(LARGEST_FIRST, SortKey(column="stall")))), ("c", "d")),
        (
            plan_of(TopPerGroup(by=Columns(names=("city",)), keys=(LARGEST_FIRST,), count=1), by=("city", "stall")),
            ("a", "b"),
        ),
    ],
)
def test_rows_of_a_near_tie_may_change_places_also_at_a_cut(plan: Plan, result: tuple[str, str]) -> None:
    swapped = exchanged(plan, *result)

    assert first_difference(swapped, run_pandas(plan, SALES)) is not None
    assert disagreement(swapped, plan, reference(SALES)) is None


@pytest.mark.parametrize(
    ("plan", "swapped"),
    [
        (plan_of(Sort(keys=(LARGEST_FIRST,))), ("e", "f")),
        (plan_of(Sort(keys=(LARGEST_FIRST,)), Limit(count=3)), ("a", "e")),
        (plan_of(Sort(keys=(LARGEST_FIRST,)), Limit(count=3), Select(columns=Columns(names=("stall",)))), ("a", "f")),
        (plan_of(Sort(keys=(SortKey(column="stall"),))), ("a", "b")),
        (plan_of(), ("a", "b")),
        (
            plan_of(TopPerGroup(by=Columns(names=("city",)), keys=(LARGEST_FIRST,), count=1), by=("city", "stall")),
            ("e", "f"),
        ),
    ],
)
def test_rows_that_are_not_tied_may_not_change_places(plan: Plan, swapped: tuple[str, str]) -> None:
    wrong = exchanged(plan, *swapped)

    assert disagreement(wrong, plan, reference(SALES)) is not None


def test_a_row_twice_is_no_substitute_for_its_equal() -> None:
    plan = plan_of(Sort(keys=(LARGEST_FIRST,)))
    result = run_pandas(plan, SALES)

    twice = result.assign(stall=result["stall"].replace({"b": "a"}))

    assert disagreement(twice, plan, reference(SALES)) is not None
