"""A limit that stands at a column before the groups: "average discount above 0 by stand" limits rows or groups."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.words.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.plan.expressions import Col, Compare, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure
from jupyter_mcpgen.plan.plan import Plan

_OF_A_CELL = (AggregateFunction.MEAN, AggregateFunction.MEDIAN, AggregateFunction.MAX, AggregateFunction.MIN)
"""Figures that lie among the cells, so that a limit may be of both."""


def asking_which_limit(meant: Understanding, question: str, context: Context) -> Understanding:
    """Ask where a limit keeps groups by their figure, and may as well choose the rows of which the figure is."""
    if not isinstance(meant, Answered) or not _limit_stands_first(question, context):
        return meant
    other = _of_rows(meant.winner)
    if other is None:
        return meant
    options = (other, meant.winner)
    return asking_which(options, how=IN_ITS_WORDS)


def _limit_stands_first(question: str, context: Context) -> bool:
    """Tell whether a question begins with a calculation, and its number stands before what groups rows."""
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    number = next((at for at, token in enumerate(tokens) if token.kind is TokenKind.NUMBER), None)
    group = next((at for at, token in enumerate(tokens) if _means(token, m.GroupWord, context)), None)
    if number is None or group is None or number > group:
        return False
    chooses = any(_means(token, m.WhereWord, context) for token in tokens[:number])
    return _means(tokens[0], m.Function, context) and not chooses


def _means(token: Token, kind: type, context: Context) -> bool:
    return any(isinstance(meaning, kind) for meaning in context.lexicon.meanings(token.lower))


def _of_rows(reading: Reading) -> Reading | None:
    """Return the reading in which the limit chooses rows; None where a plan keeps no groups by one such figure."""
    plan = reading.plan
    for place, step in enumerate(plan.steps):
        if not isinstance(step, Aggregate) or not step.by.names or len(step.measures) != 1:
            continue
        for later, kept in enumerate(plan.steps[place + 1 :], place + 1):
            term = _limit(kept.predicate, step.measures[0]) if isinstance(kept, Filter) else None
            if term is None:
                continue
            first = next((at for at, one in enumerate(plan.steps) if not isinstance(one, Derive)), place)
            own = Filter(predicate=term)
            steps = (*plan.steps[:first], own, *plan.steps[first:later], *plan.steps[later + 1 :])
            try:
                made = Plan(source=plan.source, source_schema=plan.source_schema, steps=steps, chart=plan.chart)
            except PlanError:
                return None
            return replace(reading, plan=made)
    return None


def _limit(predicate: Predicate, measure: Measure) -> Compare | None:
    """Return the limit of a figure as one of the cells that it is made of."""
    match predicate:
        case Compare(left=Col(name=name), right=Lit(value=int() | float())) if (
            name == measure.name and measure.column is not None and measure.function in _OF_A_CELL
        ):
            return predicate.model_copy(update={"left": measure.column})
        case _:
            return None
