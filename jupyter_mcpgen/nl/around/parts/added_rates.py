"""Rates in percent that are added up because a total is asked for: it is a percentage of nothing.

"Total commission" over a column of rates asks for an amount that no column holds, so it is refused. Where the rate is
named in full, its sum says what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive
from jupyter_mcpgen.plan.plan import Plan

_PERCENT = "%"


def settling_added_rates(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning that says so where it adds up percentages: 30 % and 40 % of two wholes are 70 % of none."""
    if isinstance(meant, Refused):
        return meant
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options
    summed = (name for way in ways for name in _summed(way.plan))
    rate = next((name for name in summed if name in context.column_words and is_in_percent(name, context)), None)
    if rate is None:
        return meant
    if not _is_named_in_full(rate, question, context) or any(_is_set_against(rate, way.plan) for way in ways):
        return Refused(
            f"`{rate}` holds percentages, which cannot be added up, and no column holds their amounts. Ask for the "
            f"average `{rate}`, or for the total of an amount times `{rate}`.",
            words=(rate,),
        )
    if isinstance(meant, Asked):
        return meant
    note = f"`{rate}` holds percentages, and their total has no meaning. Ask for the average instead."
    return replace(meant, winner=replace(meant.winner, assumptions=(note, *meant.winner.assumptions)))


def _summed(plan: Plan) -> Iterator[str]:
    """Yield the columns that a plan adds up."""
    for step in plan.steps:
        for one in step.measures if isinstance(step, Aggregate) else ():
            if one.column is not None and one.function is AggregateFunction.SUM:
                yield one.column.name


def _is_set_against(rate: str, plan: Plan) -> bool:
    """Tell whether a plan computes with the sum of percentages: a part of it is a part of nothing."""
    aggregates = [step for step in plan.steps if isinstance(step, Aggregate)]
    sums = {
        one.name
        for step in aggregates
        for one in step.measures
        if one.column is not None and one.column.name == rate and one.function is AggregateFunction.SUM
    }
    return any(isinstance(step, Derive) and sums & set(names_in(step.expression)) for step in plan.steps)


def _is_named_in_full(name: str, question: str, context: Context) -> bool:
    """Tell whether every word of a column's name is said, and that it is a percentage where only a sign tells."""
    own = set(context.column_words[name])
    said = {context.plain(token.lower) for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)}
    told = _PERCENT not in name or _PERCENT in question or own & context.lexicon.intensive
    return own <= said and bool(told)


def is_in_percent(name: str, context: Context) -> bool:
    """Tell whether a column holds percentages, by its name or by how its cells are written."""
    known = context.column(name)
    written = (way.writing for way in known.written)
    in_percent = known.kind is Kind.PERCENT or known.unit == _PERCENT
    return in_percent or any(isinstance(w, NumberWriting) and "%" in w.suffixes for w in written)
