"""The card: everything a person sees before deciding, as one value that is stored and shown."""

from __future__ import annotations

from typing import Any

from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.validation import Evidence, Finding


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


class Card(Record):
    """One answer with its evidence, its code and the two questions.

    `card_id` equals the candidate's `tool_id`. `sound` says whether approval may be offered at all;
    the decision transaction checks it again. `chart` is a Vega-Lite specification with its data inline.
    `explains` says whether rows of the data can be shown behind each row of the result; `permissions` are sentences
    about what the sandbox lets the tool do by its `capabilities`.
    """

    card_id: str
    tool_name: str
    version: str
    fingerprint: str
    question: str
    data_name: str
    reading: str
    chips: tuple[Chip, ...] = ()
    status: ToolStatus
    sound: bool
    table: Table
    chart: dict[str, Any] | None = None
    explains: bool = False
    evidence_sentence: str
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[Finding, ...] = ()
    assumptions: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    code: str
    signature: str
    parameters: tuple[ToolParameter, ...] = ()
    capabilities: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    sandbox: str
    stages: tuple[StageTime, ...] = ()
    reused: bool = False
    """True where a tool that was approved before gave the answer: there is nothing to decide."""
    feedback: CardDecision = CardDecision()
    created_at: str
