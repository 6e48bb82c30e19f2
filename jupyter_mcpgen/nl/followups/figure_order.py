"""Follow-ups that ask for an order without saying of what: "sort it" puts the largest figures first."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembling.answers import Grouping, to_plan
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.uncompared import Former
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.text.tokens import Token

SORTED = "The largest figures stand first, because no other order is named."


def in_order_of_figures(
    former: Former, tokens: tuple[Token, ...], notes: tuple[str, ...], context: Context
) -> list[Reading]:
    """Return the groups of the answer before by their figures, where a follow-up only says that they are sorted."""
    said = " ".join(token.lower for token in tokens)
    answer = former.answer
    if said not in context.lexicon.sorting or not isinstance(answer, Grouping) or not answer.keys:
        return []
    try:
        ordered = replace(answer, order=answer.measures[0], ordered=True, descending=True)
        plan = former.complete(to_plan(ordered, context))
    except PlanError:
        return []  # figures that follow one another have no other order
    return [Reading(plan=plan, label="", cost=0.0, assumptions=(*notes, SORTED))]
