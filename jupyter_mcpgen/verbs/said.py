"""What a verb answers, for a face to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from jupyter_mcpgen.model.card import Card
    from jupyter_mcpgen.model.question import QuestionBack


@dataclass(frozen=True)
class Said:
    """Markdown text, and where there is one the card or the table to show, or a card on the page that changed.

    `question` is a question asked back, and `text` says it for a face that cannot show its readings. `result` has all
    rows of the card's result, of which the card shows the first.
    """

    text: str = ""
    card: Card | None = None
    frame: pd.DataFrame | None = None
    changed: Card | None = None
    question: QuestionBack | None = None
    result: pd.DataFrame | None = None
    ok: bool = True

    @property
    def all_rows(self) -> pd.DataFrame | None:
        """All rows of what was answered, if a table was."""
        return self.frame if self.result is None else self.result
