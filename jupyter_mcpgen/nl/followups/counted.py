"""How many the answer before showed: "how many are there" after a list of rows, or of groups."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.reading import Answered, Reading
from jupyter_mcpgen.nl.words.tokens import tokenize
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Limit, Measure, Select, Sort
from jupyter_mcpgen.plan.plan import Plan


def counted(question: str, earlier: tuple[str, Plan] | None, profile: Profile, language: str) -> Answered | None:
    """Return the number of what the answer before showed, where a question asks for nothing else; None otherwise."""
    if earlier is None or (earlier[1].source, earlier[1].source_schema) != (profile.name, profile.schema_):
        return None
    lexicon = context_of(profile, language).lexicon
    said = " ".join(token.lower for token in tokenize(question))
    before, plan = earlier
    if said not in lexicon.counting_again or not plan.steps or any(isinstance(step, Limit) for step in plan.steps):
        return None
    steps = tuple(step for step in plan.steps if not isinstance(step, Sort | Select))
    number = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
    try:
        made = plan.with_steps((*steps, number))
    except PlanError:
        return None
    note = f"What “{before.strip(' ?.!')}” showed is counted."
    return Answered(Reading(made, "", 0.0, (note,)))
