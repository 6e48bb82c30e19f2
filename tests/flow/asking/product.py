"""A product of its own for a test, and what one does with it: ask, read the figures, keep a tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime

ACCIDENTS = """state,severity,weather,date
CA,3,Clear,2024-01-01
TX,2,Rain,2024-01-02
NY,4,Snow,2024-01-03
CA,1,Clear,2024-01-04
TX,3,Fog,2024-01-05
"""
BY_WEATHER = {"Clear": 2.0, "Fog": 3.0, "Rain": 2.0, "Snow": 4.0}


def staged(outcome: flow.Staged | flow.Reused) -> Card:
    assert isinstance(outcome, flow.Staged)
    return outcome.card


def shown(runtime: Runtime, answer: flow.Computed | flow.Reused) -> Card:
    """Return the card of an answer as a person sees it first, before the gates look at its code."""
    assert isinstance(answer, flow.Computed)
    return runtime.draft_card(answer)


def figures(card: Card) -> dict[Any, Any]:
    """Return the last column of a card's table by the first."""
    return {row[0]: row[-1] for row in card.table.rows}


def keep(runtime: Runtime, card: Card) -> Card:
    return runtime.answer(card.card_id, card.fingerprint, "registration", "approve", None)


@dataclass(frozen=True)
class Waiting:
    """A product whose registry holds one card that waits, and the table it was asked of."""

    runtime: Runtime
    card: Card
    data: DataRef
