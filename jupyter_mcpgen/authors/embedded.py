"""The author that needs no model: words to plan by `nl`, plan to contract and code by derivation."""

from __future__ import annotations

from collections.abc import Set

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.authors.code import write_package
from jupyter_mcpgen.authors.contract import contract_of
from jupyter_mcpgen.authors.naming import tool_name
from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.model.intent import Alternative, Intent, intent_of
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.shape import generalise


class EmbeddedAuthor:
    """Deterministic: the same question over the same data gives the same tool, to the byte."""

    name = "embedded-planner"

    def __init__(self, language: str = "en") -> None:
        self._language = language

    def understand(self, request: Request, profile: Profile) -> Intent:
        """Read a request; raises `NotUnderstood` with the question back or the honest refusal."""
        match read(request.question, profile, self._language):
            case Answered(winner, alternatives):
                return _intent(winner, alternatives, request)
            case Asked(question):
                raise NotUnderstood(question)
            case Refused(message, missing_capabilities=missing):
                raise NotUnderstood(message, missing)

    def specify(self, intent: Intent, taken: Set[str], name: str | None = None) -> Contract:
        """Derive the contract from the generalised plan."""
        return contract_of(generalise(intent.plan), name or tool_name(intent.plan, taken))

    def write(self, contract: Contract) -> Package:
        """Write the files of the tool."""
        return write_package(contract)


def _intent(winner: Reading, alternatives: tuple[Reading, ...], request: Request) -> Intent:
    others = tuple(
        Alternative(
            label=other.label or say_plan(other.plan),
            reading=say_plan(other.plan),
            plan=other.plan,
            assumptions=other.assumptions,
        )
        for other in alternatives
    )
    return intent_of(winner.plan, request.data.path, winner.assumptions, others)
