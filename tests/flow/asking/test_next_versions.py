"""A next version is made only of a tool that the person named, and approved after its card showed what changes."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import AskedBack, NameTaken, UnknownTool, UnknownVersion
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.again import intent_of_card
from jupyter_mcpgen.runtime import Runtime
from tests.builders import draft
from tests.flow.asking.product import keep, staged
from tests.flow.asking.test_repair import WRONG, Repairer
from tests.flow.asking.test_written_drafts import GAP_SQL, LOADS, MEDIAN_GAP, Scribe
from tests.products import new_runtime
from tests.unit.registry.promoting import promote

pytestmark = pytest.mark.ungated  # what most tests begin with has passed them

PICKS = """orchard,fruit,crates,ripe_price,late_price
Hill,plum,3,1.5,1.0
Lake,pear,5,2.0,1.5
Hill,pear,4,2.5,2.0
Lake,plum,,3.0,2.5
"""


AVERAGE = "average crates by orchard"


@dataclass(frozen=True)
class Made:
    """A registry with a tool `crates_of` that adds up crates by orchard, and a copy in which its next version waits."""

    kept: Path
    card: Card
    followed: Path
    following: Card


@pytest.fixture(scope="module")
def picks_csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("picks") / "picks.csv"
    path.write_text(PICKS)
    return path


@pytest.fixture(scope="module")
def made(picks_csv: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Ask the two questions that most tests begin with, once."""
    first, second = tmp_path_factory.mktemp("kept"), tmp_path_factory.mktemp("followed")
    runtime = new_runtime(first)
    data = runtime.reference(str(picks_csv))
    card = keep(runtime, staged(runtime.ask("total crates by orchard", data, name="crates_of")))
    shutil.copytree(first / "registry", second / "registry")
    following = staged(new_runtime(second).ask(AVERAGE, data, name="crates_of"))
    return Made(first / "registry", card, second / "registry", following)


@pytest.fixture
def picks(runtime: Runtime, picks_csv: Path) -> DataRef:
    return runtime.reference(str(picks_csv))


@pytest.fixture
def kept(runtime: Runtime, made: Made) -> Card:
    """Keep a tool `crates_of` that adds up crates by orchard."""
    shutil.copytree(made.kept, runtime.registry.root, dirs_exist_ok=True)
    return made.card


@pytest.fixture
def following(runtime: Runtime, made: Made) -> Card:
    """Have the same tool, and the draft of a next version of it that takes the average."""
    shutil.copytree(made.followed, runtime.registry.root, dirs_exist_ok=True)
    return made.following


def changes(card: Card) -> Diff:
    assert card.diff is not None
    return card.diff


def active(runtime: Runtime) -> list[tuple[str, str]]:
    return [(tool.name, tool.version) for tool in runtime.active()]


def test_a_question_under_the_name_of_a_tool_is_the_draft_of_its_next_version_and_shows_what_changes(
    runtime: Runtime, made: Made, following: Card
) -> None:
    card = following

    assert (card.tool_name, card.version, card.status) == ("crates_of", "1.1.0", ToolStatus.STAGED)
    assert active(runtime) == [("crates_of", "1.0.0")]
    diff = changes(card)
    assert (diff.before, diff.after, diff.before_fingerprint) == ("1.0.0", "1.1.0", made.card.fingerprint)
    assert diff.summary == "v1.1.0 of `crates_of` takes the place of v1.0.0: calls of v1.0.0 still work."
    assert diff.contract == (
        "Described as “Mean of a column by groups, largest first.”, before “Sum of a column by groups, largest first.”",
    )
    assert diff.capabilities == ()
    assert diff.result == (
        "On `picks.csv` the result is another table, with `mean_crates` and without `sum_crates`: 2 rows, before 2."
    )
    assert "after/tool.py" in diff.code
    assert ".mean()" in diff.code


def test_an_approval_of_the_next_version_replaces_the_tool_and_keeps_the_old_version(
    runtime: Runtime, picks: DataRef, following: Card
) -> None:
    keep(runtime, following)

    assert active(runtime) == [("crates_of", "1.1.0")]
    assert [tool.version for tool in runtime.registry.versions("crates_of")] == ["1.1.0", "1.0.0"]
    answer = runtime.call_tool("crates_of", {"file_path": picks.path})
    assert {row["orchard"]: row["mean_crates"] for row in answer.structured["rows"]} == {"Hill": 3.5, "Lake": 5.0}


@pytest.mark.soak
def test_another_default_is_a_compatible_version_and_the_same_result_is_said(
    runtime: Runtime, picks: DataRef, kept: Card
) -> None:
    card = staged(runtime.ask("total crates by fruit", picks, name="crates_of"))

    diff = changes(card)
    assert card.version == "1.1.0"
    assert any(
        "`group_by_columns`: default `['fruit']`, before default `['orchard']`" in each for each in diff.contract
    )
    assert diff.result == "On `picks.csv` the result is the same as that of v1.0.0 (2 rows)."


def test_a_contract_that_old_calls_do_not_meet_is_a_major_version(runtime: Runtime, picks: DataRef, kept: Card) -> None:
    card = staged(runtime.ask("number of rows", picks, name="crates_of"))

    assert card.version == "2.0.0"
    assert "callers of v1.0.0 may break" in changes(card).summary
    assert any(each.startswith("Parameter `group_by_columns` is gone") for each in changes(card).contract)


def test_content_that_is_active_already_answers_and_makes_no_version(
    runtime: Runtime, picks: DataRef, kept: Card
) -> None:
    again = runtime.ask("total crates by orchard", picks, name="crates_of")

    assert isinstance(again, flow.Reused)
    assert again.reuse.tool.version == "1.0.0"
    assert runtime.registry.staged() == ()


@pytest.mark.soak
def test_another_reading_of_a_named_card_keeps_the_name_and_one_of_a_generated_name_does_not(
    runtime: Runtime, picks: DataRef, kept: Card
) -> None:
    with pytest.raises(AskedBack) as asked:
        runtime.ask("average price by orchard", picks, name="crates_of")
    options = runtime.question(asked.value.question_id).options

    first = runtime.pick(asked.value.question_id, options[0].label)
    second = runtime.pick(first.card_id, options[1].reading)

    assert (first.tool_name, second.tool_name) == ("crates_of", "crates_of")
    assert changes(second).before == "1.0.0"
    assert runtime.card(first.card_id).status is ToolStatus.REJECTED
    with pytest.raises(AskedBack) as unnamed:
        runtime.ask("average price by orchard", picks)
    general = runtime.pick(unnamed.value.question_id, options[0].label)
    assert (general.tool_name, general.version, general.diff) == ("mean_by_group", "1.0.0", None)


@pytest.mark.soak
def test_another_reading_of_the_card_of_a_tool_is_its_next_version_and_the_tool_stays_until_then(
    runtime: Runtime, picks: DataRef
) -> None:
    with pytest.raises(AskedBack) as asked:
        runtime.ask("average price by orchard", picks)
    options = runtime.question(asked.value.question_id).options
    live = keep(runtime, runtime.pick(asked.value.question_id, options[0].label))

    picked = runtime.pick(live.card_id, options[1].reading)

    assert (picked.tool_name, changes(picked).before) == (live.tool_name, "1.0.0")
    assert active(runtime) == [(live.tool_name, "1.0.0")]
    assert runtime.card(live.card_id).status is ToolStatus.PROMOTED


@pytest.mark.soak
def test_an_approval_is_refused_where_another_version_is_active_than_the_one_compared(
    runtime: Runtime, picks: DataRef, following: Card
) -> None:
    first = following
    second = staged(runtime.ask("median crates by orchard", picks, name="crates_of"))
    keep(runtime, first)

    with pytest.raises(NameTaken, match=r"from version 1\.0\.0 .* 1\.1\.0 is active now\. Ask again with `--name"):
        keep(runtime, second)
    fresh = staged(runtime.ask("median crates by orchard", picks, name="crates_of"))

    assert active(runtime) == [("crates_of", "1.1.0")]
    assert (fresh.version, changes(fresh).before) == ("1.2.0", "1.1.0")


@pytest.mark.soak
def test_an_approval_under_the_name_of_a_tool_is_refused_because_nothing_was_compared(
    runtime: Runtime, picks: DataRef, kept: Card
) -> None:
    card = staged(runtime.ask("average crates by orchard", picks))

    with pytest.raises(NameTaken, match="`--name crates_of` to see what a next version of it would change"):
        runtime.approve(card.card_id, "crates_of")

    assert active(runtime) == [("crates_of", "1.0.0")]


def test_a_rollback_makes_the_old_version_answer_and_the_next_version_is_a_new_number(
    runtime: Runtime, picks: DataRef, following: Card
) -> None:
    keep(runtime, following)

    back = runtime.rollback("crates_of")

    assert back.version == "1.0.0"
    assert active(runtime) == [("crates_of", "1.0.0")]
    answer = runtime.call_tool("crates_of", {"file_path": picks.path})
    assert {row["orchard"]: row["sum_crates"] for row in answer.structured["rows"]} == {"Hill": 7, "Lake": 5}
    third = staged(runtime.ask("median crates by orchard", picks, name="crates_of"))
    assert (third.version, changes(third).before) == ("1.2.0", "1.0.0")
    again = staged(runtime.ask("average crates by orchard", picks, name="crates_of"))
    with pytest.raises(NameTaken, match=r"has this content already .* `%mcpgen rollback crates_of 1\.1\.0`"):
        keep(runtime, again)


def test_an_unpublished_tool_cannot_be_called_keeps_its_name_and_comes_back(
    runtime: Runtime, picks: DataRef, kept: Card
) -> None:
    runtime.unpublish("crates_of")

    with pytest.raises(UnknownTool):
        runtime.call_tool("crates_of", {"file_path": picks.path})
    named = staged(runtime.ask("average crates by orchard", picks, name="crates_of"))
    assert (named.version, changes(named).before) == ("1.1.0", "1.0.0")
    assert runtime.rollback("crates_of").fingerprint == kept.fingerprint


@pytest.mark.soak
def test_a_difference_says_code_contract_and_result_of_two_versions_and_of_what_waits(
    runtime: Runtime, picks: DataRef, following: Card
) -> None:
    keep(runtime, following)

    latest = runtime.diff("crates_of")
    backwards = runtime.diff("crates_of", "1.1.0", "1.0.0")
    staged(runtime.ask("median crates by orchard", picks, name="crates_of"))
    pending = runtime.diff("crates_of")

    assert [(each.before, each.after) for each in (latest, backwards, pending)] == [
        ("1.0.0", "1.1.0"),
        ("1.1.0", "1.0.0"),
        ("1.1.0", "1.2.0"),
    ]
    assert "with `mean_crates` and without `sum_crates`" in latest.result
    assert "with `sum_crates` and without `mean_crates`" in backwards.result
    assert ".median()" in pending.code
    with pytest.raises(UnknownVersion, match=r"no version 7\.0\.0. Versions of `crates_of`: 1\.2\.0, 1\.1\.0, 1\.0\.0"):
        runtime.diff("crates_of", "7.0.0")


def test_a_difference_of_versions_whose_data_is_gone_says_that_the_results_were_not_compared(
    runtime: Runtime, picks: DataRef, following: Card
) -> None:
    keep(runtime, following)
    moved = Path(picks.path).rename(f"{picks.path}.away")

    said = runtime.diff("crates_of").result
    moved.rename(picks.path)

    assert said == "The results were not compared: the data is no longer there."


def test_a_tool_whose_files_were_changed_gets_a_next_version_under_its_name_alone(
    runtime: Runtime, picks: DataRef, kept: Card
) -> None:
    code = runtime.registry.tool("crates_of").path / "tool.py"
    code.write_text("import os\n")

    card = staged(runtime.ask("total crates by orchard", picks, name="crates_of"))

    assert card.version == "2.0.0"
    assert "not as approved, so nothing can be compared" in changes(card).summary
    keep(runtime, card)
    assert active(runtime) == [("crates_of", "2.0.0")]


@pytest.mark.soak
def test_a_generated_name_that_another_contract_has_is_more_specific_and_never_a_version_of_it(
    runtime: Runtime, picks: DataRef
) -> None:
    questions = [
        "total crates by orchard",
        "total crates by orchard smallest first",
        "total crates by orchard sorted by orchard",
    ]

    cards = [keep(runtime, staged(runtime.ask(question, picks))) for question in questions]

    assert [(card.version, card.diff) for card in cards] == [("1.0.0", None)] * 3
    names = [card.tool_name for card in cards]
    assert names[0] == "sum_by_group"
    assert len(set(names)) == 3
    assert all(name.startswith("sum_by_group_") and not name[-1].isdigit() for name in names[1:])


@pytest.mark.soak
def test_where_every_name_of_a_question_is_taken_the_approval_asks_for_one_of_the_persons_own(
    runtime: Runtime, picks: DataRef
) -> None:
    question = "total crates by orchard smallest first"
    card = staged(runtime.ask(question, picks))
    intent = intent_of_card(card, runtime.services)
    while (
        name := runtime.services.author.specify(intent, (taken := runtime.registry.names())).spec.tool_name
    ) not in taken:
        promote(runtime.registry, draft(name, f"id-{len(taken)}"))

    with pytest.raises(
        NameTaken, match=r"Save this one under a name of your own: `%mcpgen approve \S+ --name NAME`\.$"
    ):
        runtime.approve(card.card_id)
    again = staged(runtime.ask("total crates by orchard sorted by crates smallest first", picks))
    kept = runtime.approve(card.card_id, name="least_crates")

    assert len(taken) > 2
    assert not any(name[-1].isdigit() for name in taken)
    assert (again.diff, again.version) == (None, "1.0.0")
    assert (kept.tool_name, kept.status) == ("least_crates", ToolStatus.PROMOTED)


@pytest.mark.soak
def test_an_unpublished_tool_still_has_its_name(runtime: Runtime, picks: DataRef) -> None:
    first = keep(runtime, staged(runtime.ask("total crates by orchard", picks)))
    runtime.unpublish(first.tool_name)

    other = staged(runtime.ask("total crates by orchard smallest first", picks))

    assert other.tool_name != first.tool_name


@pytest.mark.soak
def test_code_of_a_next_version_that_is_mended_keeps_the_name_and_is_compared(tmp_path: Path) -> None:
    runtime = new_runtime(tmp_path)
    loads = runtime.reference("loads", LOADS)
    keep(runtime, staged(runtime.ask("total tons by quarry", loads, name="gap_of")))
    author = Repairer(WRONG, Second(sql=GAP_SQL), drafts=(MEDIAN_GAP,))
    vars(runtime)["services"] = replace(runtime.services, author=author)

    card = staged(runtime.ask("how far below its largest is the median load", loads, name="gap_of"))

    assert len(author.told) == 1
    assert (card.tool_name, card.status, changes(card).before) == ("gap_of", ToolStatus.STAGED, "1.0.0")
    assert "median()" in changes(card).code


def asked_scribe(runtime: Runtime) -> Card:
    author = Scribe(MEDIAN_GAP, Second(sql=GAP_SQL))
    vars(runtime)["services"] = replace(runtime.services, author=author)
    loads = runtime.reference("loads", LOADS)
    return staged(runtime.ask("how far below its largest is the median load", loads, name="gap_of"))


def save(runtime: Runtime, card: Card) -> None:
    runtime.approve(card.card_id, confirmed=[Confirms.AS_READ])


@pytest.mark.soak
def test_a_next_version_with_the_same_written_code_is_refused_and_the_tool_stays(runtime: Runtime) -> None:
    save(runtime, asked_scribe(runtime))

    again = asked_scribe(runtime)

    with pytest.raises(
        NameTaken, match=r"^Version 1\.0\.0 of `gap_of` has this content already, so there is nothing to save\."
    ):
        save(runtime, again)
    assert active(runtime) == [("gap_of", "1.0.0")]
    rejected = runtime.answer(again.card_id, again.fingerprint, "registration", "reject", None)
    assert rejected.status is ToolStatus.REJECTED


@pytest.mark.soak
def test_written_code_that_is_in_the_archive_is_brought_back_rather_than_saved_again(runtime: Runtime) -> None:
    save(runtime, asked_scribe(runtime))
    runtime.unpublish("gap_of")

    again = asked_scribe(runtime)

    save(runtime, again)

    assert active(runtime) == [("gap_of", "1.0.0")]
    assert runtime.registry.doctor().ok
