"""What a question means: a change of the answer before it, a question of its own, or several steps."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.followups.chain import read_chain
from jupyter_mcpgen.nl.followups.followup import follow_up
from jupyter_mcpgen.nl.joining.reader import how_to_join, read_joined
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.plan import Plan


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
    joined = None
    if other is not None:
        alone = partial(_of_one, language=language)
        joined = read_joined(question, (profile, other), language, earlier, alone)
    if joined is not None:
        return joined
    understood = _over_one(question, profile, language, earlier)
    if other is not None and isinstance(understood, Refused):
        return replace(understood, message=f"{understood.message} {how_to_join(profile, other, language)}".strip())
    return understood


def _over_one(question: str, profile: Profile, language: str, earlier: tuple[str, Plan] | None) -> Understanding:
    """Return what a question means over one table."""
    followed = follow_up(question, earlier[1], earlier[0], profile, language) if earlier is not None else None
    if followed is not None:
        return followed
    return _of_one(question, profile, language)


def _of_one(question: str, profile: Profile, language: str) -> Understanding:
    """Return what a question of its own, or several steps, mean over one table."""
    whole = read(question, profile, language)
    if isinstance(whole, Answered):
        return whole
    return read_chain(question, profile, language) or whole
