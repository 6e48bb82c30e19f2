"""The one protocol of every author."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Protocol

from jupyter_mcpgen.model.diagnostics import Diagnostics
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.plan.shape import Shape


@dataclass(frozen=True)
class PlannedContract:
    """What a tool promises, and the shape of the plan that keeps the promise."""

    spec: ToolSpec
    shape: Shape
    capabilities: tuple[str, ...]
    dependencies: tuple[str, ...]
    limitations: tuple[str, ...]


@dataclass(frozen=True)
class WrittenContract:
    """What a tool promises whose code was written by hand or by a model: what its signature says."""

    spec: ToolSpec
    intent: WrittenIntent
    capabilities: tuple[str, ...]
    dependencies: tuple[str, ...]
    limitations: tuple[str, ...]


Contract = PlannedContract | WrittenContract


@dataclass(frozen=True)
class TwoReadings:
    """What two readers understood, each on its own."""

    first: Intent
    second: Understood


@dataclass(frozen=True)
class Candidate:
    """One of several replies of a model: what it computes, and what makes an intent of it, which may ask once more."""

    computes: Intent | Second
    understood: Callable[[], Understood]

    @property
    def size(self) -> int:
        """How much it says; of equals the one that says least is taken."""
        return len(self.computes.sql if isinstance(self.computes, Second) else self.computes.plan.model_dump_json())


@dataclass(frozen=True)
class Candidates:
    """Several replies of a model to one question; which of them give the same rows is for the data to show."""

    replies: tuple[Candidate, ...]
    asked: int
    """How many replies were asked for; some of them may have been of no use."""
    beside: Intent | None = None
    """What another author read, where two were asked."""


@dataclass(frozen=True)
class NearForms:
    """Readings of one reader over different rows of a table: as it is, with columns as rows, or by members of lists."""

    readings: tuple[Intent, ...]


Answered = Understood | OpenQuestion | TwoReadings | NearForms | Candidates
"""What an author may answer to a request."""


class Author(Protocol):
    """Understands a request, writes its contract, then its code."""

    @property
    def name(self) -> str:
        """Who the candidate is `created_by`."""
        ...

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Answered:
        """Read a request, or ask which of its readings is meant; raises `NotUnderstood` with the honest refusal.

        `other` is the profile of the second table that the question names, if it names one.
        """
        ...

    def code_instead(
        self, intent: Intent, request: Request, profile: Profile, other: Profile | None = None
    ) -> Understood:
        """Return code beside the query that a plan was read from, where the query gives other rows than the plan.

        Who wrote no query returns the intent as it is. Raises a `ModelError` where no code can be written now.
        """
        ...

    def repair(
        self,
        intent: WrittenIntent,
        diagnostics: Diagnostics,
        request: Request,
        profile: Profile,
        other: Profile | None = None,
    ) -> WrittenIntent | None:
        """Return the intent with repaired code, or None if nobody here writes code.

        Raises a `ModelError` where no code can be written now.
        """
        ...

    def specify(self, intent: Understood, taken: Set[str], name: str | None = None) -> Contract:
        """Write the contract; `taken` names belong to other tools, `name` is the person's own choice."""
        ...

    def write(self, contract: Contract) -> Package:
        """Write the files of the tool."""
        ...
