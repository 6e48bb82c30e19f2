"""How neighbouring meanings combine into phrases.

A rule takes two neighbours and the words between them and gives the phrases that they may form, each with a cost.
Rules know nothing of positions; the chart parser applies every rule to every pair of neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.linking import Context
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.nl.words import singular
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Compare,
    CompareOp,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    TextMatch,
    negate,
)
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.plan.schema import ColumnType

Found = Iterator[tuple[Meaning, float]]
Rule = Callable[[Meaning, Meaning, frozenset[str], Context], Found]
YEARS = range(1900, 2101)
FEW_VALUES = 20
CONJUNCTIONS = frozenset({"and", ",", "&", "plus"})
COUNT_ROWS = m.Measured(AggregateFunction.COUNT, None)


def promote(meaning: Meaning, context: Context) -> Found:
    """Yield what one leaf may be as a phrase of its own."""
    match meaning:
        case m.CountWord():
            yield COUNT_ROWS, 0.1
        case m.Value(column, value):
            yield m.Condition(_equals(column, value)), 0.02
        case m.MostCommon():
            pass
        case _:
            return


def measures(left: Meaning, right: Meaning, between: frozenset[str], context: Context) -> Found:
    """Read "average price", "number of rows", "accident count", "how many injuries"."""
    match left, right:
        case (m.Function(function), m.Column(name)) if _takes(function, name, context):
            yield m.Measured(function, name), 0.0
        case (m.Column(name), m.Function(function)) if _takes(function, name, context):
            yield m.Measured(function, name), 0.12
        case (m.Function(AggregateFunction.SUM), m.RowNoun() as noun) | (m.CountWord(), m.RowNoun() as noun):
            yield from _rows_counted(noun)
        case (m.Function(AggregateFunction.SUM), m.Measured(AggregateFunction.COUNT, None)):
            yield COUNT_ROWS, 0.02
        case (m.RowNoun(noun, assumed), m.CountWord()):
            yield m.Measured(AggregateFunction.COUNT, None, noun if assumed else None), 0.02
        case (m.RowNoun(_, True), m.RowNoun(noun, False)) if noun.casefold() in context.lexicon.table_nouns:
            yield m.NamedTable(), -0.3  # "traffic accident dataset": what precedes the noun describes it
        case (m.RowNoun(_, True), m.NamedTable()):
            yield m.NamedTable(), -0.3
        case (m.CountWord(), m.Column(name)) | (m.Column(name), m.CountWord()):
            yield _counted(name, context), 0.08
        case (m.HowMuch(), m.Column(name)) if context.is_number(name):
            yield m.Measured(AggregateFunction.SUM, name), 0.05
        case _:
            return


def _rows_counted(noun: m.RowNoun) -> Found:
    if not noun.assumed:
        yield COUNT_ROWS, 0.0
    elif singular(noun.noun.casefold()) != noun.noun.casefold():
        yield m.Measured(AggregateFunction.COUNT, None, noun.noun), 0.0  # only a plural is something to count


def _counted(name: str, context: Context) -> m.Measured:
    if context.is_measure(name) and context.adds_up(name):
        return m.Measured(AggregateFunction.SUM, name)
    if context.is_measure(name):
        return m.Measured(AggregateFunction.COUNT, name)
    return m.Measured(AggregateFunction.COUNT_DISTINCT, name)


def _takes(function: AggregateFunction, name: str, context: Context) -> bool:
    type_ = context.type_of(name)
    if function in (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT):
        return True
    if function in (AggregateFunction.MIN, AggregateFunction.MAX):
        return type_ is not ColumnType.BOOLEAN
    if function in (AggregateFunction.SUM, AggregateFunction.MEAN):
        return type_.is_number or type_ is ColumnType.BOOLEAN
    return type_.is_number


def groups(left: Meaning, right: Meaning, between: frozenset[str], context: Context) -> Found:
    """Read "by state", "per month and region", "month of order date"."""
    match left, right:
        case (m.GroupWord(), m.Column(name)):
            yield m.Grouped((m.GroupKey(name),)), _as_key(name, context)
        case (m.GroupWord(), m.Unit(unit)) if context.dates:
            yield m.Grouped((m.GroupKey(None, unit),)), 0.1
        case (m.GroupWord(), m.GroupKey() as key):
            yield m.Grouped((key,)), 0.0
        case (m.Unit(unit), m.Column(name)) if context.type_of(name) is ColumnType.DATE:
            yield m.GroupKey(name, unit), 0.0
        case (m.Grouped(keys), m.Column(name)) if between & CONJUNCTIONS and m.GroupKey(name) not in keys:
            yield m.Grouped((*keys, m.GroupKey(name))), _as_key(name, context)
        case (m.Grouped(keys), m.Unit(unit)) if between & CONJUNCTIONS and context.dates:
            yield m.Grouped((*keys, m.GroupKey(None, unit))), 0.05
        case (m.Grouped(keys), m.Grouped(more)) if not set(keys) & set(more):
            yield m.Grouped((*keys, *more)), 0.0
        case _:
            return


def _as_key(name: str, context: Context) -> float:
    """Return what grouping by a column costs: little for labels, more for numbers with many values."""
    if not context.is_measure(name):
        return 0.0
    return 0.1 if context.profile.column(name).distinct <= FEW_VALUES else 0.35


def conditions(left: Meaning, right: Meaning, between: frozenset[str], context: Context) -> Found:
    """Read "severity > 3", "weather is Rain", "not clear", "between 3 and 5", "starting with A"."""
    match left, right:
        case (m.WhereWord(), m.Condition() as condition):
            yield condition, -0.02
        case (m.Comparison(op), m.Number(value)):
            yield m.HalfComparison(op, value, _number_type(value)), 0.0
        case (m.Comparison(CompareOp.EQ | CompareOp.NE as op), m.Quote(text)):
            yield m.HalfComparison(op, text, ColumnType.TEXT), 0.0
        case (m.Comparison(CompareOp.EQ), m.Condition() as condition):
            yield condition, 0.0
        case (m.Comparison(CompareOp.NE) | m.Not(), m.Condition(predicate)):
            yield m.Condition(negate(predicate)), 0.0
        case (m.Column(name), m.HalfComparison() as half) | (m.HalfComparison() as half, m.Column(name)):
            yield from _compared(name, half, context)
        case (m.Column(name), m.Condition(predicate)) if _about(predicate) == name:
            yield m.Condition(predicate), -0.02
        case (m.Condition(predicate), m.Column(name)) if _about(predicate) == name:
            yield m.Condition(predicate), -0.02
        case (m.Condition() as condition, m.RowNoun(_, False)):
            yield condition, 0.0
        case (m.Number(value), m.Column(name)) if context.is_number(name):
            yield from _compared(name, m.HalfComparison(CompareOp.EQ, value, _number_type(value)), context, 0.2)
        case (m.Column(name), m.Number(value)) if context.is_number(name) and not (context.dates and value in YEARS):
            yield from _compared(name, m.HalfComparison(CompareOp.EQ, value, _number_type(value)), context, 0.4)
        case (m.Column(name), m.Quote(text)) if context.type_of(name) is ColumnType.TEXT:
            yield m.Condition(_equals(name, text)), 0.1
        case (m.Matching(mode), m.Quote(text) | m.RowNoun(text, True)):
            yield m.HalfMatch(mode, text), 0.0
        case (m.Matching(mode), m.Value(_, text)):
            yield m.HalfMatch(mode, text), 0.1
        case (m.Column(name), m.HalfMatch(mode, text)) if context.type_of(name) is ColumnType.TEXT:
            literal = Lit(value=text, type=ColumnType.TEXT)
            yield m.Condition(TextMatch(mode=mode, operand=Col(name=name), text=literal)), 0.0
        case (m.Column(name), m.MissingWord()) | (m.MissingWord(), m.Column(name)):
            yield m.Condition(IsMissing(operand=Col(name=name))), 0.05
        case (m.Between(), m.Range() as range_):
            yield range_, 0.0
        case (m.Column(name), m.Range(low, high)) if context.is_number(name):
            ends = [Compare(op=op, left=Col(name=name), right=_number(v)) for op, v in ((">=", low), ("<=", high))]
            yield m.Condition(All(terms=tuple(ends))), 0.0
        case _:
            return


def _compared(name: str, half: m.HalfComparison, context: Context, cost: float = 0.0) -> Found:
    type_ = context.type_of(name)
    if type_.is_number and half.type.is_number:
        yield m.Condition(Compare(op=half.op, left=Col(name=name), right=_number(half.value))), cost
    elif type_ is ColumnType.TEXT and half.type is ColumnType.TEXT:
        literal = Lit(value=half.value, type=ColumnType.TEXT)
        yield m.Condition(Compare(op=half.op, left=Col(name=name), right=literal)), cost


def times(left: Meaning, right: Meaning, between: frozenset[str], context: Context) -> Found:
    """Read "in 2020", "since 2015", "before 2020-03-01"."""
    if not context.dates:
        return
    match left, right:
        case (m.WhereWord(), m.Number(int() as year)) if year in YEARS:
            yield m.YearCondition(year, CompareOp.EQ), 0.02
        case (m.TimeSide(op), m.Number(int() as year)) if year in YEARS:
            yield m.YearCondition(year, op), 0.0
        case (m.TimeSide(op), m.Moment(iso)):
            yield m.MomentCondition(iso, op), 0.0
        case (m.WhereWord(), m.Moment(iso)):
            yield m.MomentCondition(iso, CompareOp.EQ), 0.02
        case _:
            return


def joined(left: Meaning, right: Meaning, between: frozenset[str], context: Context) -> Found:
    """Read "3 and 5", "rain or snow", "clear and rain": two of a kind with a conjunction between them."""
    match left, right:
        case (m.Number(low), m.Number(high)) if low <= high and between & {"and", "to"}:
            yield m.Range(low, high), 0.0
        case (m.Condition(first), m.Condition(second)) if "or" in between:
            yield m.Condition(_either(first, second)), 0.0
        case (m.Condition(first), m.Condition(second)) if _about(first) == _about(second) and _is_choice(first, second):
            yield m.Condition(_either(first, second)), 0.02
        case _:
            return


def orders(left: Meaning, right: Meaning, between: frozenset[str], context: Context) -> Found:
    """Read "top 10 states", "the highest average price", "sorted by price descending"."""
    match left, right:
        case (m.Extreme(descending), m.Number(int() as count)) if 0 < count < 100_000:
            yield m.Best(count, descending), 0.0
        case (m.Number(int() as count), m.Extreme(descending)) if 0 < count < 100_000:
            yield m.Best(count, descending), 0.02
        case (m.Best(count, descending, None), m.Column(name)) if not context.is_measure(name):
            yield m.Best(count, descending, name), 0.0
        case (m.Best(_, _, None) as best, m.RowNoun()):
            yield best, 0.0
        case (m.Extreme(descending), m.Measured() as measured):
            yield m.Ordered(measured, descending), 0.0
        case (m.Extreme(descending), m.RowNoun() as noun):
            for counted, cost in _rows_counted(noun):
                if isinstance(counted, m.Measured):
                    yield m.Ordered(counted, descending), cost + 0.05
        case (m.Extreme(descending), m.Column(name)) if context.is_number(name):
            yield m.Ordered(m.Column(name), descending), 0.05
            function = AggregateFunction.MAX if descending else AggregateFunction.MIN
            yield m.Measured(function, name), 0.08
        case (m.MostCommon(descending), m.Column(name)):
            yield m.Commonest(name, descending), 0.0
        case (m.GroupWord(), m.Measured() as measured):
            yield m.Ordered(measured, None, hinted=True), 0.05
        case (m.GroupWord(), m.Column(name)) if context.is_number(name):
            yield m.Ordered(m.Column(name), None, hinted=True), 0.1
        case (m.SortWord(), m.Measured() | m.Column() as by):
            yield m.Ordered(by, None), 0.0
        case (m.SortWord(), m.Ordered() as ordered):
            yield ordered, 0.0
        case (m.Ordered(by, None, _), m.Direction(descending)):
            yield m.Ordered(by, descending), 0.0
        case _:
            return


PAIRS: tuple[Rule, ...] = (measures, groups, conditions, times, joined, orders)


def _equals(column: str, value: str) -> Compare:
    return Compare(op=CompareOp.EQ, left=Col(name=column), right=Lit(value=value, type=ColumnType.TEXT))


def _number_type(value: float) -> ColumnType:
    return ColumnType.INTEGER if isinstance(value, int) else ColumnType.REAL


def _number(value: float | str) -> Lit:
    if isinstance(value, str):
        raise TypeError(value)
    return Lit(value=value, type=_number_type(value))


def _about(predicate: Predicate) -> str | None:
    match predicate:
        case Compare(left=Col(name=name)) | IsIn(operand=Col(name=name)):
            return name
        case _:
            return None


def _is_choice(first: Predicate, second: Predicate) -> bool:
    return all(isinstance(p, IsIn) or (isinstance(p, Compare) and p.op is CompareOp.EQ) for p in (first, second))


def _either(first: Predicate, second: Predicate) -> Predicate:
    if _about(first) is not None and _about(first) == _about(second) and _is_choice(first, second):
        values = (*_choices(first), *_choices(second))
        return IsIn(operand=Col(name=str(_about(first))), values=values)
    return AnyOf(terms=(first, second))


def _choices(predicate: Predicate) -> tuple[Lit, ...]:
    match predicate:
        case IsIn():
            return predicate.values
        case Compare(right=Lit() as value):
            return (value,)
        case _:
            return ()
