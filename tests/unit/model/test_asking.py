"""How far a question is, folded from its events."""

from __future__ import annotations

from jupyter_mcpgen.model.asking import Asking, AskingState, Step, StepState
from jupyter_mcpgen.model.card import Chip
from jupyter_mcpgen.model.event import (
    Event,
    GateFinished,
    Progress,
    ReadingFound,
    Stage,
    StageFinished,
    StageStarted,
    ToolCalled,
)
from jupyter_mcpgen.model.validation import Verdict
from tests.lab.desk import crash_card

READING = ReadingFound(
    request_id="r", reading="sum of price by region", chips=(Chip(label="mean", reading="mean of price"),), read_by="?"
)


def through(*stages: Stage) -> list[Event]:
    """Return the events of stages that took 10 ms each."""
    ended = (StageFinished(request_id="r", stage=stage, milliseconds=10) for stage in stages)
    return [event for pair in zip(map(began, stages), ended, strict=True) for event in pair]


def began(stage: Stage) -> StageStarted:
    return StageStarted(request_id="r", stage=stage)


def gate(name: str, number: int, verdict: Verdict = Verdict.PASSED) -> GateFinished:
    return GateFinished(request_id="r", gate=name, verdict=verdict, number=number, total=3)


def after(*events: Event) -> Asking:
    asking = Asking(asking_id="a", question="total price by region")
    for event in events:
        asking = asking.after(event)
    return asking


def states(asking: Asking) -> dict[Step, tuple[StepState, float]]:
    return {each.step: (each.state, each.milliseconds) for each in asking.steps}


def test_it_is_being_read_from_the_first_moment() -> None:
    assert [each.state for each in after().steps] == ["running", "waiting", "waiting", "waiting"]


def test_several_hops_are_one_step_with_the_time_of_all_of_them() -> None:
    asking = after(*through(Stage.LOAD, Stage.INTENT), READING, began(Stage.GAP))

    assert asking.reading == "sum of price by region"
    assert states(asking)[Step.READ] == (StepState.RUNNING, 20)


def test_what_a_tool_of_ones_own_answers_needs_no_code() -> None:
    asking = after(*through(Stage.LOAD, Stage.INTENT, Stage.GAP, Stage.TRIAL))

    assert states(asking) == {
        Step.READ: (StepState.DONE, 30),
        Step.WRITE: (StepState.SKIPPED, 0),
        Step.CHECK: (StepState.SKIPPED, 0),
        Step.RUN: (StepState.DONE, 10),
    }


def test_the_gates_tick_and_begin_anew_for_code_that_was_repaired() -> None:
    asking = after(gate("contract", 1), gate("policy", 2, Verdict.FAILED), gate("contract", 1))

    assert ([tick.gate for tick in asking.ticks], asking.gates) == (["contract"], 3)


def test_a_model_is_named_until_it_answers() -> None:
    asked = after(Progress(text="asking NAME …"))

    assert (asked.doing, asked.after(READING).doing) == ("asking NAME …", "")


def test_each_change_has_a_higher_number_and_what_is_not_of_it_changes_nothing() -> None:
    asking = after(*through(Stage.LOAD))

    assert asking.number == 2
    assert asking.after(ToolCalled(tool_name="t", milliseconds=1, failed=False)) is asking
    assert asking.after(began(Stage.VALIDATE)) is asking


def test_a_stopped_question_says_at_which_step() -> None:
    asking = after(*through(Stage.LOAD), began(Stage.TRIAL)).ended(AskingState.STOPPED)

    assert (asking.state, states(asking)[Step.RUN]) == (AskingState.STOPPED, (StepState.STOPPED, 0))


def test_the_answer_brings_its_card_and_may_end_on_another() -> None:
    answered = after(READING).answered(crash_card("draft"))

    assert (answered.card_id, answered.ended(AskingState.OVER).card_id) == ("draft", "draft")
    assert answered.ended(AskingState.OVER, "waiting").card_id == "waiting"
