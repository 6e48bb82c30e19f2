"""Turns a row of phrases into plans: what was said, what it implies, and what that costs in certainty."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.linking import Context
from jupyter_mcpgen.nl.parse import Cover
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.plan.expressions import (
    All,
    Col,
    Columns,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    Lit,
    Predicate,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Chart,
    ChartKind,
    Derive,
    Describe,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

IMPLIED = 0.05
"""What taking the usual function costs when none was named."""
SECOND_CHOICE = 0.35
"""What another function than the usual one costs."""
UNUSED = 0.8
"""What a phrase that fits nowhere costs."""
MISPLACED = 0.5
"""What reading a "by" as an order costs where nothing is limited."""


@dataclass(frozen=True)
class Parts:
    """The phrases of a cover by what they ask for."""

    measures: tuple[m.Measured, ...] = ()
    keys: tuple[m.GroupKey, ...] = ()
    conditions: tuple[Predicate, ...] = ()
    best: m.Best | None = None
    ordered: m.Ordered | None = None
    direction: bool | None = None
    chart: ChartKind | None = None
    no_chart: bool = False
    lists_rows: bool = False
    names_rows: bool = False
    describes_table: bool = False
    overview: bool = False
    relation: bool = False
    commonest: m.Commonest | None = None
    columns: tuple[str, ...] = ()
    functions: tuple[AggregateFunction, ...] = ()
    cost: float = 0.0
    assumptions: tuple[str, ...] = field(default=())


def assemble(cover: Cover, context: Context) -> Iterator[Reading]:
    """Yield the plans that a cover may mean, with their costs."""
    parts = collect(cover, context)
    if parts is None:
        return
    for variant, label in _variants(parts, context):
        plan = _plan(variant, context)
        if plan is not None:
            cost = cover.cost + variant.cost
            yield Reading(plan=plan, label=label, cost=round(cost, 4), assumptions=variant.assumptions)


def collect(cover: Cover, context: Context) -> Parts | None:
    """Sort the phrases of a cover into the parts of a plan; None when two of them contradict each other."""
    parts = Parts()
    for item in cover.items:
        added = _add(parts, item.meaning, context)
        if added is None:
            return None
        parts = added
    return None if parts.describes_table and not parts.overview else parts


def _add(parts: Parts, meaning: m.Meaning, context: Context) -> Parts | None:
    match meaning:
        case m.Measured(_, _, noun):
            noted = _note_noun(parts, noun, context)
            return replace(noted, measures=(*noted.measures, replace(meaning, noun=None)))
        case m.NamedTable():
            return replace(parts, describes_table=True)
        case m.Grouped(keys):
            return replace(parts, keys=(*parts.keys, *(key for key in keys if key not in parts.keys)))
        case m.GroupKey():
            return replace(parts, keys=(*parts.keys, meaning))
        case m.Unit(unit) if context.dates:
            return replace(parts, keys=(*parts.keys, m.GroupKey(None, unit)), cost=parts.cost + 0.1)
        case m.Condition(predicate):
            return replace(parts, conditions=(*parts.conditions, predicate))
        case m.YearCondition(year, op) if context.dates:
            return replace(parts, conditions=(*parts.conditions, *_in_year(context.dates[0], year, op)))
        case m.MomentCondition(iso, op) if context.dates:
            return replace(parts, conditions=(*parts.conditions, *_at_moment(context.dates[0], iso, op)))
        case m.Best() if parts.best is None:
            return replace(parts, best=meaning)
        case m.Ordered(m.Measured() as by, descending, hinted) if parts.ordered is None:
            plain = m.Ordered(replace(by, noun=None), descending, hinted)
            return replace(_note_noun(parts, by.noun, context), ordered=plain)
        case m.Ordered() if parts.ordered is None:
            return replace(parts, ordered=meaning)
        case m.Commonest() if parts.commonest is None:
            return replace(parts, commonest=meaning)
        case m.Direction(descending) if parts.direction is None:
            return replace(parts, direction=descending)
        case m.ChartWord(kind) if parts.chart is None:
            return replace(parts, chart=kind)
        case m.NoChart():
            return replace(parts, no_chart=True)
        case m.ListRows():
            return replace(parts, lists_rows=True)
        case m.RowNoun(_, False):
            return replace(parts, names_rows=True)
        case m.Overview():
            return replace(parts, overview=True)
        case m.Relation():
            return replace(parts, relation=True)
        case m.Column(name):
            return parts if name in parts.columns else replace(parts, columns=(*parts.columns, name))
        case m.Function(function):
            return replace(parts, functions=(*parts.functions, function))
        case m.GroupWord() | m.WhereWord() | m.And() | m.Or() | m.SortWord():
            return replace(parts, cost=parts.cost + 0.2)
        case _:
            return None


def _note_noun(parts: Parts, noun: str | None, context: Context) -> Parts:
    if noun is None:
        return parts
    note = f"Each row of {context.profile.name} is counted as one of “{noun}”."
    return replace(parts, assumptions=(*parts.assumptions, note))


def _in_year(column: str, year: int, op: CompareOp) -> tuple[Predicate, ...]:
    starts, ends = f"{year}-01-01", f"{year + 1}-01-01"
    match op:
        case CompareOp.EQ:
            return _from(column, starts), _before(column, ends)
        case CompareOp.GT:
            return (_from(column, ends),)
        case CompareOp.GE:
            return (_from(column, starts),)
        case CompareOp.LT:
            return (_before(column, starts),)
        case _:
            return (_before(column, ends),)


def _at_moment(column: str, iso: str, op: CompareOp) -> tuple[Predicate, ...]:
    following = (dt.date.fromisoformat(iso) + dt.timedelta(days=1)).isoformat()
    match op:
        case CompareOp.EQ:
            return _from(column, iso), _before(column, following)
        case CompareOp.GT:
            return (_from(column, following),)
        case CompareOp.GE:
            return (_from(column, iso),)
        case CompareOp.LT:
            return (_before(column, iso),)
        case _:
            return (_before(column, following),)


def _from(column: str, iso: str) -> Compare:
    return Compare(op=CompareOp.GE, left=Col(name=column), right=Lit(value=iso, type=ColumnType.DATE))


def _before(column: str, iso: str) -> Compare:
    return Compare(op=CompareOp.LT, left=Col(name=column), right=Lit(value=iso, type=ColumnType.DATE))


def _variants(parts: Parts, context: Context) -> Iterator[tuple[Parts, str]]:
    """Fill in what the question leaves open, in the usual way first."""
    if parts.best is not None and parts.best.of is not None:
        key = m.GroupKey(parts.best.of)
        if any(other.column and context.is_measure(other.column) for other in parts.keys):
            parts = replace(parts, cost=parts.cost + MISPLACED)
        parts = replace(parts, keys=parts.keys if key in parts.keys else (key, *parts.keys))
    if parts.ordered is not None and parts.ordered.hinted and parts.best is None and parts.direction is None:
        parts = replace(parts, cost=parts.cost + MISPLACED)
    if parts.commonest is not None:
        common = parts.commonest
        parts = replace(
            parts,
            keys=(m.GroupKey(common.column),),
            measures=(m.Measured(AggregateFunction.COUNT, None),),
            ordered=m.Ordered(m.Measured(AggregateFunction.COUNT, None), common.descending),
            best=parts.best or m.Best(1, common.descending),
        )
    numbers = tuple(name for name in parts.columns if context.is_measure(name))
    labels = tuple(name for name in parts.columns if not context.is_measure(name))
    if parts.ordered is not None and isinstance(parts.ordered.by, m.Measured):
        if parts.ordered.by not in parts.measures:
            parts = replace(parts, measures=(*parts.measures, parts.ordered.by))
        if labels and not parts.keys and parts.best is None and parts.ordered.descending is not None:
            parts = replace(parts, best=m.Best(1, parts.ordered.descending))
    if parts.functions and numbers:
        named = tuple(m.Measured(f, name) for f in parts.functions for name in numbers)
        parts, numbers = replace(parts, measures=(*parts.measures, *named), columns=labels, functions=()), ()
    elif parts.functions:
        return
    if parts.overview or parts.relation or parts.lists_rows:
        yield parts, ""
        return
    if parts.measures or parts.keys:
        if labels and not parts.keys:
            parts = replace(parts, keys=tuple(m.GroupKey(name) for name in labels), cost=parts.cost + 0.15)
        elif labels:
            parts = replace(parts, cost=parts.cost + UNUSED)
        yield from _with_implied_functions(replace(parts, columns=numbers), context)
    elif numbers and (labels or not parts.best) and not (parts.ordered and not labels):
        keys = tuple(m.GroupKey(name) for name in labels)
        extra = 0.15 if labels else 0.1
        grouped = replace(parts, keys=keys, columns=numbers, cost=parts.cost + extra)
        yield from _with_implied_functions(grouped, context)
        yield replace(parts, cost=parts.cost + SECOND_CHOICE), "rows"
    elif labels and not parts.ordered and not parts.best:
        keys = tuple(m.GroupKey(name) for name in labels)
        counted = m.Measured(AggregateFunction.COUNT, None)
        yield replace(parts, keys=keys, measures=(counted,), cost=parts.cost + 0.2), "count of rows"
        yield replace(parts, cost=parts.cost + SECOND_CHOICE), "rows"
    elif labels and parts.ordered and _is_number_order(parts.ordered, context):
        keys = tuple(m.GroupKey(name) for name in labels)
        descending = parts.ordered.descending
        best = parts.best or (m.Best(1, descending) if descending is not None else None)
        yield from _with_implied_functions(replace(parts, keys=keys, best=best, columns=()), context)
        yield replace(parts, cost=parts.cost + 0.3), "rows"
    elif parts.ordered and parts.best is None and parts.ordered.descending is not None and not parts.names_rows:
        yield replace(parts, cost=parts.cost + MISPLACED), "rows"
    else:
        yield parts, ""


def _is_number_order(ordered: m.Ordered, context: Context) -> bool:
    return isinstance(ordered.by, m.Column) and context.is_number(ordered.by.name)


def _with_implied_functions(parts: Parts, context: Context) -> Iterator[tuple[Parts, str]]:
    """Give number columns without a function the one that suits them, and offer the others as second choices."""
    ordered_column = parts.ordered.by if parts.ordered and isinstance(parts.ordered.by, m.Column) else None
    open_columns = parts.columns or ((ordered_column.name,) if ordered_column and not parts.measures else ())
    if not open_columns:
        counted = parts.measures or (m.Measured(AggregateFunction.COUNT, None),)
        extra = 0.0 if parts.measures or parts.names_rows else 0.1
        yield replace(parts, measures=counted, cost=parts.cost + extra), ""
        return
    adds_up = all(context.adds_up(name) for name in open_columns)
    usual, other = (
        (AggregateFunction.SUM, AggregateFunction.MEAN) if adds_up else (AggregateFunction.MEAN, AggregateFunction.SUM)
    )
    for function, extra in ((usual, IMPLIED), (other, SECOND_CHOICE)):
        named = tuple(m.Measured(function, name) for name in open_columns)
        note = f"“{' and '.join(open_columns)}” is read as its {function.value}, because no other function was named."
        yield (
            replace(
                parts,
                measures=(*parts.measures, *named),
                columns=(),
                cost=parts.cost + extra,
                assumptions=(*parts.assumptions, note),
            ),
            function.value,
        )
    if adds_up and len(open_columns) == 1 and not parts.measures:
        name = open_columns[0]
        above = Compare(op=CompareOp.GT, left=Col(name=name), right=Lit(value=0, type=ColumnType.INTEGER))
        yield (
            replace(
                parts,
                measures=(m.Measured(AggregateFunction.COUNT, None),),
                conditions=(*parts.conditions, above),
                columns=(),
                ordered=None if ordered_column else parts.ordered,
                cost=parts.cost + SECOND_CHOICE + 0.05,
            ),
            f"count of rows with {name} above 0",
        )


def _plan(parts: Parts, context: Context) -> Plan | None:
    schema = context.profile.schema_
    steps: list[Step] = []
    if parts.conditions:
        predicate = parts.conditions[0] if len(parts.conditions) == 1 else All(terms=parts.conditions)
        steps.append(Filter(predicate=predicate))
    try:
        if parts.overview:
            steps += _overview(parts, context)
            chart = None
        elif parts.measures:
            grouped = _grouped(parts, context)
            if grouped is None:
                return None
            steps += grouped
            chart = _chart(parts, steps, context)
        else:
            steps += _rows(parts, context)
            chart = _row_chart(parts, context)
        plan = Plan(source=context.profile.name, source_schema=schema, steps=tuple(steps))
        return Plan(source=plan.source, source_schema=schema, steps=plan.steps, chart=None if parts.no_chart else chart)
    except PlanError:
        return None  # a combination that makes no sense over these types is no reading


def _overview(parts: Parts, context: Context) -> list[Step]:
    wanted = parts.columns or tuple(context.profile.schema_.names)
    numbers = tuple(name for name in wanted if context.is_number(name))
    if not numbers:
        raise PlanError("no number column to describe")
    return [Describe(columns=Columns(names=numbers))]


def _grouped(parts: Parts, context: Context) -> list[Step] | None:
    keys, derived = _keys(parts, context)
    if keys is None:
        return None
    measures = _measures(parts)
    if any(measure.column and measure.column.name in keys for measure in measures):
        return None
    steps: list[Step] = [*derived, Aggregate(by=Columns(names=keys), measures=measures)]
    if keys:
        steps += _order(parts, keys, derived, measures, context)
        if parts.best is not None:
            steps.append(Limit(count=parts.best.count))
    elif parts.best is not None:
        return None
    return steps


def _keys(parts: Parts, context: Context) -> tuple[tuple[str, ...] | None, list[Step]]:
    names: list[str] = []
    derived: list[Step] = []
    for key in parts.keys:
        column, unit = key.column, key.unit
        if column is None or (unit is None and context.type_of(column) is ColumnType.DATE):
            column = column or context.dates[0]
            unit = unit or _usual_unit(column, context)
        if unit is None:
            names.append(column)
            continue
        name = unit.value.removeprefix("start_of_")
        while name in context.profile.schema_.names:
            name += "_"
        part = DatePart(unit=unit, operand=Col(name=column))
        derived.append(Derive(name=name, expression=part))
        names.append(name)
    return (None if len(set(names)) < len(names) else tuple(names)), derived


def _usual_unit(column: str, context: Context) -> DateUnit:
    """Return the period to group a date column by: the one it is named after, else what stays readable."""
    for word, unit in _NAMED_UNITS.items():
        if word in context.column_words[column]:
            return unit
    return DateUnit.START_OF_DAY if context.profile.column(column).distinct <= MANY_DAYS else DateUnit.START_OF_MONTH


MANY_DAYS = 62
_NAMED_UNITS = {
    "year": DateUnit.START_OF_YEAR,
    "quarter": DateUnit.START_OF_QUARTER,
    "month": DateUnit.START_OF_MONTH,
    "week": DateUnit.START_OF_WEEK,
}


def _measures(parts: Parts) -> tuple[Measure, ...]:
    wanted = list(parts.measures)
    if parts.ordered is not None and isinstance(parts.ordered.by, m.Measured) and parts.ordered.by not in wanted:
        wanted.append(parts.ordered.by)
    unique = dict.fromkeys(wanted)
    return tuple(Measure(function=w.function, column=Col(name=w.column) if w.column else None) for w in unique)


def _order(
    parts: Parts, keys: tuple[str, ...], derived: list[Step], measures: tuple[Measure, ...], context: Context
) -> list[Step]:
    ordered = parts.ordered
    descending = next(
        (
            choice
            for choice in (
                ordered.descending if ordered else None,
                parts.direction,
                parts.best.descending if parts.best else None,
            )
            if choice is not None
        ),
        None,
    )
    column = measures[0].name
    if ordered is not None and isinstance(ordered.by, m.Measured):
        column = next(
            measure.name
            for measure in measures
            if (measure.function, measure.column.name if measure.column else None)
            == (ordered.by.function, ordered.by.column)
        )
    elif ordered is not None and isinstance(ordered.by, m.Column):
        column = next((x.name for x in measures if x.column and x.column.name == ordered.by.name), ordered.by.name)
    elif ordered is None and parts.best is None and descending is None:
        if derived or len(keys) > 1 or context.is_number(keys[0]):
            return []  # periods, numbers and cross tables read best in the order of their keys
        descending = True
    if column in keys and descending is None:
        descending = False
    return [Sort(keys=(SortKey(column=column, descending=True if descending is None else descending),))]


def _rows(parts: Parts, context: Context) -> list[Step]:
    steps: list[Step] = []
    column = _order_column(parts, context)
    if column is not None:
        choices = (parts.ordered.descending if parts.ordered else None, parts.direction)
        wanted = next((choice for choice in choices if choice is not None), None)
        if wanted is None:
            wanted = parts.best.descending if parts.best else False
        steps.append(Sort(keys=(SortKey(column=column, descending=wanted),)))
    if parts.best is not None:
        steps.append(Limit(count=parts.best.count))
    if parts.columns and not (len(parts.columns) == 1 and column is not None):
        shown = tuple(dict.fromkeys([*parts.columns, *([column] if column else [])]))
        steps.append(Select(columns=Columns(names=shown)))
    if not steps and not parts.conditions and not parts.lists_rows:
        raise PlanError("nothing was asked for")
    return steps


def _order_column(parts: Parts, context: Context) -> str | None:
    if parts.ordered is not None and isinstance(parts.ordered.by, m.Column):
        return parts.ordered.by.name
    if parts.ordered is not None and isinstance(parts.ordered.by, m.Measured):
        raise PlanError("rows are not ordered by an aggregate")
    numbers = [name for name in parts.columns if context.is_number(name)]
    return numbers[0] if parts.best is not None and numbers else None


def _chart(parts: Parts, steps: list[Step], context: Context) -> Chart | None:
    aggregate = next(step for step in steps if isinstance(step, Aggregate))
    keys = aggregate.by.names
    if not keys:
        return None
    y = aggregate.measures[0].name
    color = keys[1] if len(keys) > 1 else None
    if parts.chart is not None and parts.chart is not ChartKind.HISTOGRAM:
        return Chart(kind=parts.chart, x=keys[0], y=y, color=color)
    derived = {step.name for step in steps if isinstance(step, Derive)}
    ordered = keys[0] in derived or (
        keys[0] in context.profile.schema_.names and context.profile.column(keys[0]).role is Role.TIME
    )
    return Chart(kind=ChartKind.LINE if ordered else ChartKind.BAR, x=keys[0], y=y, color=color)


def _row_chart(parts: Parts, context: Context) -> Chart | None:
    numbers = [name for name in parts.columns if context.is_number(name)]
    if (parts.relation or parts.chart is ChartKind.SCATTER) and len(numbers) >= 2:
        return Chart(kind=ChartKind.SCATTER, x=numbers[0], y=numbers[1])
    if parts.chart is ChartKind.HISTOGRAM and numbers:
        return Chart(kind=ChartKind.HISTOGRAM, x=numbers[0])
    return None
