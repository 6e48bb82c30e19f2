"""The front door of the planner: what a question means over a table, or two, with the one before it."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.dialogue.followup import follow_up
from jupyter_mcpgen.nl.joins.reader import followed, read_both
from jupyter_mcpgen.nl.planner import read
from jupyter_mcpgen.nl.reading import Understanding
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
    if other is not None:
        changed = followed(question, earlier, (profile, other), language) if earlier is not None else None
        if changed is None and earlier is not None:
            changed = follow_up(question, earlier, profile, language)
        return changed if changed is not None else read_both(question, profile, other, language)
    change = follow_up(question, earlier, profile, language) if earlier is not None else None
    return change if change is not None else read(question, profile, language)
