"""A range is one condition of a part: "percentage of rows between 400 and 499" is no part of those up to 499."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.everyday.saying.speech import Speech
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.everyday.saying.wording import Wording
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Understanding, asking_which
from jupyter_mcpgen.plan.expressions import All, Col, Compare, CompareOp, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Filter, Step

_FROM = frozenset({CompareOp.GT, CompareOp.GE})
_UP_TO = frozenset({CompareOp.LT, CompareOp.LE})


def keeping_ranges_whole(meant: Understanding, question: str, language: str) -> Understanding:
    """Return a meaning whose parts of rows have both ends of a range, where one of them chose the rows instead."""
    if Speech(question).find(load_vocabulary(language).wordings.get("of_those", Wording())) is not None:
        return meant
    match meant:
        case Answered(winner, _, no_chart):
            made = _whole(winner)
            return meant if made is winner else Answered(made, no_chart=no_chart)
        case Asked(_, options) if options:
            ways = tuple({str(one.plan.model_dump()): one for one in map(_whole, options)}.values())
            if ways == options:
                return meant
            return Answered(ways[0]) if len(ways) == 1 else asking_which(ways)
        case _:
            return meant


def _whole(reading: Reading) -> Reading:
    plan = reading.plan
    for place, step in enumerate(plan.steps):
        if not isinstance(step, Aggregate) or len(step.measures) != 1 or step.measures[0].where is None:
            continue
        condition = step.measures[0].where
        moved = [t for t in _terms(plan.steps[:place]) if any(_is_other_end(t, own) for own in terms_of(condition))]
        if not moved:
            return reading
        where = All(terms=tuple(sorted((*terms_of(condition), *moved), key=_ends_up)))
        measure = step.measures[0].model_copy(update={"where": where})
        before = tuple(kept for one in plan.steps[:place] if (kept := _without(one, moved)) is not None)
        steps = (*before, step.model_copy(update={"measures": (measure,)}), *plan.steps[place + 1 :])
        try:
            made = plan.with_steps(steps, plan.chart)
            return replace(reading, plan=made)
        except PlanError:
            return reading
    return reading


def _terms(steps: tuple[Step, ...]) -> Iterator[Predicate]:
    for step in steps:
        yield from terms_of(step.predicate) if isinstance(step, Filter) else ()


def _is_other_end(one: Predicate, other: Predicate) -> bool:
    """Tell whether two conditions are the two ends of one column's range."""
    if not isinstance(one, Compare) or not isinstance(other, Compare) or one.left != other.left:
        return False
    limits = isinstance(one.left, Col) and isinstance(one.right, Lit) and isinstance(other.right, Lit)
    numbers = isinstance(one.right, Lit) and one.right.type.is_number
    ends = (one.op in _FROM and other.op in _UP_TO) or (one.op in _UP_TO and other.op in _FROM)
    return limits and numbers and ends


def _ends_up(term: Predicate) -> bool:
    """Tell the upper ends of ranges, which are said after the lower ones."""
    return isinstance(term, Compare) and term.op in _UP_TO


def _without(step: Step, moved: list[Predicate]) -> Step | None:
    if not isinstance(step, Filter):
        return step
    kept = tuple(term for term in terms_of(step.predicate) if term not in moved)
    if not kept:
        return None
    return Filter(predicate=kept[0] if len(kept) == 1 else All(terms=kept))
