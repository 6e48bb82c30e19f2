"""Days, weeks or months on which an amount passed a limit: "days with revenue above 300" asks for the totals of days.

The condition is read by itself. Where a day has several rows, one of them may pass a limit that the day does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.limits.compared_in_sum import compares_amounts
from jupyter_mcpgen.nl.around.limits.limits import Limit, amounts_limited
from jupyter_mcpgen.nl.around.limits.limits_in_sum import names_single_rows
from jupyter_mcpgen.nl.computed.column import free_name
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.amounts.counts import has_rows_of_days
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import Answered, Read, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.nl.tables.written import ways, with_texts_read
from jupyter_mcpgen.plan.expressions import (
    All,
    Col,
    Columns,
    Compare,
    DatePart,
    DateUnit,
    Predicate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_DAY = "day"


def read_limits_of_periods(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with a limit on an amount of days as one on the total of each day."""
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("limits_of_periods"))
    if found is not None and not table.context.dates and len(known := ways(profile)) == 1 and _has_dates(known[0][1]):
        way, typed = known[0]
        return with_texts_read(read_limits_of_periods(question, typed, language, read), way, profile)
    date = _date(found, table) if found is not None else None
    if found is None or date is None or names_single_rows(found["condition"], table.context, language):
        return read(question, profile, language)
    inside = found.said("inside") if found["year"] else ""
    rows = read(found.said("with" if found["beside"] else "where", inside=inside), profile, language)
    made = _of_periods(rows.winner, found, date, table) if isinstance(rows, Answered) else ()
    if len(made) == 1:
        return Answered(made[0])
    if made:
        return asking_which(made)
    meant = read(question, profile, language)
    by_rows = isinstance(meant, Answered) and _limits_rows(meant.winner.plan, table.context)
    if by_rows and not has_rows_of_days(table):
        return Refused(found.said("rows", said=question.strip(), unit=found.meant("unit")))
    return meant


def _has_dates(profile: Profile) -> bool:
    return any(field.type is ColumnType.DATE for field in profile.schema_.fields)


def _date(found: Found, table: Table) -> str | None:
    """Return the date whose periods are meant, where one of them may have several rows."""
    context = table.context
    if found.meant("unit") == _DAY and context.has_a_row_per_day:
        return None  # the rows of such a table are read as days
    return context.dates[0] if len(context.dates) == 1 else own_date(context)


def _of_periods(rows: Reading, found: Found, date: str, table: Table) -> tuple[Reading, ...]:
    """Return the periods whose figure keeps the limit: their total, and their mean where it may be one as well."""
    steps = rows.plan.steps
    kept = [step.predicate for step in steps if isinstance(step, Filter)]
    before = tuple(step for step in steps if isinstance(step, Derive))
    if len(kept) + len(before) != len(steps):
        return ()
    terms = [term for predicate in kept for term in terms_of(predicate)]
    limits = [limit for predicate in kept for limit in amounts_limited(predicate, table.context, surely=False)]
    compared = [term for term in terms if isinstance(term, Compare) and compares_amounts(term, table.context)]
    if len(compared) == 1 and not limits:
        others = [term for term in terms if term is not compared[0]]
        made_of_two = _of_two_sums(rows, compared[0], (*before, *_filters(others)), found, date, table)
        return (made_of_two,) if made_of_two is not None else ()
    names = {limit.column for limit in limits}
    if len(names) != 1:
        return ()
    name = names.pop()
    amount = table.context.adds_up(name) is True or table.context.counts_things(name)
    of_one = len(limits) < len(terms)
    if found.meant("unit") == _DAY and has_rows_of_days(table) and (of_one or not amount):
        return ()  # the rows of such a table are read as days of one place each
    functions: tuple[AggregateFunction, ...] = (AggregateFunction.SUM,)
    if table.context.adds_up(name) is None and not table.context.counts_things(name):
        functions = (*functions, AggregateFunction.MEAN)
    limiting = [limit.term for limit in limits]
    others = [term for term in terms if term not in limiting]
    made = (
        _made(rows, function, name, limits, (*before, *_filters(others)), found, date, table) for function in functions
    )
    return tuple(reading for reading in made if reading is not None)


def _of_two_sums(
    rows: Reading, compared: Compare, before: tuple[Step, ...], found: Found, date: str, table: Table
) -> Reading | None:
    """Return the periods in which one amount is in all more than another: days where the cost exceeded the revenue."""
    left, right = compared.left, compared.right
    if not isinstance(left, Col) or not isinstance(right, Col):
        return None
    figures = tuple(Measure(function=AggregateFunction.SUM, column=Col(name=col.name)) for col in (left, right))
    sides = {"left": Col(name=figures[0].name), "right": Col(name=figures[1].name)}
    kept = [compared.model_copy(update=sides)]
    note = found.said("note", column=left.name, unit=found.meant("unit"))
    return _kept_periods(rows, figures, kept, before, note, found, date, table)


def _made(
    rows: Reading,
    function: AggregateFunction,
    name: str,
    limits: list[Limit],
    before: tuple[Step, ...],
    found: Found,
    date: str,
    table: Table,
) -> Reading | None:
    figure = Measure(function=function, column=Col(name=name))
    kept = [limit.on_figure(figure.name) for limit in limits]
    note = found.said("note", column=name, unit=found.meant("unit"))
    return _kept_periods(rows, (figure,), kept, before, note, found, date, table)


def _kept_periods(
    rows: Reading,
    figures: tuple[Measure, ...],
    kept: Sequence[Predicate],
    before: tuple[Step, ...],
    note: str,
    found: Found,
    date: str,
    table: Table,
) -> Reading | None:
    """Return the periods whose figures keep a condition, or how many there are."""
    unit = found.meant("unit")
    period = free_name(unit, table.context.profile)
    steps = (
        *before,
        Derive(name=period, expression=DatePart(unit=DateUnit(f"start_of_{unit}"), operand=Col(name=date))),
        Aggregate(by=Columns(names=(period,)), measures=figures),
        *_filters(list(kept)),
        Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT, column=None),))
        if found["how"]
        else Sort(keys=(SortKey(column=period),)),
    )
    return rows.with_steps(
        steps, assumptions=(note, *rows.assumptions)
    )  # a column of the table has the name of the figure


def _limits_rows(plan: Plan, context: Context) -> bool:
    """Tell whether a plan counts the rows of periods that pass a limit themselves."""
    periods, limited = set[str](), False
    for step in plan.steps:
        match step:
            case Derive(name=name, expression=DatePart()):
                periods.add(name)
            case Filter(predicate=predicate):
                limited = limited or any(amounts_limited(predicate, context, surely=False))
            case Aggregate(by=by, measures=measures):
                counted = all(measure.function is AggregateFunction.COUNT for measure in measures)
                return limited and counted and bool(periods & set(by.names))
    return False


def _filters(terms: list[Predicate]) -> tuple[Filter, ...]:
    if not terms:
        return ()
    return (Filter(predicate=terms[0] if len(terms) == 1 else All(terms=tuple(terms))),)
