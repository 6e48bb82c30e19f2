"""Limits that every share keeps, or none: "return rate over 15" means 15 %, and no share of one is above 15."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.around.limits.limits import Limit, limits_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan

_WHOLE = 1
"""What all of something is as a share; shares in percent are told apart by their functions."""


def refusing_limits_beyond_shares(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning, or a refusal where a share of one is compared with a number that no share can pass."""
    if not isinstance(meant, Answered):
        return meant
    limit = next(_beyond(meant.winner.plan, Table(context, load_vocabulary(language))), None)
    if limit is None:
        return meant
    return Refused(
        f"A rate is a share between 0 and 1, so it cannot be limited to {limit:g}. If you mean percent, say "
        f"“{limit:g} %”."
    )


def _beyond(plan: Plan, table: Table) -> Iterator[float]:
    """Yield the numbers above what a share can be with which shares are compared."""
    flags, shares = frozenset(columns.flags(table)), set[str]()
    for step in plan.steps:
        match step:
            case Aggregate(measures=measures):
                shares = {one.name for one in measures if _is_share(one, flags)}
            case Window(function=WindowFunction.SHARE, name=name):
                shares.add(name)
            case Filter(predicate=predicate):
                limits = (limit for limit in limits_of(predicate) if limit.column in shares)
                yield from (limit.number for limit in limits if _is_beyond(limit))


def _is_share(measure: Measure, flags: frozenset[str]) -> bool:
    if measure.function is AggregateFunction.MEAN and measure.column is not None:
        return measure.column.name in flags
    return measure.function is AggregateFunction.RATE


def _is_beyond(limit: Limit) -> bool:
    """Tell whether every share keeps a limit, or none does."""
    return limit.number > _WHOLE or (limit.number == _WHOLE and limit.op in (CompareOp.GT, CompareOp.LT))
