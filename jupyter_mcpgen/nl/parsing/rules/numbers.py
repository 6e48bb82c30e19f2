"""Phrases for what is computed: "average price", "number of rows", "mean and median salary"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import (
    COUNT_ROWS,
    FREE,
    LOOSE,
    MANY_GROUPS,
    SLIGHT,
    SURE,
    USUAL,
    Found,
    rule,
)
from jupyter_mcpgen.nl.predicates import about, is_true, says_no
from jupyter_mcpgen.nl.tables.counted_money import is_counted_money
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType


@rule(m.Function, m.Column)
def _function_of(function: m.Function, column: m.Column, context: Context) -> Found:
    if fits(function, column.name, context):
        yield m.Measured(function.function, column.name), SURE
    elif context.is_number(column.name) and not function.dates_only:
        yield m.Measured(function.function, column.name), USUAL  # kept only where the groups are named too


@rule(m.Column, m.Function)
def _named_then_function(column: m.Column, function: m.Function, context: Context) -> Found:
    if fits(function, column.name, context):
        yield m.Measured(function.function, column.name), MANY_GROUPS


@rule(m.Function, m.Measured)
def _total_number(function: m.Function, measured: m.Measured, context: Context) -> Found:
    if function.function is F.SUM and measured.function is F.COUNT and measured.column is None:
        yield measured, SLIGHT


@rule(m.Function, m.Measured, m.And)
def _functions(function: m.Function, measured: m.Measured, context: Context) -> Found:
    if measured.column is not None and fits(function, measured.column, context):
        yield m.Several((m.Measured(function.function, measured.column), measured)), SURE


@rule(m.Function, m.Several, m.And)
def _more_functions(function: m.Function, several: m.Several, context: Context) -> Found:
    for meaning, cost in _functions(function, several.measures[0], context):
        if isinstance(meaning, m.Several):
            yield m.Several((meaning.measures[0], *several.measures)), cost


@rule(m.Measured, m.Column, m.And)
def _columns_measured(measured: m.Measured, column: m.Column, context: Context) -> Found:
    known = measured.column is not None and measured.function not in (F.COUNT, F.COUNT_DISTINCT)
    is_text = context.type_of(column.name) is ColumnType.TEXT
    if measured == COUNT_ROWS and is_text and not context.names_rows(column.name):
        yield m.Several((measured, m.Measured(F.COUNT_DISTINCT, column.name))), SURE
    if known and takes(measured.function, column.name, context):
        yield m.Several((measured, m.Measured(measured.function, column.name))), SURE


@rule(m.Measured, m.Column, m.Versus)
def _figures_compared(measured: m.Measured, column: m.Column, context: Context) -> Found:
    if measured.column not in (None, column.name) and context.is_measure(column.name):
        for meaning, _ in _columns_measured(measured, column, context):
            yield meaning, SLIGHT


@rule(m.Several, m.Column, m.And)
def _more_columns(several: m.Several, column: m.Column, context: Context) -> Found:
    for meaning, cost in _columns_measured(several.measures[-1], column, context):
        if isinstance(meaning, m.Several) and len({each.function for each in several.measures}) == 1:
            yield m.Several((*several.measures, meaning.measures[1])), cost


@rule(m.RowNoun, m.Column, m.And)
def _rows_and(noun: m.RowNoun, column: m.Column, context: Context) -> Found:
    if not noun.assumed and context.is_measure(column.name):
        yield m.RowsAnd(column.name), -FREE


@rule(m.Column, m.RowNoun, m.And)
def _and_rows(column: m.Column, noun: m.RowNoun, context: Context) -> Found:
    yield from _rows_and(noun, column, context)


@rule(m.Column, m.Measured, m.And)
def _label_and_figure(column: m.Column, measured: m.Measured, context: Context) -> Found:
    if not context.is_measure(column.name) and measured.column not in (None, column.name):
        yield m.LabelAnd(column.name, (measured,)), -FREE


@rule(m.Column, m.Several, m.And)
def _label_and_figures(column: m.Column, several: m.Several, context: Context) -> Found:
    if not context.is_measure(column.name) and all(each.column != column.name for each in several.measures):
        yield m.LabelAnd(column.name, several.measures), -FREE


@rule(m.Column, m.RowNoun, m.Of)
def _column_of_rows(column: m.Column, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed and not noun.each:
        yield column, SURE


@rule(m.Column, m.Several, m.Of)
def _label_of_rows_and_figures(column: m.Column, several: m.Several, context: Context) -> Found:
    if several.measures[0] == COUNT_ROWS:  # in "the position of players and their average age" nobody counts players
        for meaning, cost in _label_and_figures(column, m.Several(several.measures[1:]), context):
            yield meaning, cost - FREE


@rule(m.Listed, m.Several, m.Of)
def _different_of_rows_and_figures(listed: m.Listed, several: m.Several, context: Context) -> Found:
    yield from _label_of_rows_and_figures(m.Column(listed.column), several, context)


@rule(m.Column, m.Column, m.Of)
def _label_of_rows(label: m.Column, column: m.Column, context: Context) -> Found:
    if context.is_key(column.name) and not context.is_measure(column.name) and label != column:
        yield label, LOOSE


@rule(m.Measured, m.Column, m.Of)
def _figure_of_rows(measured: m.Measured, column: m.Column, context: Context) -> Found:
    of_rows = context.is_key(column.name) and not context.is_measure(column.name)
    if of_rows and measured.column not in (None, column.name):
        yield measured, USUAL  # with a row for each `school`, "the total enrollment of schools" is that of the rows


@rule(m.Measured, m.RowNoun, m.And)
def _measured_and_rows(measured: m.Measured, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed and measured.column is not None and is_many(noun, context):
        yield m.Several((measured, COUNT_ROWS)), -FREE


@rule(m.RowNoun, m.Measured, m.And)
def _rows_and_measured(noun: m.RowNoun, measured: m.Measured, context: Context) -> Found:
    if not noun.assumed and measured.column is not None and is_many(noun, context):
        yield m.Several((COUNT_ROWS, measured)), -FREE


@rule(m.Function, m.CountWord)
def _average_number(function: m.Function, word: m.CountWord, context: Context) -> Found:
    if function.function is not F.SUM and not word.trailing:
        yield function, FREE  # "the average number of points" is the average of the points


@rule(m.CountWord, m.RowNoun)
def _rows_counted(word: m.CountWord, noun: m.RowNoun, context: Context) -> Found:
    yield from counted_rows(noun, context)


@rule(m.Function, m.RowNoun)
def _rows_in_all(function: m.Function, noun: m.RowNoun, context: Context) -> Found:
    if function.function is F.SUM and noun.noun != "rows":
        yield from ((meaning, cost + FREE) for meaning, cost in counted_rows(noun, context))


@rule(m.RowNoun, m.CountWord)
def _rows_count(noun: m.RowNoun, word: m.CountWord, context: Context) -> Found:
    if word.trailing:
        yield m.Measured(F.COUNT, None, noun.noun if noun.assumed else None), SLIGHT


def counted_rows(noun: m.RowNoun, context: Context) -> Found:
    """Yield what counting a noun means: rows, where the noun stands for a row or can be taken to."""
    if noun.amount:
        yield m.Measured(F.COUNT, None, noun.noun), SURE
    elif not noun.assumed:
        yield COUNT_ROWS, SURE
    elif is_many(noun, context):
        yield m.Measured(F.COUNT, None, noun.noun), SURE  # only a plural is something to count


def is_many(noun: m.RowNoun, context: Context) -> bool:
    """Tell whether a noun is written as a plural."""
    return context.lexicon.base(noun.noun.casefold()) != noun.noun.casefold()


@rule(m.CountWord, m.Column)
def _number_of(word: m.CountWord, column: m.Column, context: Context) -> Found:
    unit = period_named(column.name, context)
    if unit is not None and not context.is_key(column.name):
        yield m.CountedPeriods(column.name, unit), SURE
    elif context.type_of(column.name) is not ColumnType.BOOLEAN:
        labels = not context.is_measure(column.name)
        unique = labels and context.column(column.name).distinct == context.profile.rows
        own = set(context.column_words[column.name]) if column.name in context.column_words else set()
        amounts = bool(own) and own <= context.lexicon.bare_amounts and context.adds_up(column.name) is not False
        if not says_no(column.name, context) and not amounts:  # "how many use the bus" asks for no number of answers
            yield _counted(column.name, context), USUAL + (USUAL if unique else SURE)  # then rows are what is counted
        if happens_in_some(column.name, context):
            yield m.Measured(F.COUNT, column.name), USUAL  # "how many injuries": their kinds, or the rows with one
        if labels and not unique and context.is_called_as_rows(column.name):
            yield COUNT_ROWS, USUAL  # in `races`, the races may be the rows or the different values of `race`
        named = context.is_called_as_rows(column.name)  # the number of a loan in `loans` says which, not how many
        whole = context.adds_up(column.name) is not False and not is_counted_money(column.name, context)
        if context.is_measure(column.name) and whole and not named:
            yield m.Measured(F.SUM, column.name), USUAL  # "how many hours" asks for hours, or for how many were noted
    elif not word.trailing:
        yield m.MeasuredWhere(COUNT_ROWS, is_true(column.name)), USUAL  # "how many passed in each subject"


@rule(m.CountWord, m.BarePeriod)
def _number_of_periods(word: m.CountWord, period: m.BarePeriod, context: Context) -> Found:
    of_rows = period.unit is DateUnit.START_OF_DAY and context.has_a_row_per_day
    if not word.trailing and period.unit.is_period and not of_rows:
        yield m.CountedPeriods(period.column, period.unit), SURE


@rule(m.WhereWord, m.CountedPeriods)
def _on_how_many_periods(word: m.WhereWord, counted: m.CountedPeriods, context: Context) -> Found:
    yield counted, SURE


@rule(m.Function, m.BarePeriod)
def _different_periods(function: m.Function, period: m.BarePeriod, context: Context) -> Found:
    if function.function is F.COUNT_DISTINCT and period.unit.is_period:
        yield m.CountedPeriods(period.column, period.unit), SURE


@rule(m.AmountOf, m.Column)
def _amount_of(word: m.AmountOf, column: m.Column, context: Context) -> Found:
    if not context.is_measure(column.name):
        yield m.Measured(F.COUNT, column.name), USUAL
    elif context.adds_up(column.name) is not False:
        yield m.Measured(F.SUM, column.name), USUAL


@rule(m.AmountOf, m.RowNoun)
def _amount_of_rows(word: m.AmountOf, noun: m.RowNoun, context: Context) -> Found:
    yield from counted_rows(noun, context)


@rule(m.Column, m.CountWord)
def _name_then_count(column: m.Column, word: m.CountWord, context: Context) -> Found:
    if word.trailing:
        yield from _number_of(word, column, context)


@rule(m.CountWord, m.Condition)
def _count_where(word: m.CountWord, condition: m.Condition, context: Context) -> Found:
    yield m.CountWhere(condition.predicate), SURE


@rule(m.CountWord, m.ColumnWhere)
def _number_of_some(word: m.CountWord, some: m.ColumnWhere, context: Context) -> Found:
    if not word.trailing:
        yield m.MeasuredWhere(_counted(some.name, context), some.predicate), SLIGHT


@rule(m.Measured, m.ColumnWhere, m.Of)
def _figure_of_some_rows(measured: m.Measured, some: m.ColumnWhere, context: Context) -> Found:
    if context.is_key(some.name) and measured.column not in (None, some.name):
        yield m.MeasuredWhere(measured, some.predicate), USUAL


@rule(m.CountWhere, m.Column)
def _count_of_some(count: m.CountWhere, column: m.Column, context: Context) -> Found:
    if not says_no(column.name, context) and about(count.predicate) != column.name:
        yield m.MeasuredWhere(_counted(column.name, context), count.predicate), USUAL


@rule(m.CountWhere, m.RowNoun)
def _rows_of_some(count: m.CountWhere, noun: m.RowNoun, context: Context) -> Found:
    for meaning, cost in counted_rows(noun, context):
        if isinstance(meaning, m.Measured):
            yield m.MeasuredWhere(meaning, count.predicate), cost


@rule(m.HowMuch, m.Column)
def _how_much(word: m.HowMuch, column: m.Column, context: Context) -> Found:
    if context.is_measure(column.name) and context.adds_up(column.name):
        yield m.Measured(F.SUM, column.name), USUAL


def happens_in_some(name: str, context: Context) -> bool:
    """Tell whether a label is missing in most rows, so that having one tells of something that happened there."""
    mostly_missing = context.column(name).nulls * 2 > context.profile.rows
    return context.type_of(name) is ColumnType.TEXT and mostly_missing and not context.is_key(name)


def _counted(name: str, context: Context) -> m.Measured:
    if not context.is_measure(name):
        dated = context.type_of(name) is ColumnType.DATE
        return m.Measured(F.COUNT if dated else F.COUNT_DISTINCT, name, implied=True)
    amounts = context.adds_up(name) or context.counts_things(name)
    return m.Measured(F.SUM if amounts and not is_counted_money(name, context) else F.COUNT, name)


def period_named(name: str, context: Context) -> DateUnit | None:
    """Return the period that a date column is called by, such as the month of `month`."""
    if context.type_of(name) is not ColumnType.DATE:
        return None
    meanings = context.lexicon.meanings(context.column_words[name][-1])
    return next((one.unit for one in meanings if isinstance(one, m.Unit) and one.unit.is_period), None)


def fits(function: m.Function, name: str, context: Context) -> bool:
    """Tell whether a function in words means something of a column."""
    dated = context.type_of(name) is ColumnType.DATE
    return takes(function.function, name, context) and (dated or not function.dates_only)


def takes(function: F, name: str, context: Context) -> bool:
    """Tell whether a function of a column means something; the figures on a row's number mean nothing."""
    type_ = context.type_of(name)
    if function in (F.COUNT, F.COUNT_DISTINCT):
        return True
    if function in (F.MIN, F.MAX):
        return type_.is_number or type_ is ColumnType.DATE or bool(context.column(name).order)
    if type_ is ColumnType.BOOLEAN:
        return function in (F.SUM, F.MEAN)
    return context.is_measure(name)
