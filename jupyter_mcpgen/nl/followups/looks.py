"""Follow-ups that say what the chart looks like: "stacked", "stacked by channel", "on a log scale"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.followups.followup import UNCHANGED, follow_up
from jupyter_mcpgen.nl.manner.dressing import dressed
from jupyter_mcpgen.nl.manner.looks import take_looks
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.plan import Plan


def follow_up_in_looks(
    question: str, earlier: tuple[str, Plan], profile: Profile, language: str
) -> Understanding | None:
    """Return the earlier answer as the question changes it, its chart looking as wished; None for no follow-up.

    A stack needs groups beside the ones that are there, so those that are named with it do not take their place.
    """
    asked_before, plan = earlier
    context = context_of(profile, language)
    looks = take_looks(question, context, language)
    if looks is None or plan.chart is None or (plan.source, plan.source_schema) != (profile.name, profile.schema_):
        return follow_up(question, plan, asked_before, profile, language)
    note = f"Read as a follow-up to “{asked_before}”."
    if not [token for token in tokenize(looks.text) if not context.lexicon.is_filler(token.lower)]:
        return Answered(dressed(Reading(plan, "", 0.0, (note,)), looks, context))
    text = looks.text
    if looks.look.stack is not None and plan.chart.color is None:
        text = f"{min(context.lexicon.adding)} {text}"
    meant = follow_up(text, plan, asked_before, profile, language)
    if not isinstance(meant, Answered):
        return follow_up(question, plan, asked_before, profile, language)
    said = tuple(note for note in meant.winner.assumptions if note != UNCHANGED)
    return replace(meant, winner=dressed(replace(meant.winner, assumptions=said), looks, context))
