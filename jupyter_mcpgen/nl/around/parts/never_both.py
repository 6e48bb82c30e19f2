"""Two amounts of which hardly any row has both, such as `credit` and `debit`: what is missing is nothing.

Taken row by row, their difference would be missing in every row; asked for is the difference of their totals.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from jupyter_mcpgen.model.profile import FIRST_PLACE
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, IsMissing, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter
from jupyter_mcpgen.plan.plan import Plan

_MISSING = chr(FIRST_PLACE)
_HARDLY = 0.05
"""Up to this part of the rows may have both."""
_FEW = 1.1
"""Of this many rows for each value, nobody looks for more reasons why one of two amounts is missing."""


def totalling_what_is_never_both(meant: Understanding, context: Context) -> Understanding:
    """Return the total of a difference of which it was asked whether its total or its average is meant."""
    if isinstance(meant, Answered) and (kept := _kept_of_both(meant.winner.plan, context)) is not None:
        named = " and ".join(f"`{name}`" for name in kept)
        return Refused(f"Hardly any row has both {named}, so they cannot be compared. Ask for each of them alone.")
    if not isinstance(meant, Asked):
        return meant
    known = [_calculated(option.plan, context) for option in meant.options]
    sums = [
        option
        for option, found in zip(meant.options, known, strict=True)
        if found is not None and found[0] is AggregateFunction.SUM
    ]
    if len(sums) != 1 or len({found and found[1] for found in known}) != 1:
        return meant
    name = known[0][1] if known[0] is not None else ""
    note = f"`{name}` is added up, because hardly any row has both of its columns."
    return Answered(replace(sums[0], assumptions=(note, *sums[0].assumptions)))


def _kept_of_both(plan: Plan, context: Context) -> tuple[str, str] | None:
    """Return two such amounts of which a plan keeps the rows that have both."""
    terms = [term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    held = [term.operand.name for term in terms if isinstance(term, IsMissing) and term.negated]
    pairs = combinations(dict.fromkeys(held), 2)
    return next((pair for pair in pairs if are_never_both(*pair, context)), None)


def _calculated(plan: Plan, context: Context) -> tuple[AggregateFunction, str] | None:
    """Return the figure that a plan has of a sum or a difference of such amounts, and what this is called."""
    names = {step.name for step in plan.steps if isinstance(step, Derive) and is_of_never_both(step, context)}
    for step in plan.steps:
        if isinstance(step, Aggregate):
            figures = [(one.function, one.column.name) for one in step.measures if one.column is not None]
            return figures[0] if len(figures) == 1 and figures[0][1] in names else None
    return None


def is_of_never_both(step: Derive, context: Context) -> bool:
    """Tell whether a step adds up two such amounts, or takes one off the other."""
    match step.expression:
        case Arithmetic(op=ArithmeticOp.ADD | ArithmeticOp.SUBTRACT, left=Col(name=first), right=Col(name=second)):
            return first != second and are_never_both(first, second, context)
        case _:
            return False


def are_never_both(first: str, second: str, context: Context) -> bool:
    """Tell whether hardly any row has both of two amounts, and nearly each has one."""
    if not {first, second} <= context.column_words.keys():
        return False
    one, other = context.column(first), context.column(second)
    rows = context.profile.rows
    if not one.nulls or not other.nulls or not rows * (1 - _HARDLY) <= one.nulls + other.nulls <= rows * _FEW:
        return False
    kept = one.complete and other.complete and one.places and other.places
    places = zip(one.places, other.places, strict=True) if kept else ()
    return sum(here != _MISSING and there != _MISSING for here, there in places) <= rows * _HARDLY
