"""A figure that a question names and rows do not need: "fixed tariff usage" asks for usage, and not for those rows."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Parse
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Step

NEAR = 0.06
"""Two ways to compute the figure that are nearer than this are asked about."""


def heeding_figures(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or what computes the figure that it leaves unused where it shows whole rows."""
    if not isinstance(meant, Answered) or not _shows_rows(meant.winner):
        return meant
    said = {context.plain(token.lower) for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)}
    used = {name for step in meant.winner.plan.steps for name in names_in(step)}
    ways = [one for one in meant.alternatives if _computes_named(one, said, used, context)]
    if not ways:
        return meant
    near = [one for one in ways if one.cost - ways[0].cost < NEAR]
    if len(near) == 1:
        return Answered(ways[0], tuple(one for one in meant.alternatives if one is not ways[0]), ways[0].no_chart)
    return asking_which(near, how=IN_ITS_WORDS)


def _shows_rows(reading: Reading) -> bool:
    """Tell whether a plan shows whole rows that conditions choose, in no order and up to no number."""
    steps = [step for step in reading.plan.steps if not _reads_texts(step)]
    return bool(steps) and reading.plan.chart is None and all(isinstance(step, Filter) for step in steps)


def _reads_texts(step: Step) -> bool:
    return isinstance(step, Derive) and isinstance(step.expression, Parse)


def _computes_named(reading: Reading, said: set[str], used: set[str], context: Context) -> bool:
    """Tell whether a plan computes, over all its rows, a figure whose name stands in the question unused."""
    aggregates = [step for step in reading.plan.steps if isinstance(step, Aggregate)]
    if len(aggregates) != 1 or aggregates[0].by.names:
        return False
    names = [one.column.name for one in aggregates[0].measures if one.column is not None]
    return bool(names) and all(name not in used and _is_said(name, said, context) for name in names)


def _is_said(name: str, said: set[str], context: Context) -> bool:
    own = set(context.column_words.get(name, ()))
    needed = own - context.optional_words[name] if own else own
    return bool(needed or own) and (needed or own) <= said and context.is_measure(name)
