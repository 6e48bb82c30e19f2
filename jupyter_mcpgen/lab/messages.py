"""The wire between the card in the page and the kernel; the TypeScript types are generated from this module."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from jupyter_mcpgen.data.rows_file import Form
from jupyter_mcpgen.model.answer import RowsBehind
from jupyter_mcpgen.model.asking import Asking
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.file_preview import FilePreview
from jupyter_mcpgen.model.parts import PartChoices
from jupyter_mcpgen.model.plain_code import PlainCode
from jupyter_mcpgen.model.question import QuestionBack
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.model.view import Page, View
from jupyter_mcpgen.plan.ops import ChartKind

CARD_MIME = "application/vnd.mcpgen.card.v1+json"
QUESTION_MIME = "application/vnd.mcpgen.question.v1+json"
OVERVIEW_MIME = "application/vnd.mcpgen.overview.v1+json"

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


class LookIntoFile(Record):
    """Show the beginning of a file that a card is about, read so; without options as it was read."""

    kind: Literal["look_into_file"] = "look_into_file"
    card_id: str
    is_other: bool = False
    options: ReadOptions | None = None
    sheet: str | None = None


class ReadSo(Record):
    """Ask the question of a card once more, of a file that is read so from now on."""

    kind: Literal["read_so"] = "read_so"
    card_id: str
    is_other: bool = False
    options: ReadOptions
    sheet: str | None = None


class Explain(Record):
    """Show the rows of the data behind a row of the result, counted from 1."""

    kind: Literal["explain"] = "explain"
    card_id: str
    row: int = Field(ge=1)


class Look(Record):
    """Show rows of a view of a card's whole result, from row `first` on, counted from 0."""

    kind: Literal["look"] = "look"
    card_id: str
    view: View
    first: int = Field(ge=0)
    count: int = Field(ge=1)


class Rows(Record):
    """The rows that are taken away: those of a view of the result, or those of the data behind one of its rows."""

    view: View = View()
    behind: int | None = Field(default=None, ge=1)


class Take(Record):
    """Put rows into a new variable of the notebook."""

    kind: Literal["take"] = "take"
    card_id: str
    rows: Rows
    name: str


class Fetch(Record):
    """Hand rows over as a file."""

    kind: Literal["fetch"] = "fetch"
    card_id: str
    rows: Rows
    form: Form


class Draw(Record):
    """Draw a card's result as another kind of chart; the card stays as it was."""

    kind: Literal["draw"] = "draw"
    card_id: str
    chart: ChartKind


class ReadCode(Record):
    """Say how the answer is computed in plain pandas and in SQL."""

    kind: Literal["read_code"] = "read_code"
    card_id: str


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


class Seen(Record):
    """Rows of a view of a card's result."""

    kind: Literal["seen"] = "seen"
    card_id: str
    view: View
    page: Page


class Taken(Record):
    """Rows are in a variable of the notebook now."""

    kind: Literal["taken"] = "taken"
    card_id: str
    name: str
    count: int


class Fetched(Record):
    """Rows as a file: its name, and what it holds in base64."""

    kind: Literal["fetched"] = "fetched"
    card_id: str
    form: Form
    name: str
    content: str


class Drawn(Record):
    """A card's result as another kind of chart: a Vega-Lite specification with its data."""

    kind: Literal["drawn"] = "drawn"
    card_id: str
    chart: ChartKind
    drawing: dict[str, Any]


class CodeRead(Record):
    """How the answer is computed in plain pandas and in SQL, each as it runs in a cell."""

    kind: Literal["code_read"] = "code_read"
    card_id: str
    code: PlainCode


class Offered(Record):
    """What may stand in a part of a card's reading."""

    kind: Literal["offered"] = "offered"
    card_id: str
    offered: PartChoices


class FileSeen(Record):
    """The beginning of a file, as it is read in a way that is not settled yet."""

    kind: Literal["file_seen"] = "file_seen"
    card_id: str
    preview: FilePreview


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
    """What was asked for could not be done, and why; the card stays as it was.

    `looked` tells that it was a closer look at the answer, so that it is said beside the result.
    """

    kind: Literal["refused"] = "refused"
    card_id: str
    message: str
    looked: bool = False


OfResults = Explain | Look | Take | Fetch | Draw | ReadCode | LookIntoFile
"""What looks closer at an answer, and changes nothing about it."""
OfCards = Sync | Answer | Undo | Pick | Offer | Adjust | AskAgain | ReadSo | OfResults
"""What a page says of cards: it is carried out one by one."""
OfQuestions = Stop | Watch
"""What a page says of a question on its way: it is carried out at once, whatever else is being done."""
FromPage = OfCards | OfQuestions
Found = Behind | Seen | Taken | Fetched | Drawn | CodeRead | FileSeen
"""What a closer look at an answer gives."""
ToPage = Painted | Found | Offered | AskedBack | Waiting | UnknownCard | Refused | Asking | Unasked

_FROM_PAGE: TypeAdapter[FromPage] = TypeAdapter(Annotated[FromPage, Field(discriminator="kind")])


def parse(data: object) -> FromPage:
    """Turn a message's content into a record; raises pydantic's `ValidationError` for anything else."""
    return _FROM_PAGE.validate_python(data, strict=False)
