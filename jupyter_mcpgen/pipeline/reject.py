"""Hop 9, the other way: a rejected candidate goes to the archive with its reasons."""

from __future__ import annotations

from jupyter_mcpgen.model.candidate import ToolCandidate
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.pipeline.feedback import Reject
from jupyter_mcpgen.pipeline.services import Services


def reject(card: Card, choice: Reject, services: Services) -> ToolCandidate:
    """Archive a candidate; nothing of it can be called afterwards."""
    return services.registry.reject(card.card_id, choice.feedback)
