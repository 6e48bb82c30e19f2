"""Averages per what has several rows: "average hours per employee" may be of their totals or of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.repeated.once_each import figures_of_rows
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Measure, Resample, Sort
from jupyter_mcpgen.plan.plan import Plan

_AVERAGES = (AggregateFunction.MEAN, AggregateFunction.MEDIAN)
MOST_WORDS = 3
"""Of how many words the noun behind "per" is."""


@dataclass(frozen=True)
class _Averaged:
    """A plan's average of the rows of each of something, and the words of the question about it."""

    first: Aggregate | Resample
    measure: Measure
    amount: str
    each: str | None
    """The column that what has several rows is told apart by; None where it is the periods of a date."""
    numbered: bool
    """Whether the question asks for the number of what the amount counts."""


def asking_rows_or_totals(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or ask where an amount is averaged per person, identifier or period that has several rows.

    The average may be one of their totals, or that of the rows of each. Of the number of something it is one of totals.
    Of other labels, such as a city, it is that of the rows, and says so.
    """
    if not isinstance(meant, Answered):
        return meant
    table = Table(context, load_vocabulary(language))
    averaged = _averaged(meant.winner.plan, question, context)
    if averaged is None:
        return meant
    plan = _of_totals(meant.winner.plan, averaged)
    each = averaged.each
    if plan is None or (each is not None and not _has_totals(each, table)):
        told = f"`{each}`" if each is not None else "period"
        return _noting(meant, f"This is the average of the rows of each {told}, not of their totals.")
    if context.adds_up(averaged.amount) is None and not context.counts_things(averaged.amount):
        return _noting(meant, f"`{averaged.amount}` is averaged over the rows of each, not over their totals.")
    own = replace(meant.winner, plan=plan)
    if averaged.numbered or (each is not None and context.names_rows(each)):
        note = f"`{averaged.amount}` is added up for each `{each}`, and these totals are averaged."
        return Answered(replace(own, assumptions=(*own.assumptions, note)), no_chart=meant.no_chart)
    ways = (own, meant.winner)
    return asking_which(ways, f"The average of `{averaged.amount}` may be one of totals, or that of the rows of each. ")


def _noting(meant: Answered, note: str) -> Answered:
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))


def _averaged(plan: Plan, question: str, context: Context) -> _Averaged | None:
    """Return the one average of an amount that a plan takes of the rows of what stands behind "per"."""
    first = figures_of_rows(plan)
    if first is None or len(first.measures) != 1:
        return None
    measure = first.measures[0]
    amount = measure.column.name if measure.column is not None else ""
    fitting = measure.function in _AVERAGES and measure.where is None and amount in context.column_words
    if not fitting or context.adds_up(amount) is False:
        return None
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    made = {step.name for step in plan.steps if isinstance(step, Derive)}
    numbered = any(isinstance(meaning, m.CountWord) for word in words for meaning in context.lexicon.meanings(word))
    for nouns in _behind_each(words, context):
        for name in first.by.names:
            named = set(context.column_words.get(name, ())[:1]) & set(nouns)
            if named and not context.is_key(name):
                return _Averaged(first, measure, amount, name, numbered)
        of_period = isinstance(first, Resample) or (len(first.by.names) == 1 and set(first.by.names) <= made)
        if of_period and any(_names_a_time(noun, context) for noun in nouns):
            return _Averaged(first, measure, amount, None, numbered=False)
    return None


def _behind_each(words: list[str], context: Context) -> Iterator[list[str]]:
    """Yield the plain words behind each "per" and "for each"."""
    for place, word in enumerate(words):
        if m.GroupWord(each=True) in context.lexicon.meanings(word):
            behind = takewhile(lambda noun: not _groups(noun, context), words[place + 1 : place + 1 + MOST_WORDS])
            yield [context.plain(noun) for noun in behind]


def _names_a_time(noun: str, context: Context) -> bool:
    """Tell whether a noun is a period, or what a date is of: a day of `match_date` is one match."""
    units = any(isinstance(meant, m.Unit) for meant in context.lexicon.meanings(noun))
    return units or any(noun in context.column_words[name] for name in context.dates)


def _groups(word: str, context: Context) -> bool:
    """Tell whether other groups begin with a word: the months of "per batch by month" are not of the "per"."""
    return any(isinstance(meaning, m.GroupWord) for meaning in context.lexicon.meanings(word))


def _has_totals(name: str, table: Table) -> bool:
    """Tell whether a column tells persons, things or periods apart that have totals of their own."""
    known = table.context.column(name)
    return told_apart(name, table) is not None or persons.names_persons(name, table) or known.kind is Kind.PERIOD


def _of_totals(plan: Plan, averaged: _Averaged) -> Plan | None:
    """Return the average of totals; None where a plan does more with the averages than to sort them."""
    first, measure, names = averaged.first, averaged.measure, averaged.first.by.names
    place = plan.steps.index(first)
    rest = plan.steps[place + 1 :]
    kept = tuple(name for name in names if name != averaged.each)
    if averaged.each is None:
        kept = names if isinstance(first, Resample) else ()
    if not all(isinstance(step, Sort) for step in rest):
        return None
    total = Measure(function=AggregateFunction.SUM, column=Col(name=averaged.amount))
    over = measure.model_copy(update={"column": Col(name=total.name), "label": measure.name if kept else None})
    steps = (
        *plan.steps[:place],
        first.model_copy(update={"measures": (total,)}),
        Aggregate(by=Columns(names=kept), measures=(over,)),
        *(rest if kept else ()),
    )
    try:
        return plan.with_steps(steps, plan.chart if kept else None)
    except PlanError:
        return plan.with_steps(steps)
