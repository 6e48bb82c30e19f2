"""The author that asks the planner, and the model where the planner is not sure."""

from __future__ import annotations

from collections.abc import Set

from jupyter_mcpgen.authors.author import Author, Contract, TwoReadings
from jupyter_mcpgen.authors.drafting import specify, write
from jupyter_mcpgen.errors import ModelError, NotUnderstood
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood


class Ladder:
    """The first author answers what it is sure of, the second one the rest."""

    def __init__(self, first: Author, second: Author) -> None:
        self._first = first
        self._second = second
        self.name = f"{first.name}, {second.name}"
        self.reader = first.reader

    def understand(
        self, request: Request, profile: Profile, other: Profile | None = None
    ) -> Understood | OpenQuestion | TwoReadings:
        """Read a request by the first author that is sure of it.

        Where the second one does not answer, what the first one asked back or refused stands, with the reason.
        """
        try:
            found = self._first.understand(request, profile, other)
        except NotUnderstood as refusal:
            try:
                return self._second.understand(request, profile, other)
            except ModelError as error:
                raise NotUnderstood(f"{refusal} The model was asked too: {error}", refusal.missing) from error
        if not isinstance(found, OpenQuestion):
            return found
        try:
            return self._second.understand(request, profile, other)
        except (ModelError, NotUnderstood):
            return found  # two readings of the planner are more than no answer

    def specify(self, intent: Understood, taken: Set[str], name: str | None = None) -> Contract:
        """Derive the contract."""
        return specify(intent, taken, name)

    def write(self, contract: Contract) -> Package:
        """Write the files of the tool."""
        return write(contract)
