"""A table of what a boat yard lent out, and talks about it."""

from __future__ import annotations

from functools import cache

import pandas as pd

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.door import understand
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.plan.plan import Plan

HARBOURS, KINDS, STATES = ("Lynn", "Wells", "Blakeney"), ("kayak", "dinghy", "canoe"), ("returned", "open", "cancelled")


@cache
def hires() -> Profile:
    """Return the profile of the hires of two years."""
    places = range(240)
    frame = pd.DataFrame(
        {
            "hire_id": [1000 + at for at in places],
            "harbour": [HARBOURS[at % 3] for at in places],
            "boat_kind": [KINDS[at // 3 % 3] for at in places],
            "state": [STATES[at // 2 % 3] for at in places],
            "insured": [at % 4 == 0 for at in places],
            "charge": [20.5 + at * 7 % 90 for at in places],
            "hours": [1 + at * 5 % 9 for at in places],
            "hired_on": pd.date_range("2022-01-03", periods=240, freq="3D"),
        }
    )
    return profile("hires", frame)


def first(question: str) -> Plan:
    """Return the plan of a question of its own."""
    understood = understand(question, hires())
    assert isinstance(understood, Answered), understood
    return understood.winner.plan


def then(plan: Plan, said: str, asked: str = "before") -> Understanding:
    """Return what is said after an answer."""
    return understand(said, hires(), "en", (asked, plan))
