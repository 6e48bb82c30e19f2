"""The author that asks the planner, and the model where the planner is not sure."""

from __future__ import annotations

from jupyter_mcpgen.authors.author import Answered, Author
from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.errors import ModelError, NotUnderstood
from jupyter_mcpgen.model.diagnostics import Diagnostics
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent


class Ladder(Drafting):
    """The first author answers what it is sure of, the second one the rest."""

    def __init__(self, first: Author, second: Author) -> None:
        self._first = first
        self._second = second
        self.name = f"{first.name}, {second.name}"

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Answered:
        """Read a request by the first author that is sure of it.

        Where the second one does not answer, what the first one asked back or refused stands, with the reason.
        """
        try:
            found = self._first.understand(request, profile, other)
        except NotUnderstood as refusal:
            return second_instead(self._second, request, profile, other, refusal)
        if not isinstance(found, OpenQuestion):
            return found
        try:
            return self._second.understand(request, profile, other)
        except (ModelError, NotUnderstood):
            return found  # two readings of the planner are more than no answer

    def code_instead(
        self, intent: Intent, request: Request, profile: Profile, other: Profile | None = None
    ) -> Understood:
        """Have the second author write code, whose query it was."""
        return self._second.code_instead(intent, request, profile, other)

    def repair(
        self,
        intent: WrittenIntent,
        diagnostics: Diagnostics,
        request: Request,
        profile: Profile,
        other: Profile | None = None,
    ) -> WrittenIntent | None:
        """Have the second author repair the code, which it wrote."""
        return self._second.repair(intent, diagnostics, request, profile, other)


def second_instead(
    second: Author, request: Request, profile: Profile, other: Profile | None, refusal: NotUnderstood
) -> Answered:
    """Have a second author read what the first one refused; where its model is away, the refusal stands and says so."""
    try:
        return second.understand(request, profile, other)
    except ModelError as error:
        raise NotUnderstood(f"{refusal} The model was asked too: {error}", refusal.missing) from error
