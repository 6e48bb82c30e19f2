"""What a verb answers, for a face to show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import SecretStr

    from jupyter_mcpgen.answer import Answer
    from jupyter_mcpgen.model.card import Card
    from jupyter_mcpgen.model.figure import Figure
    from jupyter_mcpgen.model.overview import Overview


NOT_AGREED = "Nothing was changed. Add `--yes` to do it."
"""What is said of a proposal where nobody can be asked."""


@dataclass(frozen=True)
class Proposal:
    """What is done only if a person agrees: the question, and what does it."""

    question: str
    carry_out: Callable[[], Said]


@dataclass(frozen=True)
class Said:
    """Markdown text, and where there is one the card or the table to show, or a card on the page that changed.

    `answer` is that of a question, not staged yet, so that a face can show it before its code is tested. `code` is
    to be run in a cell, or for a person to change if `edits` names the card that it is of. A `secret` is shown where
    nothing keeps it.
    """

    text: str = ""
    card: Card | None = None
    frame: pd.DataFrame | None = None
    changed: Card | None = None
    answer: Answer | None = None
    ok: bool = True
    figures: tuple[Figure, ...] = ()
    code: str = ""
    edits: str = ""
    secret: SecretStr | None = None
    proposal: Proposal | None = None
    overview: Overview | None = None
    """What a page shows in place of the text."""

    @property
    def all_rows(self) -> pd.DataFrame | None:
        """All rows of what was answered, if a table was."""
        return self.answer.df if self.answer is not None and self.answer.is_sound else self.frame
