"""The conditions of a plan that compare a column with a number."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, Compare, CompareOp, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Derive, Step

_BOUNDS = (CompareOp.GT, CompareOp.GE, CompareOp.LT, CompareOp.LE)


class Limit(NamedTuple):
    """A condition that compares a column with a number."""

    column: str
    op: CompareOp
    number: float
    term: Compare

    def on_figure(self, name: str) -> Compare:
        """Return the same limit on another column, such as the total of this one."""
        return self.term.model_copy(update={"left": Col(name=name)})


def limits_of(predicate: Predicate) -> Iterator[Limit]:
    """Yield the comparisons with a number among the conditions that must all hold."""
    for term in terms_of(predicate):
        match term:
            case Compare(op=op, left=Col(name=name), right=Lit(value=int() | float() as number)):
                yield Limit(name, op, number, term)


def is_amount(name: str, context: Context) -> bool:
    """Tell whether a column holds figures, also written as texts: "$1,234.50"."""
    return context.is_measure(name) or any(way.type.is_number for way in context.column(name).written)


def products_in(steps: Iterable[Step], context: Context) -> frozenset[str]:
    """Return what steps compute as pieces times what one of them costs, which adds up over rows as the pieces do."""
    made = [step for step in steps if isinstance(step, Derive) and isinstance(step.expression, Arithmetic)]
    times = [step for step in made if getattr(step.expression, "op", None) is ArithmeticOp.MULTIPLY]
    return frozenset(step.name for step in times if set(names_in(step.expression)) & set(context.pieces))


def amounts_limited(
    predicate: Predicate, context: Context, *, surely: bool = True, products: Collection[str] = ()
) -> Iterator[Limit]:
    """Yield the limits that bound an amount from above or below: one that adds up, or else one that may add up.

    A number of things, such as `defects`, surely does; so does one of the `products` of pieces and their prices.
    """
    for limit in limits_of(predicate):
        if limit.column in products and limit.op in _BOUNDS:
            yield limit
        if limit.column not in context.profile.schema_.names or limit.op not in _BOUNDS:
            continue
        if not is_amount(limit.column, context):
            continue
        adds_up = context.adds_up(limit.column)
        if adds_up is True or (adds_up is None and (not surely or context.counts_things(limit.column))):
            yield limit
