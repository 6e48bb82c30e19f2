"""Follow-ups that only keep some rows of an answer whose steps have no other place for it: "only high priority"."""

from __future__ import annotations

from itertools import takewhile

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembling.parts import collect
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.predicates import both
from jupyter_mcpgen.nl.reading import Answered, Reading
from jupyter_mcpgen.nl.words.tokens import Token
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Bin, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Step
from jupyter_mcpgen.plan.plan import Plan


def of_fewer_rows(
    earlier: Plan, tokens: tuple[Token, ...], notes: tuple[str, ...], context: Context
) -> Answered | None:
    """Return the earlier figures of the rows that meet a condition, where nothing else is said; None for any other."""
    conditions = _conditions(tokens, context)
    before = tuple(takewhile(lambda step: not isinstance(step, Aggregate), earlier.steps))
    if not conditions or len(before) == len(earlier.steps) or not all(_is_of_a_row(step) for step in before):
        return None
    kept = conditions[0] if len(conditions) == 1 else All(terms=conditions)
    made = {step.name for step in before if isinstance(step, Derive)}
    if made & set(names_in(kept)):
        return None  # what was filled or read is no longer what the condition is about
    steps: tuple[Step, ...] = (Filter(predicate=kept), *earlier.steps)
    match earlier.steps[0]:
        case Filter(predicate=first):
            steps = (Filter(predicate=both(first, kept)), *earlier.steps[1:])
        case _:
            pass
    try:
        plan = earlier.with_steps(steps).model_copy(update={"chart": earlier.chart})
    except PlanError:
        return None  # the condition makes no sense over these columns
    return Answered(Reading(plan=plan, label="", cost=0.0, assumptions=notes))


def _conditions(tokens: tuple[Token, ...], context: Context) -> tuple[Predicate, ...]:
    for cover in parse(tokens, context).covers:
        parts = collect(cover, context) if not cover.uncovered else None
        if parts is not None and parts.conditions and not parts.doubts and parts.has_only("names_rows", "lists_rows"):
            return parts.conditions
    return ()


def _is_of_a_row(step: Step) -> bool:
    """Tell whether a step before the figures looks at each row alone, so that fewer rows change nothing of it."""
    if isinstance(step, Derive):
        return not isinstance(step.expression, Bin)
    return isinstance(step, Filter)
