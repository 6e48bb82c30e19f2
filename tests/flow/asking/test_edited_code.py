"""A person changes the code of an answer: it is tested as before, and held against what it was held against before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.errors import AlreadyDecided, DecisionError, UnusableCode
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.validation import TWO_WAYS, Verdict
from jupyter_mcpgen.pipeline.code import was_written
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import ACCIDENTS, BY_WEATHER, Waiting, figures, keep, staged
from tests.products import own_place

QUESTION = "average severity by weather"
MEAN, SUM = ".mean()", ".sum()"


def in_other_words(code: str) -> str:
    """Return code that computes the same and is written otherwise."""
    changed = code.replace(MEAN, '.agg("mean")')
    assert changed != code
    return changed


def test_the_code_to_edit_is_one_function_with_the_columns_of_the_question_as_defaults(waiting: Waiting) -> None:
    code = waiting.runtime.code(waiting.card.card_id)

    assert code.count("def ") == 1
    assert 'value_column: str = "severity"' in code
    assert "fastmcp" not in code


def test_edited_code_that_computes_the_same_is_staged_in_the_place_of_the_card_and_keeps_its_name(
    waiting: Waiting,
) -> None:
    runtime, before = waiting.runtime, waiting.card

    edited = runtime.edit(before.card_id, in_other_words(runtime.code(before.card_id))).card

    assert (edited.status, edited.sound) == (ToolStatus.STAGED, True)
    assert (edited.tool_name, edited.reading, figures(edited)) == (before.tool_name, before.reading, BY_WEATHER)
    assert '.agg("mean")' in edited.code
    assert "Calculation checked: pandas and SQL agree." in edited.evidence_sentence
    assert [note.sentence for note in edited.notes if "edited" in note.sentence] == ["A person edited the code."]
    assert [item.sentence for item in edited.evidence if item.check == "generalisation"] == [
        "Called with another `group_by_columns` it is right as well."
    ]
    assert runtime.card(before.card_id).status is ToolStatus.REJECTED
    package = runtime.registry.package(edited.card_id)
    assert was_written(package)
    assert "computed by DuckDB from the plan in `written.json`" in " ".join(package.files["tests.py"].split())
    assert keep(runtime, runtime.answer(edited.card_id, edited.fingerprint, "output", "yes", None)).status is (
        ToolStatus.PROMOTED
    )


@pytest.mark.ungated
def test_edited_code_that_computes_something_else_cannot_be_approved_and_says_where_it_differs(
    waiting: Waiting,
) -> None:
    runtime, before = waiting.runtime, waiting.card

    edited = runtime.edit(before.card_id, runtime.code(before.card_id).replace(MEAN, SUM)).card

    assert (edited.status, edited.sound) == (ToolStatus.REJECTED, False)
    failed = [item for item in edited.evidence if item.check == TWO_WAYS]
    assert [item.verdict for item in failed] == [Verdict.FAILED]
    assert "pandas and SQL disagree" in failed[0].sentence


@pytest.mark.soak
@pytest.mark.ungated
def test_an_answer_whose_edited_code_is_rejected_waits_as_before_and_can_be_approved(waiting: Waiting) -> None:
    runtime, before = waiting.runtime, waiting.card

    runtime.edit(before.card_id, runtime.code(before.card_id).replace(MEAN, SUM))

    assert runtime.card(before.card_id) == before
    assert runtime.approve(before.card_id).status is ToolStatus.PROMOTED


@pytest.mark.soak
@pytest.mark.ungated
def test_edited_code_never_becomes_a_version_of_a_tool_that_took_its_name_and_that_nobody_named(
    waiting: Waiting,
) -> None:
    runtime, before = waiting.runtime, waiting.card
    first = runtime.edit(before.card_id, in_other_words(runtime.code(before.card_id))).card
    other = staged(runtime.ask(QUESTION, waiting.data))
    runtime.approve(other.card_id)
    assert other.tool_name == first.tool_name

    second = runtime.edit(first.card_id, runtime.code(first.card_id).replace('.agg("mean")', MEAN)).card

    assert (first.is_named, second.is_named, second.diff) == (False, False, None)
    assert second.tool_name != other.tool_name


@pytest.mark.soak
def test_edited_code_that_is_right_for_the_columns_of_the_question_alone_is_rejected(waiting: Waiting) -> None:
    runtime, before = waiting.runtime, waiting.card
    code = runtime.code(before.card_id)
    fixed = code.replace("list(group_by_columns)", '["weather"]')
    assert fixed != code

    edited = runtime.edit(before.card_id, fixed).card

    assert (figures(edited), edited.status) == (BY_WEATHER, ToolStatus.REJECTED)
    assert [item.check for item in edited.evidence if not item.is_good] == ["generalisation"]


@pytest.mark.soak
def test_a_value_that_was_not_varied_is_said(runtime: Runtime, accidents: DataRef) -> None:
    card = staged(runtime.ask("average severity by weather where severity is above 1", accidents))

    edited = runtime.edit(card.card_id, in_other_words(runtime.code(card.card_id))).card

    told = "The edited code was only checked with the values of the question for `filter_value`."
    assert edited.sound
    assert told in [note.sentence for note in edited.notes] or told in [item.sentence for item in edited.evidence]


@pytest.mark.soak
@pytest.mark.ungated
def test_an_edit_of_the_card_of_a_tool_is_the_draft_of_its_next_version(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card
    keep(runtime, runtime.answer(card.card_id, card.fingerprint, "output", "yes", None))

    edited = runtime.edit(card.card_id, in_other_words(runtime.code(card.card_id))).card

    assert edited.diff is not None
    assert edited.diff.before == "1.0.0"
    assert '.agg("mean")' in edited.diff.code
    assert runtime.registry.tool(card.tool_name).version == "1.0.0"


@pytest.mark.soak
def test_code_can_be_edited_again(waiting: Waiting) -> None:
    runtime = waiting.runtime
    first = runtime.edit(waiting.card.card_id, in_other_words(runtime.code(waiting.card.card_id))).card

    second = runtime.edit(first.card_id, runtime.code(first.card_id).replace('.agg("mean")', MEAN)).card

    assert (second.sound, second.tool_name) == (True, waiting.card.tool_name)


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("", UnusableCode, "defines 0 functions"),
        ("def analyze(df:", UnusableCode, "not valid Python"),
        ("def analyze(rows: int = 1) -> int:\n    return rows", UnusableCode, "takes no table"),
        ("def analyze(df: pd.DataFrame) -> int:\n    return " + "-" * 1200 + "1", UnusableCode, "nested too deeply"),
        (None, DecisionError, "code that the answer has now"),
    ],
)
def test_code_that_is_none_changes_nothing(
    waiting: Waiting, code: str | None, error: type[Exception], says: str
) -> None:
    runtime, card = waiting.runtime, waiting.card

    with pytest.raises(error, match=says):
        runtime.edit(card.card_id, runtime.code(card.card_id) if code is None else code)

    assert runtime.card(card.card_id).status is ToolStatus.STAGED


@pytest.mark.ungated
def test_code_that_may_not_run_is_refused_by_the_gates_and_never_run(waiting: Waiting, tmp_path: Path) -> None:
    runtime, mark = waiting.runtime, tmp_path / "was_run"
    code = runtime.code(waiting.card.card_id)
    hostile = f"import pathlib\n{code}".replace("    return", f"    pathlib.Path({str(mark)!r}).touch()\n    return", 1)

    edited = runtime.edit(waiting.card.card_id, hostile).card

    assert (edited.status, edited.sound, mark.exists()) == (ToolStatus.REJECTED, False, False)


def test_the_code_of_a_rejected_answer_stays(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card
    code = runtime.code(card.card_id)
    runtime.answer(card.card_id, card.fingerprint, "registration", "reject", "not now")

    with pytest.raises(AlreadyDecided):
        runtime.edit(card.card_id, in_other_words(code))


@pytest.mark.soak
@pytest.mark.ungated
def test_a_confirmation_that_the_card_asked_for_is_still_asked_for(
    runtime: Runtime, accidents: DataRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = staged(runtime.ask(QUESTION, accidents))
    edited = runtime.edit(card.card_id, in_other_words(runtime.code(card.card_id))).card

    assert [each.confirms for each in edited.confirmations] == [each.confirms for each in card.confirmations]
    assert Confirms.UNCHECKED not in [each.confirms for each in edited.confirmations]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """Stand in a folder with the table, at a terminal of one's own."""
    (tmp_path / "accidents.csv").write_text(ACCIDENTS)
    with own_place(tmp_path, gates=False):
        yield tmp_path


@pytest.mark.soak
def test_a_terminal_gives_the_code_alone_and_takes_a_file_back(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", QUESTION, "accidents.csv"]) == 0
    listing = json.loads((place / "registry/staging/metadata.json").read_text())
    (card_id,) = listing["candidates"]
    capfd.readouterr()

    assert main(["edit", card_id]) == 0
    code, told = capfd.readouterr()
    (place / "mine.py").write_text(in_other_words(code), encoding="utf-8-sig", newline="\r\n")
    done = main(["edit", card_id, "mine.py"])
    said, _ = capfd.readouterr()
    missing = [main(["edit", card_id, name]) for name in ("nowhere.py", "~no-such-account/mine.py", "n" * 300)]
    _, refused = capfd.readouterr()

    assert code.startswith("from collections.abc import Sequence\nimport pandas as pd\n")
    assert f"edit {card_id} FILE" in " ".join(told.split())
    assert (done, missing) == (0, [2, 2, 2])
    assert "Traceback" not in refused
    assert "A person edited the code." in said
