"""Rates in percent that would be added up: "total efficiency by line" is no efficiency of anything."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction
from jupyter_mcpgen.plan.writings import NumberWriting

_PERCENT = "%"


def refusing_added_rates(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning, or a refusal where it adds up percentages: 30 % and 40 % of two wholes are 70 % of none."""
    if not isinstance(meant, Answered):
        return meant
    measures = [one for step in meant.winner.plan.steps if isinstance(step, Aggregate) for one in step.measures]
    summed = [one.column.name for one in measures if one.column is not None and one.function is AggregateFunction.SUM]
    rate = next((name for name in summed if name in context.column_words and _is_in_percent(name, context)), None)
    if rate is None:
        return meant
    return Refused(
        f"`{rate}` holds percentages, and a total of percentages is a percentage of nothing, so nothing was computed. "
        f"Ask for the average `{rate}`, or for the total of an amount.",
        (rate,),
    )


def _is_in_percent(name: str, context: Context) -> bool:
    known = context.column(name)
    written = (way.writing for way in known.written)
    in_percent = known.kind is Kind.PERCENT or known.unit == _PERCENT
    return in_percent or any(isinstance(w, NumberWriting) and "%" in w.suffixes for w in written)
