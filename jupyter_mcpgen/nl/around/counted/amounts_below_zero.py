"""Amounts that stand below zero, as refunds often do: the largest may be the one nearest to 0, or furthest from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.model.profile import ColumnProfile
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding, asking_which
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, Lit, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Limit, Measure, Sort, Step
from jupyter_mcpgen.plan.plan import Plan

_ENDS = {AggregateFunction.MAX: AggregateFunction.MIN, AggregateFunction.MIN: AggregateFunction.MAX}


def asking_which_end(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning, or ask which end is meant of amounts that are all 0 or below; refused where none is above."""
    below = below_zero(context, language)
    if isinstance(meant, Refused) or not below:
        return meant
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options
    for name, limit in (found for way in ways for found in _limits(way.plan)):
        if name in below and limit > 0:
            return Refused(
                f"No value of `{name}` is above 0. Ask for `{name}` below -{limit:g} if you mean the size of the "
                "amount."
            )
    if isinstance(meant, Asked):
        return meant
    plan = meant.winner.plan
    steps = tuple(_turned(plan.steps, below))
    if steps == plan.steps:
        return meant
    turned = plan.with_steps(steps).model_copy(update={"chart": plan.chart})
    options = (meant.winner, replace(meant.winner, plan=turned))
    named = ", ".join(f"`{name}`" for name in sorted(below))
    return asking_which(
        options,
        f"No value of {named} is above 0, so the largest may be the one nearest to 0 or the one furthest below it. ",
    )


def below_zero(context: Context, language: str) -> frozenset[str]:
    """Return the amounts of which some are below 0 and none above it; a level, such as a temperature, is none."""
    return frozenset(name for name in context.column_words if _is_below_zero(name, context, language))


def _is_below_zero(name: str, context: Context, language: str) -> bool:
    known = figures_of(name, context)
    if known is None or known.minimum is None or known.minimum >= 0 or known.maximum > 0:
        return False
    return context.adds_up(name) is not False or is_taken_off(name, context, language)


def figures_of(name: str, context: Context) -> ColumnProfile | None:
    """Return what is known of the numbers of a measure, also of one whose texts write them; None for other columns."""
    known = context.column(name)
    if context.is_measure(name):
        return known
    written = known.written[0] if known.written else None
    return written.values if written is not None and written.type.is_number else None


def is_taken_off(name: str, context: Context, language: str) -> bool:
    """Tell whether a column is called like what is taken off an amount, such as refunds."""
    return bool(set(context.column_words[name]) & load_vocabulary(language).words("taken_off"))


def _limits(plan: Plan) -> Iterator[tuple[str, float]]:
    """Yield the columns that a plan keeps above a number, and that number."""
    terms = (term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate))
    for term in terms:
        match term:
            case Compare(
                op=CompareOp.GT | CompareOp.GE, left=Col(name=name), right=Lit(value=int() | float() as limit)
            ):
                yield name, limit
            case _:
                pass


def _turned(steps: tuple[Step, ...], below: frozenset[str]) -> Iterator[Step]:
    """Yield the steps with the other end of such amounts, and of their sums and averages, in front."""
    figures = set(below)
    cut = any(isinstance(step, Limit) for step in steps)
    for step in steps:
        if isinstance(step, Aggregate):
            figures |= {one.name for one in step.measures if one.column is not None and one.column.name in below}
            yield step.model_copy(update={"measures": tuple(_other_end(one, below) for one in step.measures)})
        elif isinstance(step, Sort) and cut and step.keys[0].column in figures:
            first, *others = step.keys
            turned = first.model_copy(update={"descending": not first.descending})
            yield step.model_copy(update={"keys": (turned, *others)})
        else:
            yield step


def _other_end(measure: Measure, below: frozenset[str]) -> Measure:
    named = measure.column is not None and measure.column.name in below
    other = _ENDS.get(measure.function) if named else None
    return measure if other is None else measure.model_copy(update={"function": other})
