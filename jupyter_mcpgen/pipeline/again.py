"""Asks a question that has a card once more: in another reading, or under another name for its tool."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.errors import DecisionError, UnknownData
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.request import DataKind, DataRef
from jupyter_mcpgen.pipeline.code import INTENT_FILE
from jupyter_mcpgen.pipeline.services import Services


def intent_of_card(card: Card, services: Services) -> Intent:
    """Return what the question of a card was understood to ask."""
    return Intent.model_validate_json(services.registry.package(card.card_id).files[INTENT_FILE])


def in_reading(intent: Intent, chip: str) -> Intent:
    """Return an intent in one of its other readings; raises `DecisionError` that lists them."""
    chosen = next((other for other in intent.alternatives if chip in (other.label, other.reading)), None)
    if chosen is None:
        offered = ", ".join(f"`{other.label}`" for other in intent.alternatives) or "none"
        raise DecisionError(f"`{chip}` is not an option of this answer. Options: {offered}.")
    return intent.picked(chosen)


def data_of_card(card: Card, intent: Intent) -> tuple[DataRef, DataRef | None]:
    """Return the table of a card's question, and the second one if there is one; raises `UnknownData` once gone."""
    if not Path(intent.input).exists():
        raise UnknownData(card.data_name)
    data = DataRef(kind=DataKind.FILE, name=card.data_name, path=intent.input)
    if intent.plan.second is None or intent.other_input is None:
        return data, None
    other = DataRef(kind=DataKind.FILE, name=intent.plan.second.other, path=intent.other_input)
    return data.replace(name=intent.plan.source), other
