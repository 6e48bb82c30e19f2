"""The front door of the planner: what a question means over a table, or two, with the one before it."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.dialogue.followup import follow_up
from jupyter_mcpgen.nl.joins.reader import followed, read_both
from jupyter_mcpgen.nl.labels import labels
from jupyter_mcpgen.nl.planner import PER_WORD, WORST, read
from jupyter_mcpgen.nl.reading import NEAREST, Answered, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Schema

MOST_LEFT_OUT = 2
"""A reading that leaves out more words comes near to nothing."""


def understand(
    question: str,
    profile: Profile,
    language: str = "en",
    earlier: tuple[str, Plan] | None = None,
    other: Profile | None = None,
) -> Understanding:
    """Return what a question means over a table; `earlier` is the question before it with its plan.

    `other` is a second table that the question names, or that the question before was about too.
    """
    match _meant(question, profile, language, earlier, other):
        case Answered(winner, alternatives) as meant:
            return replace(meant, alternatives=_labelled(winner, alternatives))
        case Refused() as meant:
            return _telling_nearest(meant, question)
        case meant:
            return meant


def nearest_answer(refused: Refused, schema: Schema) -> Reading | None:
    """Return what a refusal names as the nearest that can be computed, with what it leaves out; None where it does not.

    There is none for what no plan can say: whatever is computed in its place would be taken for it.
    """
    nearest = refused.nearest
    if nearest is None or refused.missing_capabilities or nearest.plan.source_schema != schema:
        return None
    if NEAREST.format(say_plan(nearest.plan)) not in refused.message:
        return None
    left_out = ", ".join(f"“{word}”" for word in refused.words)
    verb = "is" if len(refused.words) == 1 else "are"
    return replace(nearest, assumptions=(f"{left_out} could not be read and {verb} left out.", *nearest.assumptions))


def _meant(
    question: str, profile: Profile, language: str, earlier: tuple[str, Plan] | None, other: Profile | None
) -> Understanding:
    change: Understanding | None = None
    if earlier is not None and other is not None:
        change = followed(question, earlier, (profile, other), language)
    if earlier is not None and change is None:
        change = follow_up(question, earlier, profile, language)
    if change is not None:
        return change
    return read_both(question, profile, other, language) if other is not None else read(question, profile, language)


def _labelled(winner: Reading, others: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Return readings to switch to, each called by what sets it apart from the winner."""
    named = labels(winner.plan, tuple(other.plan for other in others))
    return tuple(replace(other, label=label) for other, label in zip(others, named, strict=True))


def _telling_nearest(refused: Refused, question: str) -> Refused:
    """Return a refusal that names the nearest reading, where that leaves out a word or two and doubts nothing else.

    Its cost is without those words. What a constraint refused comes near to nothing.
    """
    nearest = refused.nearest
    if nearest is None or refused.missing_capabilities or len(refused.words) > MOST_LEFT_OUT:
        return replace(refused, nearest=None)
    if nearest.cost > WORST + PER_WORD * len(tokenize(question)):
        return replace(refused, nearest=None)
    return replace(refused, message=f"{refused.message} {NEAREST.format(say_plan(nearest.plan))}")
