"""The law of reading: the SQL that a plan is written as is read back as the same plan."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given

from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.duckdb import SOURCE, emit_duckdb
from jupyter_mcpgen.plan.emit.duckdb_expressions import labels
from jupyter_mcpgen.plan.emit.duckdb_sources import OTHER
from jupyter_mcpgen.plan.expressions import Bin, TimeBetween
from jupyter_mcpgen.plan.from_sql import Granted, Unread, normal_form, read_sql
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Describe, Measure, Pivot, Resample
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.sources import Join, Relation, Summary, Union
from tests.engines import run_duckdb
from tests.laws import law
from tests.strategies.plans import tables_with_plans
from tests.strategies.two_tables import two_tables_with_plans

_LEAST_SHARE = 0.7
"""So many of the random plans are read back; the others have a step of the table below."""


def why_unread(node: Node) -> str | None:
    """Say why the SQL of a step or value is not read back; None for all that must be."""
    match node:
        case Describe():
            return "its columns are written below each other, as many SELECTs"
        case Resample():
            return "its periods come from a table function, which no SELECT here may call"
        case Bin(width=None):
            return "its intervals reach from the smallest to the largest value of all rows"
        case Bin(labelled=True):
            return "its label is a text that is put together"
        case Measure(function=AggregateFunction.SKEW | AggregateFunction.KURT):
            return "it is written over distances from the mean of the group"
        case TimeBetween() if node.unit.seconds is None:
            return "full months are written as a choice of calendar borders"
        case Join() | Summary() if node.relation is not Relation.MANY_TO_MANY:
            return "a key that must not repeat is written as an error"
        case Union() if node.mixed or node.only_in_one:
            return "columns that one table lacks, or of two types, are converted before"
        case Union():
            return "the order of two tables is a column of its own"
        case Summary():
            return "its figures are written with a condition on the key"
        case _:
            return None


def _reasons(node: Node) -> list[str]:
    own = why_unread(node)
    found = [own] if own is not None else []
    for field in type(node).model_fields:
        value = getattr(node, field)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                found += _reasons(child)
    return found


def _reasons_of(plan: Plan) -> list[str]:
    second = [] if plan.second is None else _reasons(plan.second)
    return second + [reason for step in plan.steps for reason in _reasons(step)]


def _has_plain_names(plan: Plan) -> bool:
    """Tell whether SQL can call every column by its name, so that the result can be read back under it."""
    names = dict.fromkeys(name for place in range(len(plan.steps) + 1) for name in plan.schema_at(place).names)
    return all(name == label for name, label in labels(names).items())


@pytest.mark.soak
def test_the_sql_of_a_plan_is_read_back_as_the_same_plan() -> None:
    counted: Counter[str] = Counter()

    @law(455)
    @given(tables_with_plans())
    def holds(case: tuple[pd.DataFrame, Plan]) -> None:
        frame, plan = case
        read = read_sql(emit_duckdb(plan), {SOURCE: Granted(plan.source_schema)})
        counted["all"] += 1
        if isinstance(read, Unread):
            assert _reasons_of(plan), f"{read.reason}\n{plan.model_dump_json()}"
            return
        counted["read"] += 1
        expected = run_duckdb(plan, frame)
        assert first_difference(run_duckdb(read, frame).set_axis(list(expected.columns), axis=1), expected) is None
        own = normal_form(plan)
        if own is not None and _has_plain_names(plan) and not _reasons_of(plan):
            again = normal_form(read)
            assert again is not None
            assert again.steps == own.steps

    holds()
    assert counted["read"] / counted["all"] >= _LEAST_SHARE


def test_the_sql_of_a_plan_over_two_tables_is_read_back_to_the_same_rows() -> None:
    counted: Counter[str] = Counter()

    @law(100)
    @given(two_tables_with_plans())
    def holds(case: tuple[pd.DataFrame, pd.DataFrame, Plan]) -> None:
        frame, other, plan = case
        if plan.second is None:
            return
        tables = {SOURCE: Granted(plan.second.first_schema), OTHER: Granted(plan.second.other_schema)}
        read = read_sql(emit_duckdb(plan), tables)
        counted["all"] += 1
        if isinstance(read, Unread):
            assert _reasons_of(plan) or not _has_plain_names(plan), f"{read.reason}\n{plan.model_dump_json()}"
            return
        counted["read"] += 1
        expected = run_duckdb(plan, frame, other)
        found = run_duckdb(read, frame, other).set_axis(list(expected.columns), axis=1)
        assert first_difference(found, expected) is None

    holds()
    assert counted["read"] > 0


def test_a_plan_in_its_normal_form_stays_as_it_is() -> None:
    @law(50)
    @given(tables_with_plans())
    def holds(case: tuple[pd.DataFrame, Plan]) -> None:
        frame, plan = case
        once = normal_form(plan)
        if once is None:
            return
        assert normal_form(once) == once
        assert first_difference(run_duckdb(once, frame), run_duckdb(plan, frame)) is None

    holds()


def test_reading_knows_no_step_that_the_table_of_reasons_would_excuse_without_need() -> None:
    assert why_unread(Aggregate(measures=(Measure(function=AggregateFunction.SUM, column={"name": "x"}),))) is None
    assert why_unread(Derive(name="x", expression={"kind": "col", "name": "y"})) is None
    assert why_unread(Pivot.model_construct(by=(), column="x", values=None, measure=None)) is None
