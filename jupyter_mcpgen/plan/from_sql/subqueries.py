"""Reads a subquery that gives one value: a figure of all the rows, beside each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jupyter_mcpgen.plan.check import schema_after
from jupyter_mcpgen.plan.expressions import Col, Expression
from jupyter_mcpgen.plan.from_sql.rows import MARK, Rows
from jupyter_mcpgen.plan.from_sql.scope import Relation
from jupyter_mcpgen.plan.from_sql.symbols import Extreme, Refused, Summed, Symbol, Total
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Measure, Step, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType, Schema

_FIGURES = {
    AggregateFunction.MEAN: WindowFunction.MEAN,
    AggregateFunction.MEDIAN: WindowFunction.MEDIAN,
    AggregateFunction.STD: WindowFunction.STD,
    AggregateFunction.MIN: WindowFunction.MIN,
    AggregateFunction.MAX: WindowFunction.MAX,
    AggregateFunction.QUANTILE: WindowFunction.QUANTILE,
}
_ENDS = (AggregateFunction.MIN, AggregateFunction.MAX)
_TOTALS = (AggregateFunction.SUM, AggregateFunction.COUNT)
_OTHER_ROWS = "A subquery gives a figure of other rows than those that the SELECT reads."
_PROVISIONAL = re.compile(r"\\u0000\d+")


def is_one_row(relation: Relation) -> bool:
    """Tell whether a subquery gives one row of figures."""
    last = relation.rows.steps[-1] if relation.rows.steps else None
    return isinstance(last, Aggregate) and not last.by.names


def figures_beside(relation: Relation, rows: Rows) -> tuple[tuple[str, Symbol], ...]:
    """Return the columns of a row of figures as they stand beside each of other rows."""
    found: list[tuple[str, Symbol]] = []
    for name, symbol in relation.columns:
        try:
            found.append((name, figure_beside(symbol, relation, rows)))
        except CannotHold as refusal:
            found.append((name, Refused(refusal.reason)))
    return tuple(found)


def figure_beside(symbol: Symbol, relation: Relation, rows: Rows) -> Symbol:
    """Return a figure of the rows themselves beside each of them; raises `CannotHold` for one of other rows."""
    column = symbol.if_any if isinstance(symbol, Summed) else symbol
    steps = relation.rows.steps
    last = steps[-1] if steps else None
    if not isinstance(last, Aggregate) or last.by.names or not isinstance(column, Col):
        raise CannotHold("A subquery for one value must be one plain figure of all its rows, such as their mean.")
    measure = next(measure for measure in last.measures if measure.name == column.name)
    same_tables = (relation.rows.source, relation.rows.second) == (rows.source, rows.second)
    before, made = _without_made(steps[:-1])
    called = _called_alike(before, rows.steps) if same_tables else None
    if measure.function in _TOTALS and same_tables:
        return _total(measure, called, made, before, rows)
    if called is None or measure.where is not None:
        raise CannotHold(_OTHER_ROWS)
    if measure.function not in _FIGURES or measure.column is None:
        raise CannotHold(f"A plan has no {measure.function.value} of all rows beside each of them.")
    name = measure.column.name
    place = len(before)
    if name in made:
        if place < len(rows.steps):
            raise CannotHold("A subquery gives a figure of a computed value, of more rows than the SELECT reads.")
        target = rows.column(made[name])
    else:
        target = called.get(name, name)
    schema = _schema_at(place, rows) if name not in made else rows.schema
    if schema.type_of(target) is ColumnType.DATE and measure.function in _ENDS and name not in made:
        return Extreme(Col(name=target), measure.function is AggregateFunction.MAX, rows.steps[:place])
    if not schema.type_of(target).is_number:
        raise CannotHold("A plan has figures of all rows for numbers only.")
    step = Window(
        name=rows.new_name(), function=_FIGURES[measure.function], column=Col(name=target), fraction=measure.fraction
    )
    place = len(rows.steps) if name in made else place
    return Col(name=rows.hand_on(step, place))


def _schema_at(place: int, rows: Rows) -> Schema:
    schema = rows.first
    for step in rows.steps[:place]:
        schema = schema_after(step, schema)
    return schema


def _total(
    measure: Measure,
    called: dict[str, str] | None,
    made: dict[str, Expression],
    before: Sequence[Step],
    rows: Rows,
) -> Symbol:
    """Return a sum or a number of all rows: of the rows themselves, or as the total of the same figure of groups."""
    place = len(before)
    if called is not None and measure.function is AggregateFunction.SUM and measure.column is not None:
        name = measure.column.name
        if measure.where is None and place == len(rows.steps):
            return Total(made.get(name) or Col(name=called.get(name, name)), (), rows.steps[:place])
        same_rows = not any(isinstance(step, Aggregate) for step in rows.steps[place:])
        if measure.where is None and same_rows and name not in made:
            return Total(Col(name=called.get(name, name)), (), rows.steps[:place])
    called, between = _called_alike(before, rows.grouped), rows.grouped[place:]
    if called is None or not rows.whole_groups or not all(isinstance(step, Derive) for step in between):
        raise CannotHold("A subquery counts or adds up other rows than those that the SELECT reads.")
    own = {d.name: d.expression for d in between if isinstance(d, Derive)}
    wanted = _named(measure, {**{k: Col(name=v) for k, v in called.items()}, **made})
    groups = max((at for at, step in enumerate(rows.steps) if isinstance(step, Aggregate)), default=0)
    step = rows.steps[groups] if rows.steps else None
    for known in step.measures if isinstance(step, Aggregate) else ():
        if _named(known, own) == wanted:
            return Total(Col(name=known.name), (), rows.steps[: groups + 1])
    raise CannotHold("A subquery counts or adds up something else than the groups do.")


def _named(measure: Measure, values: dict[str, Expression] | dict[str, Col]) -> tuple[object, ...]:
    column = None if measure.column is None else values.get(measure.column.name, measure.column)
    return measure.function, column, measure.where


def _without_made(steps: Sequence[Step]) -> tuple[tuple[Step, ...], dict[str, Expression]]:
    """Return steps without the columns computed at their end, and those columns."""
    kept, made = list(steps), dict[str, Expression]()
    while kept and isinstance(last := kept[-1], Derive) and last.name.startswith(MARK):
        made[last.name] = last.expression
        kept.pop()
    return tuple(kept), made


def _called_alike(steps: Sequence[Step], others: Sequence[Step]) -> dict[str, str] | None:
    """Return what the columns of some steps are called in others that begin with the same; None where they do not."""
    begun = others[: len(steps)]
    if len(begun) < len(steps):
        return None
    one, other = (" ".join(step.model_dump_json() for step in each) for each in (steps, begun))
    if _PROVISIONAL.sub("", one) != _PROVISIONAL.sub("", other):
        return None
    called: dict[str, str] = {}
    for mine, theirs in zip(_PROVISIONAL.findall(one), _PROVISIONAL.findall(other), strict=True):
        if called.setdefault(mine, theirs) != theirs:
            return None
    return {key.replace("\\u0000", MARK): value.replace("\\u0000", MARK) for key, value in called.items()}
