"""A draft becomes staged after the last gate that blocks, approved by a person, then a tool; what fails is rejected."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import AlreadyDecided, DecisionError, UnsoundApproval
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict, UserFeedback
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.tool import Approval
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.gates.registry import GATES, LATE
from jupyter_mcpgen.pipeline.own_tests import CHECK as OWN_TESTS
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import ACCIDENTS, Waiting, keep, staged
from tests.flow.asking.test_faulty_tools import ask_faulty

ROOT = Path(__file__).parents[3]
QUESTION = "average severity by weather"
CUT_SHORT = """
import os, sys
from pathlib import Path
from jupyter_mcpgen.pipeline.gates import subject
from tests.products import new_runtime
runtime = new_runtime(Path(sys.argv[1]))
subject.call_all = lambda *_, **__: os._exit(9)
runtime.ask(sys.argv[3], runtime.reference(sys.argv[2]))
"""


@pytest.fixture(scope="module")
def cut_short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ask in another process, which dies in the middle of the gates; return the folder of its table and registry."""
    folder = tmp_path_factory.mktemp("killed")
    table = folder / "accidents.csv"
    table.write_text(ACCIDENTS)
    done = subprocess.run([sys.executable, "-c", CUT_SHORT, folder, table, QUESTION], cwd=ROOT, check=False)
    assert done.returncode == 9
    return folder


@pytest.fixture
def killed(runtime: Runtime, cut_short: Path) -> DataRef:
    """Return the table of the question that was cut short, with a copy of the registry that is left of it."""
    shutil.copytree(cut_short / "registry", runtime.registry.root, dirs_exist_ok=True)
    table = cut_short / "accidents.csv"
    table.write_text(ACCIDENTS)
    return runtime.reference(str(table))


def test_a_kill_while_the_gates_run_leaves_a_draft_that_can_be_listed(runtime: Runtime, killed: DataRef) -> None:
    (draft,) = runtime.registry.staged()
    card = runtime.card(draft.tool_id)
    assert (draft.status, card.status, card.sound) == (ToolStatus.DRAFT, ToolStatus.DRAFT, False)
    assert draft.validation_report is None
    assert card.table.total_rows == 4
    assert runtime.registry.doctor().ok


@pytest.mark.soak
def test_approving_a_draft_runs_the_gates_that_are_missing_first(runtime: Runtime, killed: DataRef) -> None:
    (draft,) = runtime.registry.staged()

    card = runtime.approve(draft.tool_id)

    assert card.status is ToolStatus.PROMOTED
    assert runtime.registry.candidate(card.card_id).code_hash == draft.code_hash
    report = runtime.registry.candidate(card.card_id).validation_report
    assert report is not None
    assert {result.gate for result in report.gates} == {*(gate.name for gate in GATES), OWN_TESTS}
    assert [tool.name for tool in runtime.active()] == [draft.spec.tool_name]


@pytest.mark.soak
def test_a_draft_whose_data_changed_is_computed_again_and_not_approved(runtime: Runtime, killed: DataRef) -> None:
    (draft,) = runtime.registry.staged()
    path = Path(killed.path)
    path.write_text(path.read_text() + "CA,9,Fog,2024-01-06\n")

    with pytest.raises(DecisionError, match="changed since this answer, so it was computed again as"):
        runtime.approve(draft.tool_id)

    (again,) = runtime.registry.staged()
    assert (again.status, again.tool_id == draft.tool_id) == (ToolStatus.STAGED, False)
    assert runtime.active() == ()


def test_a_draft_is_not_decided_on_a_page(runtime: Runtime, killed: DataRef) -> None:
    (draft,) = runtime.registry.staged()

    with pytest.raises(DecisionError, match=r"did not finish\. `%mcpgen approve"):
        keep(runtime, runtime.card(draft.tool_id))


@pytest.mark.soak
def test_the_same_question_after_a_kill_gives_a_card_of_its_own(runtime: Runtime, killed: DataRef) -> None:
    card = staged(runtime.ask(QUESTION, killed))

    assert card.status is ToolStatus.STAGED


def test_what_a_gate_rejects_is_shown_with_its_report_and_never_waits(runtime: Runtime, accidents: DataRef) -> None:
    card = ask_faulty(runtime, accidents, ".mean()", ".sum()")

    assert (card.status, card.sound) == (ToolStatus.REJECTED, False)
    assert runtime.registry.staged() == ()
    kept = runtime.registry.candidate(card.card_id)
    assert kept.package_path.startswith("archive/rejected/")
    assert kept.validation_report is not None
    verdicts = {result.gate: result.verdict for result in kept.validation_report.gates}
    assert verdicts["reference"] is verdicts["generated_cases"] is Verdict.FAILED
    assert verdicts["contract"] is Verdict.PASSED
    (line,) = runtime.registry.audit.entries()
    assert (line.action, line.by) == ("REJECTED", "gates")
    assert "disagree" in (line.notes or "")
    with pytest.raises(UnsoundApproval):
        runtime.approve(card.card_id)
    with pytest.raises(AlreadyDecided):
        runtime.answer(card.card_id, card.fingerprint, "registration", "reject", "wrong")


@pytest.mark.soak
def test_another_reading_can_be_picked_from_a_card_that_the_gates_rejected(
    runtime: Runtime, accidents: DataRef
) -> None:
    card = ask_faulty(runtime, accidents, ".mean()", ".median()", "how does severity vary by weather")

    picked = runtime.pick(card.card_id, card.chips[0].label)

    assert picked.status is ToolStatus.STAGED
    assert runtime.card(card.card_id).status is ToolStatus.REJECTED


def test_an_approval_is_stored_before_the_tool_is_made_of_it(waiting: Waiting) -> None:
    registry, card = waiting.runtime.registry, waiting.card

    keep(waiting.runtime, card)

    actions = [entry.action for entry in registry.audit.entries() if entry.tool_id == card.card_id]
    assert actions[-2:] == ["APPROVED", "PROMOTED"]


def test_an_approval_that_was_cut_short_waits_as_approved_and_can_be_given_again(waiting: Waiting) -> None:
    registry, card = waiting.runtime.registry, waiting.card
    answered = UserFeedback(output=OutputVerdict.ACCEPTED, decision=Decision.APPROVED, timestamp="2026-11-28T10:00:00Z")
    approval = Approval(
        tool_name=card.tool_name,
        version=card.version,
        fingerprint=card.fingerprint,
        approved_by="local",
        approved_at=answered.timestamp,
    )

    registry.approve(card.card_id, approval, answered)

    assert [candidate.status for candidate in Registry(registry.root).staged()] == [ToolStatus.APPROVED]
    assert registry.doctor().ok
    assert registry.active() == ()
    assert waiting.runtime.approve(card.card_id).status is ToolStatus.PROMOTED
    assert registry.staged() == ()


def test_the_late_gates_tick_on_a_card_that_waits_and_change_nothing_that_is_approved(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card

    looked = runtime.look_late(card.card_id)

    added = {item.check: item for item in looked.evidence if item not in card.evidence}
    assert {gate.name for gate in LATE} == set(added)
    assert {item.verdict for item in added.values()} == {Verdict.PASSED}, added
    assert (looked.fingerprint, looked.status, looked.sound) == (card.fingerprint, ToolStatus.STAGED, True)
    assert runtime.look_late(card.card_id) == looked
    assert keep(runtime, card).status is ToolStatus.PROMOTED


def test_a_sandbox_that_cannot_run_a_linter_is_said_and_blocks_nothing(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card
    services = replace(runtime.services, limits=replace(runtime.limits, memory_mb=16))

    looked = flow.look_late_at(card.card_id, services)

    added = [item for item in looked.evidence if item.check in {gate.name for gate in LATE}]
    assert {item.verdict for item in added} == {Verdict.NOT_APPLICABLE}
    assert all("could not look at the code" in item.sentence for item in added)
    assert looked.sound


@pytest.mark.soak
def test_a_terminal_lists_an_unfinished_draft_and_approves_it(
    runtime: Runtime, killed: DataRef, tmp_path: Path
) -> None:
    (draft,) = runtime.registry.staged()
    environment = {**os.environ, "MCPGEN_REGISTRY__PATH": str(runtime.registry.root)}
    command = [str(Path(sys.executable).with_name("jupyter-mcpgen"))]

    def said(*words: str) -> str:
        done = subprocess.run(
            [*command, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return " ".join(done.stdout.split())

    assert "(its checks did not finish; approve runs them)" in said("list")
    assert "is live" in said("approve", draft.tool_id)
