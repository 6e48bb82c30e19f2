"""What a SELECT asks: an intent with the plan that it is, and the SELECT itself beside it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from jupyter_mcpgen.model.intent import Intent, ReadBy, intent_of
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.plan.fitting import fitting_chart
from jupyter_mcpgen.plan.from_sql import Granted, Unread, read_select, written
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def granted(tables: Sequence[Profile]) -> dict[str, Granted]:
    """Return the tables that a query may read, with the columns that have a value in every row."""
    return {
        profile.name: Granted(
            profile.schema_, frozenset(column.name for column in profile.columns if column.nulls == 0)
        )
        for profile in tables
    }


def planned(
    statement: exp.Query,
    request: Request,
    tables: Sequence[Profile],
    read_by: ReadBy,
    assumptions: tuple[str, ...] = (),
    chart: ChartKind | None = None,
) -> Intent | Unread:
    """Return what a checked SELECT asks as an intent with a plan, or what no plan holds of it."""
    sql = written(statement)
    reading = read_select(sql, granted(tables))
    if isinstance(reading, Unread):
        return reading
    if reading.plan.second is not None and reading.plan.second.other == reading.plan.source:
        return Unread("A table is joined with itself, and a plan joins two tables.")
    plan = drawn(reading.plan, chart)
    refs = {tables[0].name: request.data.path}
    if len(tables) > 1 and request.other is not None:
        refs[tables[1].name] = request.other.path
    first = refs.get(plan.source, request.data.path)
    second = refs.get(plan.second.other) if plan.second is not None else None
    is_ordered = statement.args.get("order") is not None
    own = Second(sql=sql, is_ordered=is_ordered, ordered_by=reading.ordered_by)
    return intent_of(plan, first, assumptions, (), second).replace(read_by=read_by, own=own)


def drawn(plan: Plan, kind: ChartKind | None) -> Plan:
    """Return a plan with the chart that was asked for, where its result has the columns for one."""
    schema = plan.result_schema
    numbers = [field.name for field in schema.fields if field.type in (ColumnType.INTEGER, ColumnType.REAL)]
    chart = None if kind is None else fitting_chart(kind, schema.names, numbers)
    return plan if chart is None else plan.with_steps(plan.steps, chart)
