"""The wire between the card in the page and the kernel; the TypeScript types are generated from this module."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from jupyter_mcpgen.model.answer import RowsBehind
from jupyter_mcpgen.model.asking import Asking
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.parts import PartChoices
from jupyter_mcpgen.model.question import QuestionBack
from jupyter_mcpgen.model.record import Record

CARD_MIME = "application/vnd.mcpgen.card.v1+json"
QUESTION_MIME = "application/vnd.mcpgen.question.v1+json"

Step = Literal["output", "registration"]


class Sync(Record):
    """The page shows these cards and wants to know how they stand."""

    kind: Literal["sync"] = "sync"
    card_ids: tuple[str, ...]


class Answer(Record):
    """A person's answer to one of the two questions, bound to the content they saw."""

    kind: Literal["answer"] = "answer"
    card_id: str
    fingerprint: str
    step: Step
    answer: str
    notes: str | None = None
    confirmed: tuple[Confirms, ...] = ()
    """What they confirmed besides an approval."""


class Undo(Record):
    """Take back the promotion of a card's tool."""

    kind: Literal["undo"] = "undo"
    card_id: str


class Pick(Record):
    """Read the question another way: the label of a chip on the card, or of a question asked back."""

    kind: Literal["pick"] = "pick"
    card_id: str
    chip: str


class Offer(Record):
    """Say what may stand in a part of a card's reading."""

    kind: Literal["offer"] = "offer"
    card_id: str
    part: str


class Adjust(Record):
    """Answer with other values in a part of a card's reading, or without the part where there are none."""

    kind: Literal["adjust"] = "adjust"
    card_id: str
    part: str
    values: tuple[str, ...]


class AskAgain(Record):
    """Ask the question of a card, or one that was asked back or refused, in other words."""

    kind: Literal["ask_again"] = "ask_again"
    card_id: str
    question: str


class Explain(Record):
    """Show the rows of the data behind a row of the result, counted from 1."""

    kind: Literal["explain"] = "explain"
    card_id: str
    row: int = Field(ge=1)


class Stop(Record):
    """Stop a question that is on its way."""

    kind: Literal["stop"] = "stop"
    asking_id: str


class Watch(Record):
    """The page shows a question on its way and wants to know how far it is, and to hear how it goes on."""

    kind: Literal["watch"] = "watch"
    asking_id: str


class Unasked(Record):
    """This kernel is at no such question: it ended, or another kernel was at it."""

    kind: Literal["unasked"] = "unasked"
    asking_id: str


class Painted(Record):
    """A card as the registry holds it now.

    `replaces` names the card whose place it takes, after another reading was picked. `clients` says what MCP clients
    see of a tool that is live, now. `html` and `markdown` are what a page without the extension shows; the page stores
    them, so that the saved notebook tells the decision.
    """

    kind: Literal["painted"] = "painted"
    card: Card
    replaces: str | None = None
    clients: str | None = None
    html: str
    markdown: str


class Behind(Record):
    """The rows of the data behind a row of the card's result."""

    kind: Literal["behind"] = "behind"
    card_id: str
    row: int
    found: RowsBehind


class Offered(Record):
    """What may stand in a part of a card's reading."""

    kind: Literal["offered"] = "offered"
    card_id: str
    offered: PartChoices


class AskedBack(Record):
    """Words that were asked again can be read in several ways, or not; the card or question stays as it was."""

    kind: Literal["asked_back"] = "asked_back"
    card_id: str
    question: QuestionBack


class Waiting(Record):
    """The kernel holds this question open: one of its readings can be picked."""

    kind: Literal["waiting"] = "waiting"
    card_id: str
    question: QuestionBack


class UnknownCard(Record):
    """The registry of this kernel does not hold the card, so nothing can be decided here."""

    kind: Literal["unknown_card"] = "unknown_card"
    card_id: str


class Refused(Record):
    """What was asked for could not be done, and why; the card stays as it was."""

    kind: Literal["refused"] = "refused"
    card_id: str
    message: str


OfCards = Sync | Answer | Undo | Pick | Offer | Adjust | AskAgain | Explain
"""What a page says of cards: it is carried out one by one."""
OfQuestions = Stop | Watch
"""What a page says of a question on its way: it is carried out at once, whatever else is being done."""
FromPage = OfCards | OfQuestions
ToPage = Painted | Behind | Offered | AskedBack | Waiting | UnknownCard | Refused | Asking | Unasked

_FROM_PAGE: TypeAdapter[FromPage] = TypeAdapter(Annotated[FromPage, Field(discriminator="kind")])


def parse(data: object) -> FromPage:
    """Turn a message's content into a record; raises pydantic's `ValidationError` for anything else."""
    return _FROM_PAGE.validate_python(data, strict=False)
