"""The planner where it reads alone: what it refuses or asks back names the model as a way on."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.authors.author import Answered, Author
from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request

_ADD = "A language model may read what the planner cannot: `%mcpgen model` says how to add one."
_ASK = "You chose the planner alone; without `--author planner` the model reads this too."


@dataclass
class WayOn:
    """What is said of models in one session: how to add one is said once."""

    is_told: bool = False

    def sentence(self, *, has_model: bool) -> str:
        """Return the sentence after a refusal, empty where it was said before."""
        if has_model:
            return _ASK
        if self.is_told:
            return ""
        self.is_told = True
        return _ADD


class PlannerAlone(Drafting):
    """Reads as the planner does; a refusal and a question back end with the way on."""

    def __init__(self, planner: Author, way_on: WayOn, *, has_model: bool) -> None:
        self._planner = planner
        self._way_on = way_on
        self._has_model = has_model
        self.name = planner.name

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Answered:
        """Read a request; raises `NotUnderstood` with the planner's refusal and the way on."""
        try:
            found = self._planner.understand(request, profile, other)
        except NotUnderstood as refusal:
            told = " ".join(filter(None, [str(refusal), self._sentence()]))
            raise NotUnderstood(told, refusal.missing) from refusal
        return found.replace(way_on=self._sentence()) if isinstance(found, OpenQuestion) else found

    def _sentence(self) -> str:
        return self._way_on.sentence(has_model=self._has_model)
