"""A question asked back: what was asked, and the readings that a person can pick from."""

from __future__ import annotations

from jupyter_mcpgen.model.card import Chip
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.written import Understood

QUESTION_MARK = "question-"
"""How the id of a question begins, so that it is never taken for that of a card."""


class Option(Chip):
    """A reading to pick, with the first rows that it gives, or a sentence about why they are not there yet."""

    table: Table | None = None
    without: str = ""


class Unread(Record):
    """Words of a question that were not understood, and the columns that come nearest to them."""

    words: str
    columns: tuple[str, ...]


class QuestionBack(Record):
    """What a person sees when a question can be read in several ways; it holds no path of theirs."""

    question_id: str
    question: str
    data_name: str
    text: str
    options: tuple[Option, ...]
    way_on: str = ""
    """What else may help, said after the readings."""
    is_refusal: bool = False
    """True where the question was refused, and the options are what comes nearest to it, if anything does."""
    unread: tuple[Unread, ...] = ()


class OpenQuestion(Record):
    """A question that waits for a pick, with what answering each of its readings takes."""

    request: Request
    text: str
    intents: tuple[Understood, ...]
    results: tuple[Option, ...] = ()
    """The readings with what they give, where that was computed: in the order of `intents`."""
    way_on: str = ""
    refusal: str = ""
    """Why the question could not be read; what can be picked is then the nearest that can be computed."""
    unread: tuple[Unread, ...] = ()

    @property
    def question_id(self) -> str:
        """The id that a page and a person name it by."""
        return f"{QUESTION_MARK}{self.request.request_id[:8]}"

    @property
    def shown(self) -> QuestionBack:
        """The part that is shown."""
        return QuestionBack(
            question_id=self.question_id,
            question=self.request.question,
            data_name=self.request.data.name,
            text=self.text if self.text.startswith(self.refusal) else f"{self.refusal} {self.text}".strip(),
            way_on=self.way_on,
            is_refusal=bool(self.refusal),
            unread=self.unread,
            options=self.results or tuple(Option(label=each.reading, reading=each.reading) for each in self.intents),
        )
