"""What a question means: a change of the answer before it, a question of its own, or several steps."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.chain import read_chain
from jupyter_mcpgen.nl.followup import follow_up
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.plan.plan import Plan


def understand(
    question: str, profile: Profile, language: str = "en", earlier: tuple[str, Plan] | None = None
) -> Understanding:
    """Return what a question means over a table; `earlier` is the question before it with its plan."""
    followed = follow_up(question, earlier[1], earlier[0], profile, language) if earlier is not None else None
    if followed is not None:
        return followed
    whole = read(question, profile, language)
    if isinstance(whole, Answered):
        return whole
    return read_chain(question, profile, language) or whole
