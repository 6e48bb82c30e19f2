"""What reading a question gives: ranked readings, a question back, or an honest refusal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Chart, Step
from jupyter_mcpgen.plan.plan import Plan


@dataclass(frozen=True)
class Reading:
    """One way to understand a question; `cost` is 0 without any doubt, `label` names what sets it apart."""

    plan: Plan
    label: str
    cost: float
    assumptions: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Words that were taken to mean a row without a sign of it: a reason to ask back."""
    no_chart: bool = False

    def with_steps(
        self, steps: tuple[Step, ...], chart: Chart | None = None, assumptions: tuple[str, ...] | None = None
    ) -> Reading | None:
        """Return the reading with other steps, a chart, and its notes or others; None where the steps do not fit."""
        plan = self.plan.tried(steps, chart)
        if plan is None:
            return None
        return replace(self, plan=plan, assumptions=self.assumptions if assumptions is None else assumptions)


@dataclass(frozen=True)
class Answered:
    """A clear winner, and the near ones that can be switched to."""

    winner: Reading
    alternatives: tuple[Reading, ...] = ()
    no_chart: bool = False


@dataclass(frozen=True)
class Asked:
    """Several meanings of about the same weight, and the question which one is meant."""

    question: str
    options: tuple[Reading, ...] = ()


@dataclass(frozen=True)
class Refused:
    """The question cannot be read: why, which words were not understood, what is nearest, what is missing.

    `named` is the nearest reading that the message names, where that of a look-up is the likelier one.
    """

    message: str
    words: tuple[str, ...] = ()
    nearest: Reading | None = None
    missing_capabilities: tuple[str, ...] = ()
    named: Reading | None = None

    def with_readings(self, change: Callable[[Reading], Reading]) -> Refused:
        """Return the refusal with its readings changed, as from another table's into this one's."""
        nearest, named = (None if one is None else change(one) for one in (self.nearest, self.named))
        return replace(self, nearest=nearest, named=named)


Understanding = Answered | Asked | Refused

NEAREST = "The nearest that can be computed: {}."
"""How a refusal names what comes nearest."""
IN_ITS_WORDS = " Ask again in its words."
"""How to answer a question back, where no reading has a name that is shorter than itself."""


def asking_which(options: Sequence[Reading], about: str = "", how: str = "") -> Asked:
    """Return the question which of several readings is meant; `about` says before it why, and `how` what to do."""
    lines = "; ".join(f"({number}) {say_plan(one.plan)}" for number, one in enumerate(options, 1))
    said = f"{about}This can be read in {len(options)} ways: {lines}. Which one do you mean?{how}"
    return Asked(said, tuple(options))


def retold(text: str, changed: Iterable[tuple[Reading, Reading]]) -> str:
    """Return the text of a question back in which each reading is said as what it became."""
    said = {say_plan(old.plan): say_plan(new.plan) for old, new in changed}
    longest = sorted(said, key=len, reverse=True)  # one reading may begin as another one goes on
    return re.sub("|".join(map(re.escape, longest)), lambda found: said[found[0]], text) if said else text


def each_reading(meant: Understanding, change: Callable[[Reading], Reading]) -> Understanding:
    """Return a meaning in which each reading was changed in the same way; a refusal as it was."""
    match meant:
        case Answered(winner, alternatives):
            return replace(meant, winner=change(winner), alternatives=tuple(change(other) for other in alternatives))
        case Asked(question, options):
            ways = tuple(change(way) for way in options)
            return Asked(retold(question, zip(options, ways, strict=True)), ways)
        case Refused():
            return meant


Read = Callable[[str, Profile, str], Understanding]
"""Reads a question over a table in a language. What stands around such a reader puts the question to it in other words,
or makes more of what it says."""

ReadAlone = Callable[[str, Profile], Understanding]
"""Reads a question over one table in the language that is spoken anyway."""
