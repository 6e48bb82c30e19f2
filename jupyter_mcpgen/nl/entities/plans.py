"""Plans about single rows: the one of two with more, how far they lie apart, rows beyond or beside another one."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import free_name
from jupyter_mcpgen.nl.entities.naming import Entity, Figure
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import (
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Case,
    Col,
    Columns,
    Compare,
    CompareOp,
    IsIn,
    IsMissing,
    Lit,
    When,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema


def with_more(both: tuple[Entity, Entity], figure: Figure, profile: Profile, *, lacking: bool) -> Plan:
    """Return the one of two rows with more of a figure, or with less; beside it, one that is `lacking` the figure."""
    key = SortKey(column=figure.column, descending=figure.more)
    order, shown = Sort(keys=(key,)), showing(both[0].column, figure.column)
    if not lacking:
        return over(profile, _either(both), order, Limit(count=1), shown)
    ranked, first = at_place(key, 1, profile.schema_)
    kept = Filter(predicate=AnyOf(terms=(first.predicate, IsMissing(operand=Col(name=figure.column)))))
    return over(profile, _either(both), ranked, kept, order, shown)


def difference(both: tuple[Entity, Entity], figure: Figure, profile: Profile, *, signed: bool) -> Plan:
    """Return how much more of a figure the first of two rows has; unless `signed`, how far the two lie apart."""
    names = [free_name(_figure_of(one, figure.column), profile) for one in both]
    first, second = (Measure(function=AggregateFunction.MAX, column=Col(name=name), label=name) for name in names)
    name = free_name("difference", profile)
    one_more, other_more = _minus(first.name, second.name), _minus(second.name, first.name)
    apart = Case(
        branches=(When(condition=_compared(first.name, CompareOp.GE, second.name), value=one_more),),
        otherwise=other_more,
    )
    more = one_more if figure.more else other_more
    return over(
        profile,
        _either(both),
        *(_alone(one, figure.column, name) for one, name in zip(both, names, strict=True)),
        Aggregate(measures=(first, second)),
        Derive(name=name, expression=more if signed else apart),
        showing(name, first.name, second.name),
    )


def beyond(one: Entity, figure: Figure, profile: Profile, *, counted: bool) -> Plan:
    """Return the rows with more of a figure than one row has, or with less; the farthest first."""
    name = free_name(_figure_of(one, figure.column), profile)
    op = CompareOp.GT if figure.more else CompareOp.LT
    steps = (*_beside_all(one, figure.column, name), Filter(predicate=_compared(figure.column, op, name)))
    if counted:
        return over(profile, *steps, Aggregate(measures=(Measure(function=AggregateFunction.COUNT),)))
    order = Sort(keys=(SortKey(column=figure.column, descending=figure.more),))
    return over(profile, *steps, order, showing(one.column, figure.column))


def alike(one: Entity, column: str, profile: Profile, *, counted: bool, others: bool, lacking: bool) -> Plan:
    """Return the rows that have the same value in a column as one row has; with `others`, without that row.

    Where it may be `lacking` the value, it is shown in any case: nothing is the same as what is not there.
    """
    mark, held = free_name(f"is_{_named(one)}", profile), free_name(f"share_of_{_named(one)}", profile)
    yes, no = (Lit(value=value, type=ColumnType.INTEGER) for value in (1, 0))
    zero = Lit(value=0, type=ColumnType.INTEGER)
    same = Compare(op=CompareOp.GT, left=Col(name=held), right=zero)
    steps: tuple[Step, ...] = (
        Derive(name=mark, expression=Case(branches=(When(condition=one.is_it, value=yes),), otherwise=no)),
        Window(name=held, function=WindowFunction.MEAN, column=Col(name=mark), by=Columns(names=(column,))),
        Filter(predicate=AnyOf(terms=(same, one.is_it)) if lacking and not (counted or others) else same),
    )
    if others:
        steps = (*steps, Filter(predicate=Compare(op=CompareOp.NE, left=Col(name=one.column), right=one.value)))
    if counted:
        return over(profile, *steps, Aggregate(measures=(Measure(function=AggregateFunction.COUNT),)))
    return over(profile, *steps, showing(one.column, column))


def neighbour(one: Entity, order: str, profile: Profile, *, after: bool) -> Plan:
    """Return the row that comes right after one row, or right before it, in the order of a column."""
    name = free_name(f"{'previous' if after else 'next'}_{one.column}", profile)
    beside = Window(
        name=name,
        function=WindowFunction.LAG,
        column=Col(name=one.column),
        order=SortKey(column=order, descending=not after),
    )
    is_next = Filter(predicate=Compare(op=CompareOp.EQ, left=Col(name=name), right=one.value))
    return over(profile, beside, is_next, showing(one.column, order))


def first_beyond(column: str, op: CompareOp, limit: Lit, order: str, profile: Profile) -> Plan:
    """Return the first row, in the order of a column, whose figure is beyond a limit."""
    passed = Filter(predicate=Compare(op=op, left=Col(name=column), right=limit))
    return over(profile, passed, Sort(keys=(SortKey(column=order),)), Limit(count=1), showing(order, column))


def end_of(columns: tuple[str, ...], order: str, profile: Profile, *, last: bool) -> Plan:
    """Return some columns of the first row, or of the last one, in the order of a column."""
    by = Sort(keys=(SortKey(column=order, descending=last),))
    return over(profile, by, Limit(count=1), showing(*columns, order))


def over(profile: Profile, *steps: Step) -> Plan:
    """Return the plan of some steps over a table."""
    return Plan(source=profile.name, source_schema=profile.schema_, steps=steps)


def _either(both: tuple[Entity, Entity]) -> Filter:
    """Return the step that keeps two rows."""
    one, other = both
    return Filter(predicate=IsIn(operand=Col(name=one.column), values=(one.value, other.value)))


def showing(*columns: str) -> Select:
    """Return the step that shows some columns, each once."""
    return Select(columns=Columns(names=tuple(dict.fromkeys(columns))))


def _alone(one: Entity, column: str, name: str) -> Derive:
    """Return the step that keeps a figure of one row only, as a column without any other value."""
    return Derive(name=name, expression=Case(branches=(When(condition=one.is_it, value=Col(name=column)),)))


def _beside_all(one: Entity, column: str, name: str) -> tuple[Step, Step]:
    """Return the steps that put the figure of one row beside every row: the mean of the only value there is."""
    alone = f"{name}_alone"
    return _alone(one, column, alone), Window(name=name, function=WindowFunction.MEAN, column=Col(name=alone))


def _figure_of(one: Entity, column: str) -> str:
    return f"{'_'.join(split_name(column))}_of_{_named(one)}"


def _named(one: Entity) -> str:
    return "_".join(split_name(str(one.value.value))) or "row"


def _minus(first: str, second: str) -> Arithmetic:
    return Arithmetic(op=ArithmeticOp.SUBTRACT, left=Col(name=first), right=Col(name=second))


def _compared(first: str, op: CompareOp, second: str) -> Compare:
    return Compare(op=op, left=Col(name=first), right=Col(name=second))


def at_place(key: SortKey, place: int, schema: Schema) -> tuple[Window, Filter]:
    """Return the steps that keep the rows at a place of an order."""
    name = "place"
    while name in schema.names:
        name += "_"
    column = Col(name=key.column)
    ranks = Window(name=name, function=WindowFunction.RANK, column=column, descending=key.descending)
    at = Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=place, type=ColumnType.INTEGER))
    return ranks, Filter(predicate=at)
