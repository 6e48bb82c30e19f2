"""A plan in the form in which a SELECT is read: two plans of one form do the same steps, whoever wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from jupyter_mcpgen.plan.expressions import All, AnyOf, Col, Expression, Predicate, terms_of
from jupyter_mcpgen.plan.from_sql.naming import finish
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.scope import Relation
from jupyter_mcpgen.plan.from_sql.symbols import order_rows
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Measure,
    Pivot,
    Rename,
    Resample,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.rewrite import drop_unread_columns
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.statistics import Statistic

_OF_THE_ORDER = frozenset({AggregateFunction.FIRST, AggregateFunction.LAST})


def normal_form(plan: Plan) -> Plan | None:
    """Return the plan with its steps in the form that reading gives them; None where a step has no form in SQL.

    Conditions come before the values that they do not need, values where they are needed first, sorts where they are
    due, and what nothing needs is left out. The rows are the same.
    """
    plan = _without_unread(plan)
    rows = Rows(source=plan.source, first=plan.source_schema, second=plan.second)
    columns: dict[str, Expression] = {name: Col(name=name) for name in plan.source_schema.names}
    for step in plan.steps:
        moved = _replayed(step, columns, rows)
        if moved is None:
            return None
        columns = moved
    return finish(Relation(rows, tuple(columns.items()))).plan


def _without_unread(plan: Plan) -> Plan:
    """Leave out computed columns that nothing reads, one after the other."""
    while (less := drop_unread_columns(plan)) != plan:
        plan = less
    return plan


def _replayed(step: Step, columns: dict[str, Expression], rows: Rows) -> dict[str, Expression] | None:
    """Do a step; return what its columns are of those that the rows have."""
    match step:
        case Filter():
            rows.filter(_in_place(step.predicate, columns, rows))
        case Derive():
            return {**columns, step.name: _in_place(step.expression, columns, rows)}
        case Select():
            return {name: columns[name] for name in step.columns.names}
        case Rename():
            return {(step.name if name == step.column.name else name): value for name, value in columns.items()}
        case Sort():
            rows.sort(tuple(_key(key, columns, rows) for key in step.keys))
        case Limit():
            rows.limit(step.count)
        case Aggregate():
            return _aggregated(step, columns, rows)
        case Distinct():
            listed = [_column(name, columns, rows) for name in step.columns.names]
            rows.distinct(tuple(listed), keeps_order=True)
            return {name: Col(name=new) for name, new in zip(step.columns.names, listed, strict=True)}
        case TopPerGroup():
            by = tuple(_column(name, columns, rows) for name in step.by.names)
            rows.present |= set(by)
            rows.top(by, tuple(_key(key, columns, rows) for key in step.keys), step.count)
        case Window():
            return {**columns, step.name: Col(name=_compared(step, columns, rows))}
        case Describe() | Resample() | Pivot() | Unpivot() | Members():
            return None
        case _ if isinstance(step, Statistic):
            return None
        case _:
            assert_never(step)
    return columns


def _column(name: str, columns: Mapping[str, Expression], rows: Rows) -> str:
    return rows.column(columns[name])


def _key(key: SortKey, columns: Mapping[str, Expression], rows: Rows) -> SortKey:
    return key.model_copy(update={"column": _column(key.column, columns, rows)})


def _aggregated(step: Aggregate, columns: Mapping[str, Expression], rows: Rows) -> dict[str, Expression]:
    by = [_column(name, columns, rows) for name in step.by.names]
    made: list[tuple[str, Measure]] = []
    for measure in step.measures:
        column = None if measure.column is None else Col(name=_column(measure.column.name, columns, rows))
        where = None if measure.where is None else _in_place(measure.where, columns, rows)
        update = {"column": column, "where": where, "label": rows.new_name()}
        made.append((measure.name, measure.model_copy(update=update)))
    rows.present |= set(by)
    needs_order = any(measure.function in _OF_THE_ORDER for measure in step.measures)
    rows.aggregate(tuple(dict.fromkeys(by)), tuple(measure for _, measure in made), needs_order=needs_order)
    keys = {name: Col(name=column) for name, column in zip(step.by.names, by, strict=True)}
    return {**keys, **{name: Col(name=measure.name) for name, measure in made}}


def _compared(step: Window, columns: Mapping[str, Expression], rows: Rows) -> str:
    column = Col(name=_column(step.column.name, columns, rows))
    by = [_column(name, columns, rows) for name in step.by.names]
    order = None
    if step.function.is_ordered:
        keys = () if step.order is None else (_key(step.order, columns, rows),)
        order = order_rows(tuple(key for key in keys if key.column not in by), rows)
    update = {
        "name": rows.new_name(),
        "column": column,
        "by": step.by.model_copy(update={"names": tuple(dict.fromkeys(by))}),
        "order": order,
        "size": step.size if step.function.has_size else 1,
        "descending": step.descending if step.function is WindowFunction.RANK else True,
    }
    return rows.window(step.model_copy(update=update))


def _in_place(node: Any, columns: Mapping[str, Expression], rows: Rows) -> Any:
    """Return a value or a condition over the columns of the rows; what must be a column is one."""
    if isinstance(node, Col):
        return columns[node.name]
    changed: dict[str, Any] = {}
    for field in type(node).model_fields:
        value = getattr(node, field)
        if isinstance(value, Col) and field in ("operand", "start", "end"):
            changed[field] = Col(name=_column(value.name, columns, rows))
        elif isinstance(value, Node):
            changed[field] = _in_place(value, columns, rows)
        elif isinstance(value, tuple) and value and isinstance(value[0], Node):
            changed[field] = tuple(_in_place(each, columns, rows) for each in value)
    made = node.model_copy(update=changed)
    return _plain(made) if isinstance(made, All | AnyOf) else made


def _plain(predicate: Predicate) -> Predicate:
    """Return a condition without conditions of the same kind inside each other."""
    match predicate:
        case All():
            terms = tuple(_plain(term) for term in terms_of(predicate))
            return terms[0] if len(terms) == 1 else All(terms=tuple(t for term in terms for t in terms_of(term)))
        case AnyOf():
            parts = tuple(_plain(term) for term in predicate.terms)
            if len(parts) == 1:
                return parts[0]
            flat = (other for part in parts for other in (part.terms if isinstance(part, AnyOf) else (part,)))
            return AnyOf(terms=tuple(flat))
        case _:
            return predicate
