"""The author that asks two others; whether they read the same is for the data to show."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.authors.author import Answered, Author, Candidates, TwoReadings
from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.authors.ladder import second_instead
from jupyter_mcpgen.errors import ModelError, NotUnderstood
from jupyter_mcpgen.model.diagnostics import Diagnostics
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent


class Both(Drafting):
    """Asks the planner and the model, and gives both readings where both have one."""

    def __init__(self, first: Author, second: Author) -> None:
        self._first = first
        self._second = second
        self.name = f"{first.name}, {second.name}"

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Answered:
        """Read a request twice; where one of the two does not answer, the other's answer stands alone.

        Raises `NotUnderstood` where neither does, with the first one's reason, and a `ModelError` never.
        """
        try:
            first = self._first.understand(request, profile, other)
        except NotUnderstood as refusal:
            return second_instead(self._second, request, profile, other, refusal)
        try:
            second = self._second.understand(request, profile, other)
        except (ModelError, NotUnderstood):
            return first
        if isinstance(first, Intent) and isinstance(second, Intent | WrittenIntent):
            return TwoReadings(first, second)
        if isinstance(first, Intent) and isinstance(second, Candidates):
            return replace(second, beside=first)
        return second

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
