"""Asks a question that has a card once more: in another reading, or under another name for its tool."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.errors import DecisionError, UnknownData
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import Alternative, Intent
from jupyter_mcpgen.model.request import DataKind, DataRef
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.code import read_intent
from jupyter_mcpgen.pipeline.services import Services


def intent_of_card(card: Card, services: Services) -> Understood:
    """Return what the question of a card was understood to ask; raises `DecisionError` for one without a question."""
    if card.offered:
        raise DecisionError(
            f"`{card.tool_name}` was offered by the AI client “{card.offered}”, so there is no question behind it. "
            "You can approve or reject it."
        )
    return read_intent(services.registry.package(card.card_id))


def in_reading(intent: Understood, chip: str) -> Intent:
    """Return an intent in one of its other readings; raises `DecisionError` that lists them."""
    others = alternatives_of(intent)
    chosen = next((other for other in others if chip in (other.label, other.reading)), None)
    if chosen is None or isinstance(intent, WrittenIntent):
        offered = ", ".join(f"`{other.label}`" for other in others) or "none"
        raise DecisionError(f"`{chip}` is not an option of this answer. Options: {offered}.")
    return intent.picked(chosen)


def alternatives_of(intent: Understood) -> tuple[Alternative, ...]:
    """Return the other readings of a question; written code has none."""
    return intent.alternatives if isinstance(intent, Intent) else ()


def data_of_card(card: Card, intent: Understood) -> tuple[DataRef, DataRef | None]:
    """Return the table of a card's question, and the second one if there is one; raises `UnknownData` once gone."""
    if not Path(intent.input).exists():
        raise UnknownData(card.data_name)
    data = _table(intent, card.data_name, intent.input)
    if intent.other_input is None:
        return data, None
    if isinstance(intent, WrittenIntent):
        return data, _table(intent, Path(intent.other_input).stem, intent.other_input)
    if intent.plan.second is None:
        return data, None
    return data.replace(name=intent.plan.source), _table(intent, intent.plan.second.other, intent.other_input)


def _table(intent: Understood, name: str, path: str) -> DataRef:
    """Return a table of an intent with the file that it was made of, if it was made of one."""
    packed = next((table.packed for table in intent.tables if table.path == path), None)
    return DataRef(kind=DataKind.FILE, name=name, path=path, packed=packed)


def files_of(intent: Understood) -> tuple[DataRef, ...]:
    """Return the tables of an intent that are of files that a person named, not of variables."""
    return tuple(table for table in intent.tables if table.kind is DataKind.FILE)
