"""Amounts set equal: 3 times 0.1 is 0.3, though the two numbers differ by the rounding of a computer."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Col,
    Compare,
    CompareOp,
    Expression,
    Lit,
    Predicate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Derive, Filter
from jupyter_mcpgen.plan.schema import ColumnType

FEWEST_DECIMALS = 2
"""Amounts are written to this many places at least, whatever zeros are left out at their ends."""
MOST_DECIMALS = 6


def equal_as_written(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning in which a computed amount equals one that it is not further from than can be written."""
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    made = {step.name for step in plan.steps if isinstance(step, Derive) and isinstance(step.expression, Arithmetic)}
    steps = tuple(
        step.model_copy(update={"predicate": _near(step.predicate, made, context)})
        if isinstance(step, Filter)
        else step
        for step in plan.steps
    )
    if steps == plan.steps:
        return meant
    own = plan.with_steps(steps, plan.chart)
    note = "Amounts are equal where they differ by no more than half of the last place that is written."
    return replace(meant, winner=replace(meant.winner, plan=own, assumptions=(*meant.winner.assumptions, note)))


def _near(predicate: Predicate, made: set[str], context: Context) -> Predicate:
    """Return a condition with each equality of a computed amount and a column as the limits of their difference."""
    match predicate:
        case All(terms=terms) | AnyOf(terms=terms):
            return predicate.model_copy(update={"terms": tuple(_near(term, made, context) for term in terms)})
        case Compare(op=CompareOp.EQ | CompareOp.NE as op, left=left, right=right):
            written = [one.name for one in (left, right) if isinstance(one, Col) and one.name in context.column_words]
            computed = any(
                isinstance(one, Arithmetic) or (isinstance(one, Col) and one.name in made) for one in (left, right)
            )
            if computed and len(written) == 1 and context.type_of(written[0]) is ColumnType.REAL:
                return _limits(op, left, right, _half_a_place(written[0], context))
    return predicate


def _limits(op: CompareOp, left: Expression, right: Expression, most: float) -> Predicate:
    gap = Arithmetic(op=ArithmeticOp.SUBTRACT, left=left, right=right)
    ends = Lit(value=-most, type=ColumnType.REAL), Lit(value=most, type=ColumnType.REAL)
    if op is CompareOp.EQ:
        within = (Compare(op=CompareOp.GE, left=gap, right=ends[0]), Compare(op=CompareOp.LE, left=gap, right=ends[1]))
        return All(terms=within)
    beyond = (Compare(op=CompareOp.LT, left=gap, right=ends[0]), Compare(op=CompareOp.GT, left=gap, right=ends[1]))
    return AnyOf(terms=beyond)


def _half_a_place(name: str, context: Context) -> float:
    """Return half of the last decimal place of an amount, and half a cent where fewer are known."""
    known = context.column(name)
    numbers = [one for one in (*known.values, *known.more) if isinstance(one, float)]
    places = max((len(repr(one).partition(".")[2]) for one in numbers if "e" not in repr(one)), default=0)
    return 0.5 * float(10) ** -min(max(places, FEWEST_DECIMALS), MOST_DECIMALS)


def refusing_equal_columns(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or a refusal where rows of two equal amounts are taken and no word says that they are equal."""
    if isinstance(meant, Refused):
        return meant
    own = frozenset(context.column_words)
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options
    both = next((found for way in ways if (found := _equal(way, own)) is not None), None)
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    if both is None or {context.plain(word) for word in words} & load_vocabulary(language).words("saying_equal"):
        return meant
    first, second = both
    if not (context.is_measure(first) or context.column(first).written):
        return meant
    return Refused(
        f"A `{first}` that equals the `{second}` does not say whether something was done. "
        f"Ask for rows with a `{second}`, for rows where `{second}` is missing, or where it equals `{first}`."
    )


def _equal(reading: Reading, own: frozenset[str]) -> tuple[str, str] | None:
    """Return two columns of the table that rows are chosen by because they hold the same."""
    terms = (t for step in reading.plan.steps if isinstance(step, Filter) for t in terms_of(step.predicate))
    for term in terms:
        match term:
            case Compare(op=CompareOp.EQ, left=Col(name=first), right=Col(name=second)) if {first, second} <= own:
                return first, second
            case _:
                pass
    return None
