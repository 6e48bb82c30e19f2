"""What a verb answers, for a face to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.question import QuestionBack

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Said:
    """Markdown text, and where there is one the card or the table to show, or a card on the page that changed.

    `question` is a question asked back, and `text` says it for a face that cannot show its readings.
    """

    text: str = ""
    card: Card | None = None
    frame: pd.DataFrame | None = None
    changed: Card | None = None
    question: QuestionBack | None = None
    ok: bool = True
