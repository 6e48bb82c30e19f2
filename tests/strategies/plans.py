"""Random valid plans over a table."""

from __future__ import annotations

import pandas as pd
from hypothesis import strategies as st

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.expressions import Col, Columns, DatePart, DateUnit
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Chart,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Rename,
    Resample,
    Select,
    Step,
    TopPerGroup,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from tests.strategies.expressions import computed, made_of_others, predicates
from tests.strategies.steps import charts, orders, pivot, unique_measures, windows
from tests.strategies.tables import NAMES, names_of, tables


class _Growing:
    """A plan that grows by its steps."""

    def __init__(self, schema: Schema) -> None:
        self._plan = Plan(source="t", source_schema=schema)
        self.seen = self._plan.result_schema
        """The columns after the last step."""

    def add(self, step: Step) -> None:
        """Add a step where it may follow; two result columns of one name, say, may not."""
        try:
            plan = Plan(source="t", source_schema=self._plan.source_schema, steps=(*self._plan.steps, step))
        except PlanError:
            return
        self._plan, self.seen = plan, plan.result_schema

    def with_chart(self, chart: Chart | None) -> Plan:
        """Return the plan, with a chart."""
        return Plan(source="t", source_schema=self._plan.source_schema, steps=self._plan.steps, chart=chart)


@st.composite
def plans(draw: st.DrawFn, schema: Schema) -> Plan:
    """Draw a valid plan: conditions, derived columns, perhaps groups or a summary, then conditions, order and limit."""
    growing = _Growing(schema)
    add = growing.add

    def seen() -> Schema:
        return growing.seen

    if draw(st.booleans()):
        add(Filter(predicate=draw(predicates(schema))))
    if draw(st.integers(0, 6)) == 0:
        add(orders(draw, seen()))
        add(Limit(count=draw(st.integers(1, 8))))
    if (dates := names_of(schema, ColumnType.DATE)) and draw(st.booleans()):
        part = DatePart(unit=draw(st.sampled_from(list(DateUnit))), operand=Col(name=draw(st.sampled_from(dates))))
        add(Derive(name=draw(st.sampled_from(["period", *NAMES])), expression=part))
    if names_of(seen(), ColumnType.INTEGER, ColumnType.REAL) and draw(st.integers(0, 2)) == 0:
        add(Derive(name=draw(st.sampled_from(["ratio of two", *NAMES])), expression=draw(computed(seen()))))
    if draw(st.integers(0, 3)) == 0:
        add(Derive(name=draw(st.sampled_from(["made", *NAMES])), expression=draw(made_of_others(seen()))))
    if draw(st.integers(0, 9)) == 0:
        add(Rename(column=Col(name=draw(st.sampled_from(seen().names))), name=draw(st.sampled_from(["new", *NAMES]))))
    summarised = True
    pivots = ["pivot"] if names_of(seen(), ColumnType.INTEGER, ColumnType.TEXT, ColumnType.BOOLEAN) else []
    periods = ["periods"] if names_of(seen(), ColumnType.DATE) else []
    match draw(st.sampled_from(["rows", "groups", "groups", "totals", "describe", *pivots, *periods])):
        case "pivot":
            add(pivot(draw, seen()))
        case "periods":
            unit = draw(st.sampled_from([unit for unit in DateUnit if unit.is_period]))
            keys = draw(st.lists(st.sampled_from(seen().names), max_size=2, unique=True))
            date = Col(name=draw(st.sampled_from(names_of(seen(), ColumnType.DATE))))
            name = draw(st.sampled_from(["period", *NAMES]))
            by = Columns(names=tuple(keys))
            add(Resample(name=name, date=date, unit=unit, by=by, measures=unique_measures(draw, seen())))
        case "groups":
            keys = draw(st.lists(st.sampled_from(seen().names), min_size=1, max_size=2, unique=True))
            add(Aggregate(by=Columns(names=tuple(keys)), measures=unique_measures(draw, seen())))
        case "totals":
            add(Aggregate(measures=unique_measures(draw, seen())))
        case "describe" if numbers := names_of(seen(), ColumnType.INTEGER, ColumnType.REAL):
            keys = draw(st.lists(st.sampled_from(seen().names), max_size=2, unique=True))
            add(Describe(columns=Columns(names=tuple(numbers)), by=Columns(names=tuple(keys))))
        case _:
            summarised = False
    if summarised and draw(st.integers(0, 4)) == 0:
        add(Filter(predicate=draw(predicates(seen()))))
    if names_of(seen(), ColumnType.INTEGER, ColumnType.REAL) and draw(st.integers(0, 2)) == 0:
        add(draw(windows(seen())))
    if draw(st.integers(0, 7)) == 0:
        keys = draw(st.lists(st.sampled_from(seen().names), min_size=1, max_size=2, unique=True))
        add(TopPerGroup(by=Columns(names=tuple(keys)), keys=orders(draw, seen()).keys, count=draw(st.integers(1, 2))))
    if draw(st.integers(0, 9)) == 0:
        keys = draw(st.lists(st.sampled_from(seen().names), min_size=1, max_size=2, unique=True))
        add(Distinct(columns=Columns(names=tuple(keys))))
    if draw(st.booleans()):
        add(orders(draw, seen()))
    if draw(st.booleans()):
        add(Limit(count=draw(st.integers(1, 4))))
    if draw(st.integers(0, 5 if summarised else 1)) == 0:
        names = draw(st.lists(st.sampled_from(seen().names), min_size=1, max_size=3, unique=True))
        add(Select(columns=Columns(names=tuple(names))))
    if summarised and draw(st.integers(0, 7)) == 0:
        add(Aggregate(measures=unique_measures(draw, seen())))
    return growing.with_chart(draw(charts(seen())))


@st.composite
def tables_with_plans(draw: st.DrawFn) -> tuple[pd.DataFrame, Plan]:
    """Draw a table and a plan over it."""
    frame, schema = draw(tables())
    return frame, draw(plans(schema))
