"""Hop 9: an approved candidate becomes an active tool, after everything is checked once more."""

from __future__ import annotations

from jupyter_mcpgen.errors import DecisionError, NameTaken, StaleApproval, UnsoundApproval
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.event import RegistryChanged
from jupyter_mcpgen.model.tool import Approval, PromotedTool
from jupyter_mcpgen.pipeline.again import intent_of_card
from jupyter_mcpgen.pipeline.feedback import Approve
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
        face=choice.feedback.face,
    )
    services.registry.approve(candidate.tool_id, approval, choice.feedback)
    tool = services.registry.promote(candidate.tool_id, approval, choice.feedback)
    services.announce(RegistryChanged(tool_name=tool.name, change="promoted"))
    return tool


def _require_free_name(card: Card, candidate: ToolCandidate, services: Services) -> None:
    """Refuse a name that another tool has, and offer a free one: a card reserves none.

    The card of a next version shows what changes; the registry sees to it that it changes what is active now.
    """
    before = services.registry.predecessor(card.tool_name)
    if before is None or not before.is_active:
        return
    tool = before.tool
    is_same = tool is not None and (tool.spec_hash, tool.code_hash) == (candidate.spec_hash, candidate.code_hash)
    if card.diff is not None and is_same and card.fingerprint != before.fingerprint:
        raise NameTaken(
            f"Version {before.version} of `{card.tool_name}` has this content already, so there is nothing to save. "
            f"`%mcpgen reject {card.card_id}` puts the answer away."
        )
    if card.diff is not None or is_same:
        return
    if card.offered:
        raise NameTaken(
            f"There is another tool named `{card.tool_name}` since this one was offered. Decline the request; the "
            "client can offer it under another name, or as the next version of a tool that a client made."
        )
    taken = services.registry.names()
    free = services.author.specify(intent_of_card(card, services), taken).spec.tool_name
    name, another = (free, "another name") if free not in taken else ("NAME", "a name of your own")
    raise NameTaken(
        f"You already have another tool named `{card.tool_name}`. Save this one under {another}: "
        f"`%mcpgen approve {card.card_id} --name {name}`."
    )
