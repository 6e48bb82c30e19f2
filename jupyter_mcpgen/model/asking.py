"""How far a question is: what a face shows from the moment it is asked until its answer is there."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, assert_never

from jupyter_mcpgen.model.card import Card, Chip
from jupyter_mcpgen.model.event import (
    CardRejected,
    Event,
    GateFinished,
    ProgramRan,
    Progress,
    ReadingFound,
    RegistryChanged,
    ResultFound,
    Stage,
    StageFinished,
    StageStarted,
    ToolCalled,
    ToolGenerated,
)
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import Verdict


class Step(StrEnum):
    """What a person sees of the hops before the answer: several hops are one step."""

    READ = "read"
    WRITE = "write"
    CHECK = "check"
    RUN = "run"


STEP_OF = {
    Stage.LOAD: Step.READ,
    Stage.INTENT: Step.READ,
    Stage.GAP: Step.READ,
    Stage.SPEC: Step.WRITE,
    Stage.CODE: Step.WRITE,
    Stage.SCREEN: Step.CHECK,
    Stage.TRIAL: Step.RUN,
}
"""The step that a hop belongs to; the gates after them are counted one by one."""


class StepState(StrEnum):
    """Where a step is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    """Not needed: a tool of the person's gave the answer."""
    STOPPED = "stopped"


class StepTime(Record):
    """One step, and how long its hops took so far."""

    step: Step
    state: StepState = StepState.WAITING
    milliseconds: float = 0.0


class AskingState(StrEnum):
    """Where a question is as a whole."""

    GOING = "going"
    STOPPED = "stopped"
    """A person stopped it."""
    FAILED = "failed"
    """It ended without an answer; what is shown beside it says why."""
    OVER = "over"
    """Its answer is there."""


class Tick(Record):
    """A gate that ended."""

    gate: str
    verdict: Verdict


class Asking(Record):
    """One question on its way, folded from its events.

    `number` counts the changes, so that of two that reach a page by different ways the later one is known. `doing` is
    said while a model is asked. `card` is the answer whose code is still being tested.
    """

    kind: Literal["asking"] = "asking"
    asking_id: str
    number: int = 0
    question: str
    state: AskingState = AskingState.GOING
    doing: str = ""
    reading: str = ""
    chips: tuple[Chip, ...] = ()
    read_by: str = ""
    steps: tuple[StepTime, ...] = (
        StepTime(step=Step.READ, state=StepState.RUNNING),
        *(StepTime(step=step) for step in (Step.WRITE, Step.CHECK, Step.RUN)),
    )
    ticks: tuple[Tick, ...] = ()
    gates: int = 0
    """How many gates there are; 0 before the first one ended."""
    first: Table | None = None
    """The first rows that one computation gave, while the second one runs; only of large tables."""
    card: Card | None = None
    card_id: str = ""
    """The card that the answer is on, once it is there."""

    def after(self, event: Event) -> Asking:
        """Return how far the question is after an event; one that is not about it changes nothing."""
        match event:
            case Progress(text=text):
                return self._changed(doing=text)
            case StageStarted(stage=stage):
                return self._begun(STEP_OF[stage]) if stage in STEP_OF else self
            case StageFinished(stage=stage, milliseconds=spent):
                return self._ended(STEP_OF[stage], spent) if stage in STEP_OF else self
            case ReadingFound(reading=reading, chips=chips, read_by=read_by):
                return self._changed(reading=reading, chips=chips, read_by=read_by, doing="")
            case ResultFound(table=table):
                return self._changed(first=table)
            case GateFinished(gate=gate, verdict=verdict, number=number, total=total):
                # code that was repaired goes through the gates again, from the first
                before = self.ticks if number > 1 else ()
                return self._changed(ticks=(*before, Tick(gate=gate, verdict=verdict)), gates=total)
            case RegistryChanged() | ToolGenerated() | ToolCalled() | ProgramRan() | CardRejected():
                return self
            case _:
                assert_never(event)

    def answered(self, card: Card) -> Asking:
        """Return it with the answer, whose code is tested from now on."""
        return self._changed(
            card=card, card_id=card.card_id, reading=card.reading, chips=card.chips, doing="", first=None
        )

    def ended(self, state: AskingState, card_id: str | None = None) -> Asking:
        """Return it at its end, when nothing of it runs any more; the answer may be on another card than at first."""
        left = StepState.STOPPED if state is AskingState.STOPPED else StepState.WAITING
        steps = tuple(each.replace(state=left) if each.state is StepState.RUNNING else each for each in self.steps)
        return self._changed(state=state, steps=steps, doing="", card_id=card_id or self.card_id)

    def _begun(self, step: Step) -> Asking:
        """Return it at a step; of the steps before it, those that nothing was done in are not needed."""
        place = tuple(Step).index(step)
        return self._changed(
            steps=tuple(
                each.replace(state=StepState.RUNNING)
                if each.step is step
                else each.replace(state=StepState.SKIPPED)
                if number < place and each.state is StepState.WAITING
                else each.replace(state=StepState.DONE)
                if each.state is StepState.RUNNING
                else each
                for number, each in enumerate(self.steps)
            )
        )

    def _ended(self, step: Step, spent: float) -> Asking:
        return self._changed(
            steps=tuple(
                each.replace(state=StepState.DONE, milliseconds=round(each.milliseconds + spent, 1))
                if each.step is step
                else each
                for each in self.steps
            )
        )

    def _changed(self, **changes: object) -> Asking:
        return self.replace(number=self.number + 1, **changes)
