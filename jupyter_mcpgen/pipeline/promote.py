"""Hop 9: an approved candidate becomes an active tool, after everything is checked once more."""

from __future__ import annotations

from jupyter_mcpgen.errors import StaleApproval, UnsoundApproval
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.event import RegistryChanged
from jupyter_mcpgen.model.tool import Approval, PromotedTool
from jupyter_mcpgen.pipeline.feedback import Approve
from jupyter_mcpgen.pipeline.present import blocking
from jupyter_mcpgen.pipeline.services import Services


def promote(card: Card, choice: Approve, services: Services) -> PromotedTool:
    """Promote the content that was shown, or raise; the registry compares the files with the fingerprint again."""
    candidate = services.registry.candidate(card.card_id)
    report = candidate.validation_report
    if not card.sound or report is None or not report.passed:
        raise UnsoundApproval(card.tool_name, blocking(card))
    if choice.fingerprint != candidate.fingerprint:
        raise StaleApproval(card.tool_name)
    approval = Approval(
        tool_name=candidate.spec.tool_name,
        version=candidate.version,
        fingerprint=choice.fingerprint,
        approved_by=choice.feedback.decided_by,
        approved_at=choice.feedback.timestamp,
        notes=choice.feedback.notes,
    )
    tool = services.registry.promote(candidate.tool_id, approval, choice.feedback)
    services.announce(RegistryChanged(tool_name=tool.name, change="promoted"))
    return tool
