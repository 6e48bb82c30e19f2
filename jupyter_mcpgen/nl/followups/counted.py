"""How many the answer before showed: "how many are there" after a list of rows, or of groups."""

from __future__ import annotations

from itertools import takewhile

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Limit, Measure, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan

_NUMBER = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))


def counted(
    question: str, earlier: tuple[str, Plan] | None, profile: Profile, language: str
) -> Answered | Asked | None:
    """Return the number of what the answer before showed, where a question asks for nothing else; None otherwise.

    Where that were numbers of rows, the groups may be meant as well as the rows of all of them: asked about.
    """
    if earlier is None or (earlier[1].source, earlier[1].source_schema) != (profile.name, profile.schema_):
        return None
    lexicon = context_of(profile, language).lexicon
    said = " ".join(token.lower for token in tokenize(question))
    before, plan = earlier
    if said not in lexicon.counting_again or not plan.steps:
        return None
    limits = [step.count for step in plan.steps if isinstance(step, Limit)]
    note = f"What “{before.strip(' ?.!')}” showed is counted."
    if limits:
        note = f"All are counted that “{before.strip(' ?.!')}” is about, and not only the {limits[0]} that it showed."
    ways = [_number_of(plan, tuple(step for step in plan.steps if not isinstance(step, Sort | Select | Limit)), note)]
    if _counts_rows(plan):
        rows = tuple(takewhile(lambda step: not isinstance(step, Aggregate), plan.steps))
        ways.append(_number_of(plan, rows, f"The rows of “{before.strip(' ?.!')}” are counted."))
    found = [way for way in ways if way is not None]
    if len(found) < 2:
        return Answered(found[0]) if found else None
    return asking_which(found)


def _number_of(plan: Plan, steps: tuple[Step, ...], note: str) -> Reading | None:
    try:
        return Reading(plan.with_steps((*steps, _NUMBER)), "", 0.0, (note,))
    except PlanError:
        return None


def _counts_rows(plan: Plan) -> bool:
    """Tell whether a plan shows numbers of rows, and those of all groups."""
    last = [step for step in plan.steps if not isinstance(step, Sort | Select | Limit)][-1:]
    grouped = last[0] if last else None
    if not isinstance(grouped, Aggregate) or not grouped.by.names:
        return False
    functions = {(measure.function, measure.column) for measure in grouped.measures}
    return functions == {(AggregateFunction.COUNT, None)}
