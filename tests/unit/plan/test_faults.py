"""Planted faults: each is a valid plan with one thing wrong, and its result is called as what was asked for."""

from __future__ import annotations

import pytest
from hypothesis import given

from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.faults import Fault, Operator, faults_of
from jupyter_mcpgen.plan.ops import Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import generalise
from tests.plans import (
    both,
    column,
    condition,
    date,
    derive,
    distinct,
    either,
    group,
    limit,
    number,
    part,
    plan_of,
    rate,
    rename,
    resample,
    select,
    sort,
    top,
    totals,
    where,
    window,
)
from tests.second_tables import join, plan_over, summary
from tests.statistic_plans import statistic
from tests.strategies.plans import tables_with_plans

TYPES = {"a": "integer", "b": "real", "k": "text", "shop": "text", "d": "date", "ok": "boolean"}
PRICED = {"shop": "text", "fee": "real", "code": "text"}
COLUMNS_MAY_DIFFER = {Operator.GROUP_DROPPED, Operator.MEASURE_DROPPED, Operator.METHOD, Operator.JOIN_KEY}


def planted(*steps: Step) -> dict[Operator, list[tuple[Step, ...]]]:
    found: dict[Operator, list[tuple[Step, ...]]] = {}
    for fault in faults_of(plan_of(TYPES, *steps)):
        found.setdefault(fault.operator, []).append(fault.plan.steps)
    return found


def called(function: str, name: str, label: str) -> Measure:
    return group("k", f"{function} {name}").measures[0].model_copy(update={"label": label})


@pytest.mark.parametrize(
    ("steps", "operator", "faulty"),
    [
        ([group("k", "sum a")], Operator.STATISTIC, [group("k", called("mean", "a", "sum_a"))]),
        ([group("k", "sum a", "max b")], Operator.COLUMN, [group("k", called("sum", "b", "sum_a"), "max b")]),
        ([group("k", "count")], Operator.STATISTIC, [group("k", called("sum", "a", "count"))]),
        ([group("k", "count a")], Operator.MISSING_COUNTED, [group("k", Measure(function="count", label="count_a"))]),
        ([group("k", "sum a")], Operator.GROUP_COLUMN, [group("shop", "sum a"), rename("shop", "k")]),
        ([group(["k", "shop"], "sum a")], Operator.GROUP_DROPPED, [group("k", "sum a")]),
        ([group("k", "sum a", "count")], Operator.MEASURE_DROPPED, [group("k", "sum a")]),
        ([group("k", rate("rate", condition("a", ">", 1)))], Operator.SCALE,
         [group("k", rate("percent", condition("a", ">", 1), "rate"))]),
        ([where("a", ">", 3)], Operator.BOUND, [where("a", ">=", 3)]),
        ([where("a", ">", 3)], Operator.NEGATED, [where("a", "<=", 3)]),
        ([where("a", ">", 3)], Operator.CONSTANT, [where("a", ">", 4)]),
        ([where("d", "<", date("2024-02-28"))], Operator.CONSTANT, [where("d", "<", date("2024-02-29"))]),
        ([where("a", ">", 3), totals("count")], Operator.CONDITION_DROPPED, [totals("count")]),
        ([where("b", "is missing"), totals("count")], Operator.CONDITION_DROPPED, [totals("count")]),
        ([where(both(condition("a", ">", 3), condition("k", "==", "x")))], Operator.AND_OR,
         [where(either(condition("a", ">", 3), condition("k", "==", "x")))]),
        ([where("k", "!=", "x")], Operator.MISSING_KEPT,
         [where(either(condition("k", "!=", "x"), condition("k", "is missing")))]),
        ([where("k", "in", ["x", "y"])], Operator.VALUE_DROPPED, [where("k", "in", ["y"])]),
        ([sort("a desc"), limit(3)], Operator.LIMIT, [sort("a desc"), limit(2)]),
        ([sort("a desc"), limit(3)], Operator.ORDER, [sort("a"), limit(3)]),
        ([sort("a desc", "b"), limit(3)], Operator.ORDER, [sort("a desc", "b desc"), limit(3)]),
        ([sort("a desc"), limit(3)], Operator.ORDER_DROPPED, [limit(3)]),
        ([distinct("k")], Operator.DISTINCT_DROPPED, [select("k")]),
        ([top(2, "k", "a desc")], Operator.GROUP_DROPPED, [sort("a desc"), limit(2)]),
        ([window("share", "a", "k")], Operator.DENOMINATOR, [window("share", "a")]),
        ([window("lag", "a", order="d", size=2)], Operator.WINDOW_SIZE, [window("lag", "a", order="d", size=3)]),
        ([derive("m", part("start_of_month", "d"))], Operator.DATE_PART, [derive("m", part("start_of_quarter", "d"))]),
        ([derive("x", number("a", "-", "b"))], Operator.EXCHANGED, [derive("x", number("b", "-", "a"))]),
        ([derive("x", number("a", "/", "b"))], Operator.ARITHMETIC, [derive("x", number("a", "*", "b"))]),
        ([resample("start_of_month", "d", "sum a")], Operator.EMPTY_PERIODS,
         [derive("month", part("start_of_month", "d")), group("month", "sum a")]),
        ([statistic("outliers", column="a", reach=1.5)], Operator.METHOD,
         [statistic("outliers", column="a", reach=1.5, method="z_score")]),
        ([statistic("correlation_matrix", columns=["a", "b"])], Operator.METHOD,
         [statistic("correlation_matrix", columns=["a", "b"], method="spearman")]),
    ],
)  # fmt: skip
def test_a_fault_is_the_plan_with_one_thing_wrong(steps: list[Step], operator: Operator, faulty: list[Step]) -> None:
    assert tuple(faulty) in planted(*steps)[operator]


def test_a_missing_number_is_taken_for_zero_where_that_changes_the_statistic() -> None:
    mean, total = planted(group("k", "mean b")), planted(group("k", "sum b"))

    ((filled, grouped),) = mean[Operator.MISSING_AS_ZERO]
    assert filled.name == "b"
    assert grouped == group("k", "mean b")
    assert Operator.MISSING_AS_ZERO not in total


@pytest.mark.parametrize(("how", "other"), [("left", "inner"), ("semi", "anti")])
def test_a_join_is_of_another_kind_with_the_same_columns(how: str, other: str) -> None:
    first, second = plan_of(TYPES).source_schema, plan_of(PRICED).source_schema
    plan = plan_over("sales", join("fees", "shop", how=how)(first, second), totals("count"))

    kinds = [fault.plan.second for fault in faults_of(plan) if fault.operator is Operator.JOIN_KIND]

    assert join("fees", "shop", how=other)(first, second) in kinds


def test_a_key_and_a_figure_of_a_second_table_are_wrong_ones() -> None:
    first, second = plan_of(TYPES).source_schema, plan_of(PRICED).source_schema
    plan = plan_over("sales", summary("fees", "shop", of=("sum fee",))(first, second), sort("sum_fee"))

    faults = [(fault.operator, fault.plan.second) for fault in faults_of(plan)]

    assert (Operator.JOIN_KEY, summary("fees", "k = shop", of=("sum fee",))(first, second)) in faults
    assert (Operator.STATISTIC, summary("fees", "shop", of=("max fee = sum_fee",))(first, second)) in faults


def test_what_is_no_valid_plan_is_no_fault() -> None:
    found = planted(derive("late", number("a", "+", 1)), group("k", "sum late"), sort("sum_late"))

    assert all(len(steps) == 3 for steps in found[Operator.COLUMN])
    assert [steps for steps in found.get(Operator.GROUP_DROPPED, []) if steps[-1] == sort("k")] == []


def test_a_value_that_became_a_parameter_is_written_into_faulty_code() -> None:
    shape = generalise(plan_of(TYPES, sort("a desc"), limit(3)))

    codes = [emit_pandas(fault.plan) for fault in faults_of(shape.plan) if fault.operator is Operator.LIMIT]

    assert "head(top)" in emit_pandas(shape.plan)
    assert sorted(code[code.index("head(") :] for code in codes) == ["head(2))", "head(4))"]


def test_nothing_is_planted_in_a_plan_without_steps() -> None:
    assert faults_of(plan_of(TYPES)) == ()


def test_the_place_of_a_fault_is_told() -> None:
    plan = plan_of(TYPES, where("a", ">", column("b")), group("k", "sum a"))

    assert {"step 1 (filter), predicate", "step 2 (aggregate), measures 1", "step 2 (aggregate), by 1"} <= {
        fault.site for fault in faults_of(plan)
    }


@pytest.mark.soak
@given(drawn=tables_with_plans())
def test_every_fault_is_another_plan_that_both_emitters_write(drawn: tuple[object, Plan]) -> None:
    _, plan = drawn

    faults = faults_of(plan)

    assert len({(fault.plan.second, fault.plan.steps) for fault in faults}) == len(faults)
    for fault in faults[:20]:
        assert (fault.plan.source, fault.plan.steps) != (plan.source, plan.steps)
        assert emit_duckdb(fault.plan)
        assert emit_pandas(fault.plan)
        assert _is_called_alike(fault, plan)


def _is_called_alike(fault: Fault, plan: Plan) -> bool:
    if fault.operator in COLUMNS_MAY_DIFFER or len(fault.plan.steps) != len(plan.steps):
        return True
    return fault.plan.result_schema.names == plan.result_schema.names
