"""Rates in percent that are added up because a total is asked for: it is no efficiency of anything, and says so."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction
from jupyter_mcpgen.plan.writings import NumberWriting

_PERCENT = "%"


def noting_added_rates(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning that says so where it adds up percentages: 30 % and 40 % of two wholes are 70 % of none."""
    if not isinstance(meant, Answered):
        return meant
    measures = [one for step in meant.winner.plan.steps if isinstance(step, Aggregate) for one in step.measures]
    summed = [one.column.name for one in measures if one.column is not None and one.function is AggregateFunction.SUM]
    rate = next((name for name in summed if name in context.column_words and _is_in_percent(name, context)), None)
    if rate is None:
        return meant
    note = f"`{rate}` holds percentages: their total is a percentage of nothing. Ask for the average if that is meant."
    return replace(meant, winner=replace(meant.winner, assumptions=(note, *meant.winner.assumptions)))


def _is_in_percent(name: str, context: Context) -> bool:
    known = context.column(name)
    written = (way.writing for way in known.written)
    in_percent = known.kind is Kind.PERCENT or known.unit == _PERCENT
    return in_percent or any(isinstance(w, NumberWriting) and "%" in w.suffixes for w in written)
