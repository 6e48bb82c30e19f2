"""Follow-ups that only keep some rows of an answer whose steps have no other place for it: "only high priority"."""

from __future__ import annotations

from itertools import takewhile

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembling.parts import collect
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.predicates import replaced
from jupyter_mcpgen.nl.reading import Answered, Reading
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Bin, Parse, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Step
from jupyter_mcpgen.plan.plan import Plan


def of_fewer_rows(
    earlier: Plan, tokens: tuple[Token, ...], notes: tuple[str, ...], context: Context
) -> Answered | None:
    """Return the earlier figures of the rows that meet a condition, where nothing else is said; None for any other."""
    found = over_fewer_rows(earlier, _conditions(tokens, context), notes)
    return Answered(found) if found is not None else None


def over_fewer_rows(
    earlier: Plan, said: tuple[Predicate, ...], notes: tuple[str, ...], reads: tuple[Derive, ...] = ()
) -> Reading | None:
    """Return the earlier figures of the rows that meet some conditions, in the place of those on the same columns.

    `reads` are the steps that read the texts of which the conditions are. None where fewer rows are no place to change.
    """
    before = tuple(takewhile(lambda step: not isinstance(step, Aggregate), earlier.steps))
    if not said or len(before) == len(earlier.steps) or not all(_is_of_a_row(step) for step in before):
        return None
    reads = tuple(step for step in reads if step not in before)
    made = {step.name for step in before if isinstance(step, Derive) and not isinstance(step.expression, Parse)}
    texts = {step.name for step in before if isinstance(step, Derive) and isinstance(step.expression, Parse)}
    named = {name for predicate in said for name in names_in(predicate)}
    if made & named or {step.name for step in reads} & texts:
        return None  # what was filled or read otherwise is no longer what the condition is about
    filters = {place: step for place, step in enumerate(before) if isinstance(step, Filter)}
    alike = [place for place, step in filters.items() if named & set(names_in(step.predicate))]
    if len(alike) > 1:
        return None
    places = alike or [place for place in filters if place == 0 or named & texts][:1]
    former = terms_of(filters[places[0]].predicate) if places else ()
    kept, gone = replaced(tuple(former), said, adds=False)
    filtered = Filter(predicate=kept[0] if len(kept) == 1 else All(terms=kept))
    at = places[0] if places else sum(isinstance(step, Derive) for step in before) if named & texts else 0
    steps = (*reads, *before[:at], filtered, *earlier.steps[at + len(places) :])
    try:
        plan = earlier.with_steps(steps).model_copy(update={"chart": earlier.chart})
    except PlanError:
        return None  # the condition makes no sense over these columns
    return Reading(plan=plan, label="", cost=0.0, assumptions=(*notes, *gone))


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
