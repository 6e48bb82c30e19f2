"""The one stream of events that progress strips, logs and metrics read."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Literal

from jupyter_mcpgen.model.card import Chip
from jupyter_mcpgen.model.guidance import ErrorType
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import Verdict


class Stage(StrEnum):
    """The hops of the first transaction, in order, then those of the second."""

    LOAD = "load"
    INTENT = "intent"
    GAP = "gap"
    SPEC = "spec"
    CODE = "code"
    SCREEN = "screen"
    TRIAL = "trial"
    VALIDATE = "validate"
    PRESENT = "present"
    FEEDBACK = "feedback"
    PROMOTE = "promote"


class StageStarted(Record):
    """A hop began."""

    kind: Literal["stage_started"] = "stage_started"
    request_id: str
    stage: Stage


class StageFinished(Record):
    """A hop ended; `milliseconds` is its wall-clock time."""

    kind: Literal["stage_finished"] = "stage_finished"
    request_id: str
    stage: Stage
    milliseconds: float


class ReadingFound(Record):
    """How a question was understood, and its other readings; nothing is computed yet."""

    kind: Literal["reading_found"] = "reading_found"
    request_id: str
    reading: str
    chips: tuple[Chip, ...]
    read_by: str


class ResultFound(Record):
    """The first rows of an answer that one computation gave; the second one, which checks it, still runs."""

    kind: Literal["result_found"] = "result_found"
    table: Table


class GateFinished(Record):
    """A gate ended: the `number`-th of so many."""

    kind: Literal["gate_finished"] = "gate_finished"
    request_id: str
    gate: str
    verdict: Verdict
    number: int
    total: int


class Progress(Record):
    """How far something is that takes long, in a few words."""

    kind: Literal["progress"] = "progress"
    text: str


class RegistryChanged(Record):
    """The set of active tools is not what it was."""

    kind: Literal["registry_changed"] = "registry_changed"
    tool_name: str
    change: Literal["promoted", "removed"]


class ToolGenerated(Record):
    """An answer went through the gates; `milliseconds` is the time of all its hops."""

    kind: Literal["tool_generated"] = "tool_generated"
    request_id: str
    tool_name: str
    milliseconds: float
    passed: bool


class ToolCalled(Record):
    """An active tool was called, and whether it gave no result."""

    kind: Literal["tool_called"] = "tool_called"
    tool_name: str
    milliseconds: float
    failed: bool


class ProgramRan(Record):
    """Code that a client sent ran to an end; a failure has advice where a rule, or the general one, gave it."""

    kind: Literal["program_ran"] = "program_ran"
    failed: bool
    advice: ErrorType | None = None
    is_classified: bool = False


class CardRejected(Record):
    """A card was rejected and is in the archive."""

    kind: Literal["card_rejected"] = "card_rejected"
    tool_name: str


Event = (
    StageStarted
    | StageFinished
    | ReadingFound
    | ResultFound
    | GateFinished
    | Progress
    | RegistryChanged
    | ToolGenerated
    | ToolCalled
    | ProgramRan
    | CardRejected
)
Listener = Callable[[Event], None]
