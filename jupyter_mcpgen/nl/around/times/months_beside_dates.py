"""Months that a column names beside a date of something else: arrivals "by month" beside the date of a later status."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Understanding, asking_which
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Col, Compare, DatePart, DateUnit, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Derive, Filter, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

MONTHS = 12
_OF_MONTHS = (DateUnit.START_OF_MONTH, DateUnit.MONTH)


def asking_which_month(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or ask where it takes months of a date that has nothing to do with a column of months."""
    if not isinstance(meant, Answered):
        return meant
    plan, columns = meant.winner.plan, tuple(_columns_of_months(context))
    dates = {date for step in plan.steps for date in _dates_of_months(step)}
    if len(dates) != 1 or len(columns) != 1 or _is_said(dates, question, context):
        return meant
    (date,), column = dates, columns[0]
    about = _words(column, context) - context.lexicon.generic  # a `month_name` says of nothing what it is the month of
    if not about or about & _words(date, context) or any(about & _words(name, context) for name in context.dates):
        return meant
    own = _by_column(plan, date, column, context)
    if own is None:
        return meant
    options = (replace(meant.winner, plan=own), meant.winner)
    return asking_which(options, f"`{column}` has months, and `{date}` may have others. ", how=IN_ITS_WORDS)


def _columns_of_months(context: Context) -> Iterator[str]:
    """Yield the columns that hold the names of months."""
    for name in context.column_words:
        known = context.column(name)
        few = context.type_of(name) is ColumnType.TEXT and known.complete and 1 < known.distinct <= MONTHS
        if few and all(_month(str(value), context) for value in known.values):
            yield name


def _month(text: str, context: Context) -> int | None:
    known = context.lexicon.meanings(text.casefold())
    return next((one.number for one in known if isinstance(one, m.PartValue) and one.unit is DateUnit.MONTH), None)


def _words(name: str, context: Context) -> set[str]:
    """Return the words of a column's name that say of what its months or dates are."""
    own = context.column_words[name]
    units = {word for word in own if any(isinstance(one, m.Unit) for one in context.lexicon.meanings(word))}
    return set(own) - units - load_vocabulary(context.lexicon.language).words("nouns_of_dates")


def _is_said(dates: set[str], question: str, context: Context) -> bool:
    """Tell whether a question has a word of the date's own name in it."""
    said = {context.plain(word.strip("?.,`").casefold()) for word in question.replace("_", " ").split()}
    return any(_words(date, context) & said for date in dates)


def _dates_of_months(step: Step) -> Iterator[str]:
    if isinstance(step, Derive) and (date := _month_of(step.expression)) is not None:
        yield date
    for term in terms_of(step.predicate) if isinstance(step, Filter) else ():
        if isinstance(term, Compare) and (date := _month_of(term.left)) is not None:
            yield date


def _month_of(node: object) -> str | None:
    match node:
        case DatePart(unit=unit, operand=Col(name=name)) if unit in _OF_MONTHS:
            return name
        case _:
            return None


def _by_column(plan: Plan, date: str, column: str, context: Context) -> Plan | None:
    """Return a plan with the months of a column in place of those of a date; None where they cannot take it."""
    derived = [step.name for step in plan.steps if isinstance(step, Derive) and _month_of(step.expression) == date]
    called = dict.fromkeys(derived, column)
    steps: list[Step] = []
    for step in plan.steps:
        if isinstance(step, Derive) and step.name in called:
            continue
        if isinstance(step, Filter):
            terms = tuple(_in_words(term, date, column, context) for term in terms_of(step.predicate))
            known = tuple(term for term in terms if term is not None)
            if len(known) < len(terms):
                return None
            steps.append(Filter(predicate=known[0] if len(known) == 1 else All(terms=known)))
            continue
        steps.append(called_otherwise(step, called))
    used = {name for step in steps if not (isinstance(step, Derive) and step.name == date) for name in names_in(step)}
    kept = tuple(step for step in steps if not (isinstance(step, Derive) and step.name == date) or date in used)
    chart = None if plan.chart is None else called_otherwise(plan.chart, called)
    return plan.tried(kept, chart)


def _in_words(term: Predicate, date: str, column: str, context: Context) -> Predicate | None:
    """Return a condition on the month of a date as one on the name of the month; None where no name says it."""
    if not isinstance(term, Compare) or _month_of(term.left) != date:
        return term
    wanted = term.right.value if isinstance(term.right, Lit) else None
    names = [str(value) for value in context.column(column).values if _month(str(value), context) == wanted]
    if not names:
        return None
    return Compare(op=term.op, left=Col(name=column), right=Lit(value=names[0], type=ColumnType.TEXT))
