"""Makes real promoted tools for the measurements: a question, a card, a person's yes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from benchmarks.place import Place
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime, build
from jupyter_mcpgen.settings import load_settings


@dataclass(frozen=True)
class Desk:
    """The product over a registry of its own, with the table of the measurements at hand."""

    runtime: Runtime
    frame: pd.DataFrame

    @property
    def registry(self) -> Path:
        """The registry's folder."""
        return self.runtime.registry.root

    def stage(self, question: str, name: str) -> Card:
        """Ask a question; the output is accepted, the tool not yet kept."""
        outcome = self.runtime.ask(question, self.runtime.reference("crashes", self.frame), name)
        assert isinstance(outcome, Staged)
        card = outcome.card
        return self.runtime.answer(card.card_id, card.fingerprint, "output", "Yes", None)

    def promote(self, card: Card) -> Card:
        """Keep the tool of a card."""
        return self.runtime.answer(card.card_id, card.fingerprint, "registration", "Approve", None)


def open_desk(place: Place) -> Desk:
    """Open the product in the place."""
    settings = load_settings(environment={}, overrides={"registry.path": place.new_folder("registry")}).values
    return Desk(build(settings), pd.read_csv(place.table))
