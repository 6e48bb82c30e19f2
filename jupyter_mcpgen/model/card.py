"""The card: everything a person sees before deciding, as one value that is stored and shown."""

from __future__ import annotations

from typing import Any

from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.confirmation import Confirmation, Confirms
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.figure import Figure
from jupyter_mcpgen.model.file_preview import ReadFile
from jupyter_mcpgen.model.parts import ReadingPart
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.validation import Evidence, Finding, Place, is_sound
from jupyter_mcpgen.plan.ops import ChartKind


class Chip(Record):
    """Another way to read the question, close enough to offer."""

    label: str
    reading: str
    chosen: bool = False


class StageTime(Record):
    """How long one hop took, in milliseconds."""

    stage: str
    milliseconds: float


class CardDecision(Record):
    """What was answered so far."""

    output: OutputVerdict = OutputVerdict.PENDING
    decision: Decision = Decision.PENDING
    notes: str | None = None
    timestamp: str | None = None
    confirmed: tuple[Confirms, ...] = ()


class Archived(Record):
    """That a saved version is not active: `active` is the version that is, or None where the tool has none."""

    active: str | None = None


class Card(Record):
    """One answer with its evidence, its code and the two questions.

    `card_id` equals the candidate's `tool_id`. `sound` says whether approval may be offered at all;
    the decision transaction checks it again. `chart` is a Vega-Lite specification with its data inline, `figures` are
    what the code drew itself.
    `explains` says whether rows of the data can be shown behind each row of the result; `permissions` are sentences
    about what the sandbox lets the tool do by its `capabilities`. `evidence_sentence` is the one line that sums the
    evidence up, `read_by` says who read the question, and asks whether it is meant so. `confirmations` are what an
    approval has to say besides. `text` is the result in the form that the question asked for, where that is no table;
    `ran` says over how many rows the code ran, and how long.
    """

    card_id: str
    tool_name: str
    version: str
    fingerprint: str
    question: str
    data_name: str
    reading: str
    chips: tuple[Chip, ...] = ()
    parts: tuple[ReadingPart, ...] = ()
    """What of the reading can be changed one by one."""
    status: ToolStatus
    sound: bool
    table: Table
    text: str = ""
    ran: str = ""
    chart: dict[str, Any] | None = None
    drawable: tuple[ChartKind, ...] = ()
    """The kinds of chart that say something about the result."""
    adds_up: bool = False
    """Whether the figures that the chart shows can be added up, so that bars without room become one."""
    figures: tuple[Figure, ...] = ()
    explains: bool = False
    evidence_sentence: str
    read_by: str = ""
    confirmations: tuple[Confirmation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[Finding, ...] = ()
    assumptions: tuple[str, ...] = ()
    files: tuple[ReadFile, ...] = ()
    """The files of which a person can say otherwise how they are read."""
    limitations: tuple[str, ...] = ()
    code: str
    signature: str
    parameters: tuple[ToolParameter, ...] = ()
    capabilities: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    sandbox: str
    verify: str = ""
    """The command that tells later whether the tool still gives this answer; empty where nothing was kept for it."""
    stages: tuple[StageTime, ...] = ()
    reused: bool = False
    """True where a tool that was approved before gave the answer: there is nothing to decide."""
    offered: str = ""
    """The AI client that offered the tool, by the name that it gave itself; empty for the answer to a question."""
    is_named: bool = False
    """True where a person chose the name of the tool, so that another reading of the question keeps it."""
    diff: Diff | None = None
    """What changes, on the card of a tool's next version."""
    feedback: CardDecision = CardDecision()
    archived: Archived | None = None
    """For a version that was saved and is not active now; it is not stored, the registry says it of a card it reads."""
    created_at: str

    @property
    def is_live(self) -> bool:
        """True for the card of a tool that can be called now."""
        return self.status is ToolStatus.PROMOTED and self.archived is None

    @property
    def notes(self) -> tuple[Evidence, ...]:
        """What is said below the line of evidence, such as rows that were left out."""
        return tuple(item for item in self.evidence if item.place is Place.NOTE and item.is_good)

    @property
    def reasons(self) -> tuple[Evidence, ...]:
        """The checks that the line sums up; where one failed, the line says nothing of those that passed."""
        in_line = is_sound(self.evidence)
        good = (item for item in self.evidence if item.is_good)
        return tuple(i for i in good if i.place is Place.FOLDED or (i.place is Place.LINE and not in_line))


def told_of_archived(card: Card, archived: Archived) -> str:
    """Say that a saved version cannot be called now, and why."""
    why = "the tool is unpublished" if archived.active is None else f"v{archived.active} is active"
    return f"`{card.tool_name}` v{card.version} is in the archive: {why}."


def failed_gates(card: Card) -> bool:
    """Tell whether the gates rejected a card, and no person did."""
    by_person = card.feedback.decision is not Decision.PENDING or card.feedback.output is OutputVerdict.REJECTED
    return card.status is ToolStatus.REJECTED and not by_person


def is_undecided(card: Card) -> bool:
    """Tell whether a person has still to say that the answer is what they meant."""
    return card.status in (ToolStatus.DRAFT, ToolStatus.STAGED) and card.feedback.output is OutputVerdict.PENDING
