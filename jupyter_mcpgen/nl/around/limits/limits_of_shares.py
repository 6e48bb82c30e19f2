"""Limits that every value keeps, or none: a share is never above 15, and a year is never above 100."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.model.profile import Kind
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


_FIRST_YEAR = 1000
"""A number below this is no year of a column that holds only later ones."""


def refusing_ages_of_years(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning, or a refusal where a column of years is compared with a number that can only be an age."""
    if not isinstance(meant, Answered):
        return meant
    steps = (step for step in meant.winner.plan.steps if isinstance(step, Filter))
    for limit in (limit for step in steps for limit in limits_of(step.predicate)):
        if not 0 < limit.number < _FIRST_YEAR or limit.column not in context.column_words:
            continue
        known = context.column(limit.column)
        if known.kind is Kind.YEAR and isinstance(known.minimum, int | float) and known.minimum >= _FIRST_YEAR:
            return Refused(
                f"`{limit.column}` holds years, and {limit.number:g} is not a year. An age needs a day to count back "
                f"from: ask for rows with `{limit.column}` before a year, such as {known.maximum:g}."
            )
    return meant
