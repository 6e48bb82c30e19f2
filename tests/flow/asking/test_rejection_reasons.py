"""A rejection keeps its words with their codes, and a reason that says what was meant gives the new answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from jupyter_mcpgen.answer import answer_to
from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.decisions import NOT_REFINED
from jupyter_mcpgen.errors import ModelDown
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.feedback import REPLACED, Reason
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.registry.audit import Action, Entry
from jupyter_mcpgen.runtime import Runtime
from tests.fakes.model import Answer, ScriptedModel
from tests.flow.asking.product import Waiting, figures, staged
from tests.products import new_runtime, own_place

pytestmark = pytest.mark.ungated  # the answer that its tests begin with has passed them

LOADS = "quay,cargo,tonnes,cranes\nA,grain,4.0,1\nB,ore,10.0,2\nA,ore,8.0,2\nB,ore,2.0,1\nA,grain,9.0,3\n"
QUESTION = "total tonnes by quay"


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Waiting:
    """Return the answer to one question, asked once, beside its table."""
    folder = tmp_path_factory.mktemp("loads")
    (folder / "loads.csv").write_text(LOADS)
    runtime = new_runtime(folder)
    data = runtime.reference(str(folder / "loads.csv"))
    return Waiting(runtime, staged(runtime.ask(QUESTION, data)), data)


@pytest.fixture
def loads(once: Waiting) -> Iterator[DataRef]:
    yield once.data
    Path(once.data.path).write_text(LOADS)


@pytest.fixture
def card(runtime: Runtime, once: Waiting) -> Card:
    """Return its card, in a registry to decide in."""
    shutil.copytree(once.runtime.registry.root, runtime.registry.root, dirs_exist_ok=True)
    return once.card


def reject(runtime: Runtime, card: Card, reason: str | None) -> Card:
    return runtime.answer(card.card_id, card.fingerprint, "registration", "reject", reason)


def rejections(runtime: Runtime) -> list[Entry]:
    return [entry for entry in runtime.registry.audit.entries() if entry.action is Action.REJECTED]


def test_the_codes_are_kept_with_the_words_in_the_archive_and_in_the_log(runtime: Runtime, card: Card) -> None:
    rejected = reject(runtime, card, "wrong column: should be cargo, not quay")

    (folder,) = (runtime.registry.root / "archive" / "rejected").iterdir()
    kept = json.loads((folder / "user_feedback.json").read_text())
    assert (kept["notes"], kept["reasons"]) == ("wrong column: should be cargo, not quay", ["COLUMN_MISMATCH"])
    assert [(e.notes, e.reasons) for e in rejections(runtime)] == [(kept["notes"], (Reason.COLUMN_MISMATCH,))]
    assert rejected.feedback.notes == kept["notes"]
    assert runtime.registry.doctor().ok


@pytest.mark.parametrize(("reason", "codes"), [("no longer needed", (Reason.OTHER,)), (None, ())])
def test_a_generic_reason_is_archived_and_asks_for_nothing(
    runtime: Runtime, card: Card, reason: str | None, codes: tuple[Reason, ...]
) -> None:
    reject(runtime, card, reason)

    refined = runtime.refine(card.card_id)

    assert (refined.staged, refined.sentence) == (None, "")
    assert [entry.reasons for entry in rejections(runtime)] == [codes]
    assert runtime.registry.staged() == ()


def test_a_line_without_codes_is_written_as_it_always_was(runtime: Runtime, card: Card) -> None:
    reject(runtime, card, None)

    (line,) = (runtime.registry.root / "audit" / "log.jsonl").read_text().splitlines()

    assert "reasons" not in json.loads(line)
    assert runtime.registry.audit.verify() == ()


def test_a_specific_reason_gives_a_new_card_at_once_and_the_rejection_stands(runtime: Runtime, card: Card) -> None:
    reject(runtime, card, "I wanted the median, not the sum")

    refined = runtime.refine(card.card_id)

    assert refined.staged is not None
    new = refined.staged.card
    assert (new.status.value, new.sound, figures(new)) == ("STAGED", True, {"A": 8.0, "B": 6.0})
    assert new.question == f"{QUESTION} (I wanted the median, not the sum)"
    assert runtime.card(card.card_id).status.value == "REJECTED"
    assert [candidate.tool_id for candidate in runtime.registry.staged()] == [new.card_id]


@pytest.mark.soak
def test_the_new_card_can_be_rejected_with_a_reason_in_turn(runtime: Runtime, card: Card) -> None:
    reject(runtime, card, "use cargo instead of quay")
    first = runtime.refine(card.card_id).staged
    assert first is not None

    reject(runtime, first.card, "missing filter: where cranes > 1")
    second = runtime.refine(first.card.card_id).staged

    assert second is not None
    assert figures(second.card) == {"grain": 9.0, "ore": 18.0}


@pytest.mark.soak
def test_a_new_answer_keeps_the_name_that_the_person_chose(runtime: Runtime, loads: DataRef) -> None:
    card = staged(runtime.ask(QUESTION, loads, "quay_report"))

    reject(runtime, card, "it should be the average")
    refined = runtime.refine(card.card_id).staged

    assert refined is not None
    assert (refined.card.tool_name, figures(refined.card)) == ("quay_report", {"A": 7.0, "B": 6.0})


def test_a_condition_that_no_row_meets_leaves_the_rejection_and_says_so(runtime: Runtime, card: Card) -> None:
    reject(runtime, card, "missing filter: where cranes > 90")

    refined = runtime.refine(card.card_id)

    assert refined.staged is None
    assert refined.sentence.startswith("There is no new answer: ")
    assert runtime.card(card.card_id).status.value == "REJECTED"


def test_data_that_is_gone_stops_no_rejection(runtime: Runtime, card: Card, loads: DataRef) -> None:
    Path(loads.path).unlink()

    reject(runtime, card, "it should be the average")

    assert [entry.reasons for entry in rejections(runtime)] == [(Reason.OTHER,)]
    assert runtime.refine(card.card_id).staged is None


@pytest.mark.soak
def test_a_card_that_another_one_replaces_was_rejected_by_nobody(runtime: Runtime, card: Card) -> None:
    runtime.approve(card.card_id, "quay_totals")

    assert [(entry.by, entry.reasons) for entry in rejections(runtime)] == [(REPLACED, ())]


def played(answer: Answer) -> ModelledAuthor:
    return ModelledAuthor("played", lambda: ScriptedModel({"sql": [answer]}), Policy())


MOST = "SELECT quay, max(tonnes) AS most FROM loads GROUP BY quay ORDER BY quay"


def reply(sql: str) -> dict[str, Any]:
    return {
        "notes": "", "kind": "sql", "reading": "heaviest load", "chart": None, "assumptions": [], "sql": sql,
        "message": None, "options": [], "missing": [],
    }  # fmt: skip


@pytest.mark.soak
def test_what_the_planner_cannot_read_the_model_reads_with_the_old_question(runtime: Runtime, card: Card) -> None:
    reason = "wrong metric, I meant whichever single load weighed heaviest"
    model = ScriptedModel({"sql": [reply(MOST)]})
    author = ModelledAuthor("played", lambda: model, Policy())
    reject(runtime, card, reason)

    refined = replace(runtime.decisions, model=lambda: author).refine(card.card_id).staged

    assert refined is not None
    assert figures(refined.card) == {"A": 9.0, "B": 10.0}
    assert f"{QUESTION} ({reason})" in refined.card.question


def test_a_model_that_is_away_leaves_the_rejection_and_says_what_to_do(runtime: Runtime, card: Card) -> None:
    down = played(ModelDown("http://127.0.0.1:1", "nothing listens there"))
    reject(runtime, card, "wrong metric, I meant whichever single load weighed heaviest")

    refined = replace(runtime.decisions, model=lambda: down).refine(card.card_id)

    assert (refined.staged, refined.sentence) == (None, NOT_REFINED)


# The faces


@pytest.mark.soak
def test_reject_in_python_returns_the_new_answer(runtime: Runtime, loads: DataRef) -> None:
    answer = answer_to(runtime, QUESTION, loads, variables={}).stage()

    new = answer.reject("cargo instead of quay")

    assert new is not None
    assert dict(zip(new.df["cargo"], new.df["sum_tonnes"], strict=True)) == {"grain": 13.0, "ore": 20.0}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Give the process of the test a registry that nobody else has."""
    (tmp_path / "loads.csv").write_text(LOADS)
    with own_place(tmp_path, gates=False):
        yield tmp_path


@pytest.mark.soak
def test_a_terminal_shows_the_new_answer_or_says_in_a_sentence_why_there_is_none(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", f"{QUESTION} in loads.csv"]) == 0
    capsys.readouterr()

    assert main(["reject", "it", "should", "be", "the", "median"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "median of tonnes by quay" in shown
    assert "`sum_by_group`" not in shown
    assert "sum_by_group is rejected and archived with the reason. This is the new answer." in shown

    assert main(["reject", "wrong", "column"]) == 0
    assert NOT_REFINED in " ".join(capsys.readouterr().out.split())


@pytest.mark.soak
def test_a_notebook_answers_a_rejection_with_the_new_card(home: Path) -> None:
    shell = InteractiveShell()
    shell.user_ns["loads"] = pd.read_csv(home / "loads.csv")
    with capture_output():
        shell.run_line_magic("load_ext", "jupyter_mcpgen")
        shell.run_line_magic("mcpgen", f"{QUESTION} in loads")

    with capture_output() as shown:
        answer = shell.run_line_magic("mcpgen", "reject use cargo instead of quay")

    texts = "\n".join([shown.stdout, *(each.data.get("text/plain", "") for each in shown.outputs)])
    assert "is rejected and archived with the reason. This is the new answer." in texts
    assert answer.card.reading == "sum of tonnes by cargo, largest first"
    assert set(answer.df["cargo"]) == {"grain", "ore"}
