"""Hop 9: an approved candidate becomes an active tool, after everything is checked once more."""

from __future__ import annotations

from jupyter_mcpgen.errors import DecisionError, NameTaken, StaleApproval, UnsoundApproval
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.event import RegistryChanged
from jupyter_mcpgen.model.tool import Approval, PromotedTool
from jupyter_mcpgen.pipeline.again import intent_of_card
from jupyter_mcpgen.pipeline.feedback import Approve
from jupyter_mcpgen.pipeline.gap import names_in_use
from jupyter_mcpgen.pipeline.present import blocking
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.registry.rules import require_confirmed


def promote(card: Card, choice: Approve, services: Services) -> PromotedTool:
    """Promote the content that was shown, or raise; the registry compares the files with the fingerprint again."""
    candidate = services.registry.candidate(card.card_id)
    report = candidate.validation_report
    if card.status is ToolStatus.DRAFT:
        raise DecisionError(
            f"The checks of `{card.tool_name}` did not finish. `%mcpgen approve {card.card_id}` runs them first."
        )
    if not card.sound or report is None or not report.passed:
        raise UnsoundApproval(card.tool_name, blocking(card))
    require_confirmed(card, choice.feedback.confirmed)
    if choice.fingerprint != candidate.fingerprint:
        raise StaleApproval(card.tool_name)
    _require_free_name(card, candidate, services)
    approval = Approval(
        tool_name=candidate.spec.tool_name,
        version=candidate.version,
        fingerprint=choice.fingerprint,
        fingerprint_version=candidate.fingerprint_version,
        approved_by=choice.feedback.decided_by,
        approved_at=choice.feedback.timestamp,
        notes=choice.feedback.notes,
        confirmed=choice.feedback.confirmed,
    )
    services.registry.approve(candidate.tool_id, approval, choice.feedback)
    tool = services.registry.promote(candidate.tool_id, approval, choice.feedback)
    services.announce(RegistryChanged(tool_name=tool.name, change="promoted"))
    return tool


def _require_free_name(card: Card, candidate: ToolCandidate, services: Services) -> None:
    """Refuse a name that another tool got while the card waited, and offer a free one: a card reserves none."""
    active = next((tool for tool in services.registry.active() if tool.name == card.tool_name), None)
    if active is None or (active.spec_hash, active.code_hash) == (candidate.spec_hash, candidate.code_hash):
        return
    free = services.author.specify(intent_of_card(card, services), names_in_use(services)).spec.tool_name
    raise NameTaken(
        f"You already have another tool named `{card.tool_name}`. Save this one under another name: "
        f"`%mcpgen approve {card.card_id} --name {free}`."
    )
