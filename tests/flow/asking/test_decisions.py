"""What a person decides is done, once, and only to what was shown; a kept tool answers the next question."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import AlreadyDecided, DecisionError, NameTaken, StaleApproval, UnknownTool
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.event import Event, StageFinished
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import ACCIDENTS, BY_WEATHER, Waiting, figures, keep, staged


def test_a_question_becomes_a_tool_that_gives_the_same_numbers_and_can_be_taken_back(
    runtime: Runtime, accidents: DataRef
) -> None:
    events: list[Event] = []
    runtime.listeners.append(events.append)
    card = staged(runtime.ask("average severity by weather", accidents))
    assert (card.status, card.sound, runtime.active()) == (ToolStatus.STAGED, True, ())
    hops = [event.stage.value for event in events if isinstance(event, StageFinished)]
    assert hops == ["load", "intent", "gap", "spec", "code", "screen", "trial", "validate", "present"]

    accepted = runtime.answer(card.card_id, card.fingerprint, "output", "yes, looks good!", None)
    assert (accepted.status, accepted.feedback.output) == (ToolStatus.STAGED, OutputVerdict.ACCEPTED)
    assert runtime.active() == ()

    kept = keep(runtime, card)
    assert (kept.status, kept.feedback.decision) == (ToolStatus.PROMOTED, Decision.APPROVED)
    assert [tool.name for tool in runtime.active()] == [card.tool_name]
    assert events[-1].kind == "registry_changed"

    answer = runtime.call_tool(card.tool_name, {"file_path": accidents.path})
    assert not answer.failed
    assert {row["weather"]: row["mean_severity"] for row in answer.structured["rows"]} == BY_WEATHER
    assert answer.structured["rows_in"] == answer.structured["rows_used"] == 5
    frame = runtime.run_tool(card.tool_name, accidents, {"group_by_columns": ["state"]})
    assert dict(zip(frame["state"], frame["mean_severity"], strict=True)) == {"CA": 2.0, "NY": 4.0, "TX": 2.5}
    assert frame.attrs["mcpgen"]["version"] == "1.0.0"

    with pytest.raises(AlreadyDecided, match="already promoted"):
        runtime.answer(card.card_id, card.fingerprint, "output", "no", None)

    undone = runtime.undo(card.card_id)
    assert (undone.status, runtime.active()) == (ToolStatus.STAGED, ())
    with pytest.raises(UnknownTool, match=card.tool_name):
        runtime.call_tool(card.tool_name, {"file_path": accidents.path})
    assert keep(runtime, undone).status is ToolStatus.PROMOTED


@pytest.mark.soak
@pytest.mark.parametrize("answer", ["ok", "sure", "Approve", "hmm"])
def test_an_unclear_answer_to_the_first_question_decides_nothing_and_it_can_be_answered_again(
    waiting: Waiting, answer: str
) -> None:
    runtime, card = waiting.runtime, waiting.card

    asked_again = runtime.answer(card.card_id, card.fingerprint, "output", answer, None)

    assert (asked_again.status, asked_again.feedback.output) == (ToolStatus.STAGED, OutputVerdict.PENDING)
    assert [candidate.tool_id for candidate in runtime.registry.staged()] == [card.card_id]
    rejected = runtime.answer(card.card_id, card.fingerprint, "output", "no", "it is the wrong year")
    assert (rejected.status, rejected.feedback.output) == (ToolStatus.REJECTED, OutputVerdict.REJECTED)


@pytest.mark.soak
@pytest.mark.ungated
def test_a_question_that_is_asked_again_before_a_decision_has_one_card(runtime: Runtime, accidents: DataRef) -> None:
    first = staged(runtime.ask("average severity by weather", accidents))
    runtime.conversation.clear()

    again = staged(runtime.ask("average severity by weather", accidents))
    Path(accidents.path).write_text(ACCIDENTS + "TX,5,Fog,2024-01-06\n")
    changed = staged(runtime.ask("average severity by weather", accidents))

    assert again == first
    assert changed.card_id != first.card_id
    assert figures(changed)["Fog"] == 4.0
    assert len(runtime.registry.staged()) == 2


def test_a_rejected_tool_is_archived_with_the_reason_and_cannot_be_called(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card

    rejected = runtime.answer(card.card_id, card.fingerprint, "registration", "reject", "should be the median")

    assert (rejected.status, rejected.feedback.notes) == (ToolStatus.REJECTED, "should be the median")
    assert (runtime.active(), runtime.registry.staged()) == ((), ())
    assert rejected.table == card.table
    with pytest.raises(AlreadyDecided, match="already rejected"):
        keep(runtime, card)


def test_an_output_that_is_called_wrong_is_never_kept(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card

    wrong = runtime.answer(card.card_id, card.fingerprint, "output", "no, that is not it", None)

    assert (wrong.status, wrong.feedback.output) == (ToolStatus.REJECTED, OutputVerdict.REJECTED)
    with pytest.raises(AlreadyDecided):
        keep(runtime, card)


def test_only_the_clear_word_keeps_a_tool_and_only_for_what_was_shown(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card

    for words in ("", "yes", "ship it", "looks good", "I approve", "ok"):
        assert runtime.answer(card.card_id, card.fingerprint, "registration", words, None).status is ToolStatus.STAGED
    with pytest.raises(StaleApproval, match="not the ones you saw"):
        runtime.answer(card.card_id, "0" * 64, "registration", "approve", None)

    assert runtime.active() == ()
    assert keep(runtime, card).status is ToolStatus.PROMOTED


def test_staged_files_that_were_changed_are_not_kept(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card
    folder = runtime.registry.root / runtime.registry.candidate(card.card_id).package_path
    tool = folder / "tool.py"
    tool.write_text(tool.read_text().replace(".mean()", ".max()"))

    with pytest.raises(DecisionError):
        keep(runtime, card)

    assert runtime.active() == ()


@pytest.mark.soak
def test_a_question_of_the_same_family_is_answered_by_the_tool_that_exists(waiting: Waiting) -> None:
    runtime, first, accidents = waiting.runtime, waiting.card, waiting.data
    keep(runtime, first)

    same = runtime.ask("average severity by weather", accidents)
    other = runtime.ask("average severity by state", accidents)
    another = runtime.compute("maximum severity by state", accidents)

    assert isinstance(same, flow.Reused)
    assert same.trial.table == first.table
    assert isinstance(other, flow.Reused)
    assert other.reuse.tool.name == first.tool_name
    assert {row[0]: row[1] for row in other.trial.table.rows} == {"CA": 2.0, "NY": 4.0, "TX": 2.5}
    assert is_sound(other.trial.evidence)
    assert isinstance(another, flow.Computed)


def test_a_name_that_no_tool_may_have_is_refused_and_nothing_is_staged(runtime: Runtime, accidents: DataRef) -> None:
    with pytest.raises(NameTaken, match="`execute_code` cannot be the name of a tool"):
        runtime.ask("count by state", accidents, name="execute_code")

    assert (runtime.active(), runtime.registry.staged()) == ((), ())


@pytest.mark.soak
@pytest.mark.ungated
def test_a_card_reserves_no_name_and_a_name_that_was_taken_meanwhile_is_asked_about(
    runtime: Runtime, accidents: DataRef
) -> None:
    first = staged(runtime.ask("average severity by weather", accidents))
    second = staged(runtime.ask("average severity by weather smallest first", accidents))
    assert first.tool_name == second.tool_name == "mean_by_group"
    keep(runtime, first)

    with pytest.raises(NameTaken, match=r"`mean_by_group`.*`%mcpgen approve .* --name mean_by_group_severity_weather`"):
        runtime.approve(second.card_id)
    saved = runtime.approve(second.card_id, "mean_by_group_severity_weather")

    assert saved.status is ToolStatus.PROMOTED
    assert saved.table == second.table
    assert [tool.name for tool in runtime.active()] == ["mean_by_group", "mean_by_group_severity_weather"]
    assert runtime.card(second.card_id).status is ToolStatus.REJECTED
