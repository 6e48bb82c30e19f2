"""Kinds of money counted: "overtime pay by department" may be rows of a kind, or what was paid of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Case, Col, Compare, CompareOp, Lit, Predicate, When, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Step

MOST_AMOUNTS = 3
"""How many columns of money a question back offers."""
_NUMBER = "_count"


def asking_rows_or_money(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Ask where rows of a kind of money are counted, and neither rows nor their number are asked for."""
    kinds = load_vocabulary(language).words("kinds_of_money")
    if not kinds or not isinstance(meant, Answered) or _asks_for_rows(question, context):
        return meant
    aggregates = [step for step in meant.winner.plan.steps if isinstance(step, Aggregate)]
    if len(aggregates) != 1 or not all(_counts_rows(one) for one in aggregates[0].measures):
        return meant
    aggregate = aggregates[0]
    values = {word for value in _values(meant.winner.plan.steps) for word in value.casefold().split()}
    amounts = [name for name in context.column_words if context.is_of_money(name) and context.adds_up(name) is True]
    named = {context.plain(word) for word in values} & kinds
    if not _begins_with(named, question, context) or not amounts:
        return meant
    sums = [made for name in amounts[:MOST_AMOUNTS] if (made := _summed(meant.winner, aggregate, name)) is not None]
    if not sums:
        return meant
    options = (*sums, meant.winner)
    return asking_which(options, how=IN_ITS_WORDS)


def _asks_for_rows(question: str, context: Context) -> bool:
    """Tell whether a question says that it counts, or names what a row is."""
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    meanings = [meaning for phrase in (*words, *pairs) for meaning in context.lexicon.meanings(phrase)]
    counts = any(isinstance(one, m.CountWord | m.CountWhere | m.RowNoun | m.ChartWord) for one in meanings)
    plurals = {context.plain(word) for word in words if context.lexicon.base(word) != word}
    return counts or bool(plurals & context.row_nouns)  # "pay" of a table of pay is no row


def _begins_with(kinds: set[str], question: str, context: Context) -> bool:
    """Tell whether a question is about kinds: "overtime by team", and not "employees with overtime"."""
    for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma):
        if context.plain(token.lower) in kinds:
            return True
        if token.lower not in context.lexicon.words:
            return False
    return False


def _counts_rows(measure: Measure) -> bool:
    return measure.function is AggregateFunction.COUNT and measure.column is None


def _values(steps: tuple[Step, ...]) -> Iterator[str]:
    """Yield the texts that rows must have, or that are counted apart."""
    conditions: list[Predicate] = [step.predicate for step in steps if isinstance(step, Filter)]
    measures = [one for step in steps if isinstance(step, Aggregate) for one in step.measures]
    conditions += [one.where for one in measures if one.where is not None]
    for term in (term for condition in conditions for term in terms_of(condition)):
        match term:
            case Compare(op=CompareOp.EQ, left=Col(), right=Lit(value=str() as value)):
                yield value
            case _:
                pass


def _summed(reading: Reading, counted: Aggregate, name: str) -> Reading | None:
    """Return a reading that adds up a column where it counted rows; None where no plan does so."""
    plan = reading.plan
    place = plan.steps.index(counted)
    own: list[Step] = []
    sums: tuple[Measure, ...] = ()
    for one in counted.measures:
        column = Col(name=name)
        if one.where is not None:  # only numbers of rows have a condition of their own
            column = Col(name=f"{one.name.removesuffix(_NUMBER)}_{name}")
            kept = Case(branches=(When(condition=one.where, value=Col(name=name)),))
            own.append(Derive(name=column.name, expression=kept))
        sums = (*sums, Measure(function=AggregateFunction.SUM, column=column))
    called = {one.name: two.name for one, two in zip(counted.measures, sums, strict=True)}
    later = tuple(called_otherwise(step, called) for step in plan.steps[place + 1 :])
    chart = called_otherwise(plan.chart, called) if plan.chart is not None else None
    steps = (*plan.steps[:place], *own, counted.model_copy(update={"measures": sums}), *later)
    return reading.with_steps(steps, chart)
