"""A question over two tables from the notebook to a tool that clients call, with both files checked and confined."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.errors import DataNotAllowed, ToolFailed, UnsoundApproval
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import intent_of
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.validation import Verdict, is_sound
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.material import load
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.server.data_folders import DataFolders, only_open_data
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.said import Said
from tests.plans import group
from tests.products import new_runtime, ungated
from tests.second_tables import Way, join, plan_over, summary

LOANS = pd.DataFrame(
    {
        "loan": range(1, 9),
        "member_id": [1, 1, 2, 3, 9, None, 2, 1],
        "days": [10, 20, 5, 7, 3, 2, 1, 4],
        "lent": pd.to_datetime(["2024-01-05"] * 4 + ["2024-02-07"] * 4),
    }
)
MEMBERS = pd.DataFrame(
    {
        "member_id": [1, 2, 3, 4],
        "town": ["Lund", "Malmö", "Lund", "Ystad"],
        "fee": [100, 200, 300, 400],
    }
)


COUNT = "number of loans with days above 1 in loans joined with members"
TOTAL = "total days by town in loans joined with members"
COUNTS = "members with the number of loans and their total loan days"


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    """Return a product of its own with an empty registry."""
    return new_runtime(tmp_path)


def say(runtime: Runtime, words: str) -> Said:
    return perform(words.split(), runtime, {"loans": LOANS, "members": MEMBERS})


def shown(said: Said) -> Card:
    """Return the card as a person sees it first, before the gates look at the code."""
    assert said.answer is not None, said.text
    assert said.answer.card is not None, said.answer
    return said.answer.card


def card_of(said: Said) -> Card:
    assert said.answer is not None, said.text
    card = said.answer.stage().card
    assert card is not None, said.answer
    return card


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Card]:
    """Return a registry with the tool of one question over both tables, which was asked once."""
    runtime = ungated(tmp_path_factory.mktemp("total"))
    return runtime.registry.root, keep(runtime, card_of(say(runtime, TOTAL)))


@pytest.fixture
def total(runtime: Runtime, once: tuple[Path, Card]) -> Card:
    """Have that tool in the registry of the test."""
    shutil.copytree(once[0], runtime.registry.root, dirs_exist_ok=True)
    return once[1]


def evidence(card: Card) -> dict[str, tuple[Verdict, str]]:
    return {item.check: (item.verdict, item.sentence) for item in card.evidence}


def keep(runtime: Runtime, card: Card) -> Card:
    return runtime.answer(card.card_id, card.fingerprint, "registration", "approve", None)


def over_both(runtime: Runtime, way: Way, *steps: Step, first: str = "loans", second: str = "members") -> Card:
    """Return the card of a plan that no question gives, over both tables."""
    frames = {"loans": LOANS, "members": MEMBERS}
    refs = [runtime.reference(name, frames[name]) for name in (first, second)]
    schemas = [load(ref, runtime.services).profile.schema_ for ref in refs]
    plan = plan_over(first, way(*schemas), *steps)
    request = runtime.conversation.request("asked of both", refs[0], refs[1])
    intent = intent_of(plan, refs[0].path, (), (), refs[1].path)
    return runtime.stage(flow.compute_as(request, intent, runtime.services)).card


@pytest.mark.soak
def test_the_rows_that_the_code_ran_over_are_those_of_both_tables(runtime: Runtime) -> None:
    card = shown(say(runtime, TOTAL))

    assert card.ran.startswith(f"Ran over {len(LOANS) + len(MEMBERS)} rows in ")


def test_a_question_over_two_variables_becomes_a_tool_with_two_files(runtime: Runtime, tmp_path: Path) -> None:
    card = card_of(say(runtime, "ask total days by town in loans joined with members"))

    assert card.table.rows == (("Lund", 41), ("Malmö", 6))
    assert card.sound, card.evidence
    found = evidence(card)
    assert found["counted_once_days"] == (
        Verdict.PASSED,
        "`days` counts once: 52 = its total in `loans` (47 in rows with a match, 5 in rows without).",
    )
    assert found["joined"] == (
        Verdict.PASSED,
        "Matched by member_id: 6 of 8 rows of `loans` have a match in `members`, 2 without (1 without a key), kept "
        "without values of `members`. 1 of 4 rows of `members` match none and are left out.",
    )
    assert "whose key repeats rows of the other table." in found["generated_tables"][1]
    assert [p.name for p in card.parameters][:2] == ["file_path", "other_path"]
    assert card.signature.startswith(f"tools.{card.tool_name}(data, other, ")

    keep(runtime, card)
    paths = {"file_path": tmp_path / "loans.csv", "other_path": tmp_path / "members.csv"}
    LOANS.to_csv(paths["file_path"], index=False)
    MEMBERS.to_csv(paths["other_path"], index=False)
    answer = runtime.call_tool(card.tool_name, {name: str(path) for name, path in paths.items()})

    assert not answer.failed, answer.text
    assert answer.structured is not None
    assert answer.structured["rows"] == [{"town": "Lund", "sum_days": 41}, {"town": "Malmö", "sum_days": 6}]


def test_both_files_of_a_call_must_lie_in_open_folders(runtime: Runtime, tmp_path: Path) -> None:
    inside, outside = tmp_path / "open", tmp_path / "closed"
    inside.mkdir()
    outside.mkdir()
    seen: list[dict[str, Any]] = []
    checked = only_open_data(lambda _, arguments: seen.append(dict(arguments)), DataFolders((inside,), ()))  # type: ignore[arg-type,func-returns-value]

    with pytest.raises(DataNotAllowed):
        checked("tool", {"file_path": str(inside / "a.csv"), "other_path": str(outside / "b.csv")})
    checked("tool", {"file_path": str(inside / "a.csv"), "other_path": str(inside / ".." / "open" / "b.csv")})

    assert seen == [{"file_path": str(inside / "a.csv"), "other_path": str(inside / "b.csv")}]


def test_the_tool_refuses_a_second_table_that_would_repeat_rows(runtime: Runtime, total: Card) -> None:
    twice = pd.concat([MEMBERS, MEMBERS.head(1)])
    loans, members = runtime.reference("loans", LOANS), runtime.reference("members", twice)

    with pytest.raises(ToolFailed, match="`member_id` names several rows of the second table"):
        runtime.run_tool(total.tool_name, loans, {}, members)


def test_the_tool_refuses_to_add_up_a_column_whose_rows_repeat(runtime: Runtime, total: Card) -> None:
    loans, members = runtime.reference("loans", LOANS), runtime.reference("members", MEMBERS)

    with pytest.raises(ToolFailed, match="has no column `fee`"):
        runtime.run_tool(total.tool_name, loans, {"value_column": "fee"}, members)


def test_a_total_of_the_table_whose_rows_repeat_is_refused_in_words(runtime: Runtime) -> None:
    answer = say(runtime, "ask total fee by town in loans joined with members").answer

    assert answer is not None
    assert re.search(r"`fee` belongs to `members`.*counted several times", answer.refusal or "")


@pytest.mark.soak
def test_a_plan_that_counts_values_several_times_cannot_be_kept(tmp_path: Path) -> None:
    runtime = ungated(tmp_path)
    way = join("loans", "member_id", relation="one_to_many")

    card = over_both(runtime, way, group("town", "sum fee", "sum days"), first="members", second="loans")

    found = evidence(card)
    assert found["counted_once_fee"][0] is Verdict.FAILED
    assert "repeats rows of `members` 3 times. Its total over `members` is 1,000." in found["counted_once_fee"][1]
    assert found["counted_once_days"][0] is Verdict.PASSED
    assert "Careful: the key names several rows of `loans`" in found["joined"][1]
    assert not card.sound
    with pytest.raises(UnsoundApproval):
        keep(runtime, card)


class FaultyAuthor(EmbeddedAuthor):
    """An author whose code is not what its contract says."""

    def __init__(self, replaced: str, by: str) -> None:
        super().__init__()
        self.replaced, self.by = replaced, by

    def write(self, contract: Contract) -> Package:
        """Write something else."""
        package = super().write(contract)
        assert self.replaced in package.code
        return Package(files={**package.files, "tool.py": package.code.replace(self.replaced, self.by)})


@pytest.mark.every_run("rows lost")
@pytest.mark.parametrize(
    ("question", "replaced", "by"),
    [
        (COUNT, 'how="left"', 'how="inner"'),
        (COUNT, "other.dropna(subset=[other_key_column])", "other.copy()"),
        (TOTAL, "other.dropna(subset=[other_key_column])", "other.dropna(subset=[other_key_column]).head(2)"),
        (TOTAL, "right_on=other_key_column", 'right_on="fee"'),
        (COUNTS, 'how="left"', 'how="inner"'),
        (
            COUNTS,
            '{"count_loans": 0}',
            '{"count_loans": 1}',
        ),
    ],
    ids=["rows without a match lost", "missing keys matched", "matches lost", "another key", "rows lost", "no zeros"],
)
def test_code_that_joins_in_another_way_fails_on_generated_tables(
    runtime: Runtime, question: str, replaced: str, by: str
) -> None:
    refs = runtime.reference("loans", LOANS), runtime.reference("members", MEMBERS)
    services = replace(runtime.services, author=FaultyAuthor(replaced=replaced, by=by))
    request = runtime.conversation.request(question, *refs)

    outcome = flow.ask(request, services)

    assert isinstance(outcome, flow.Staged)
    assert not outcome.card.sound
    assert evidence(outcome.card)["generated_tables"][0] is Verdict.FAILED


def test_rows_without_a_match_are_listed_and_counted(runtime: Runtime) -> None:
    card = shown(say(runtime, "ask members without loans"))

    assert card.table.rows == ((4, "Ystad", 400),)
    assert is_sound(card.evidence), card.evidence
    assert evidence(card)["joined"][1] == (
        "Matched by member_id: 3 of 4 rows of `members` have a match in `loans`, 1 without."
    )


@pytest.mark.soak
def test_all_rows_of_both_are_kept_and_counted(runtime: Runtime) -> None:
    card = card_of(say(runtime, "total days by town in loans full outer join members"))

    assert card.sound, card.evidence_sentence
    assert card.tool_name == "sum_by_group_fully_joined"
    assert [row[:2] for row in card.table.rows] == [("Lund", 41), ("Malmö", 6), ("Ystad", None)]
    verdict, sentence = evidence(card)["joined"]
    assert verdict is Verdict.PASSED
    assert "6 of 8 rows of `loans` have a match in `members`, 2 without (1 without a key), kept" in sentence
    assert "1 of 4 rows of `members` match none and are kept without values of `loans`." in sentence
    assert "`days` counts once: 52 = its total in `loans`" in evidence(card)["counted_once_days"][1]


@pytest.mark.soak
def test_figures_of_the_second_table_become_a_tool_that_is_accounted_for(runtime: Runtime, tmp_path: Path) -> None:
    card = card_of(say(runtime, "add each member's number of loans, total loan days and last loan"))

    assert [row[1:] for row in card.table.rows] == [
        ("Lund", 100, 3, 34, "2024-02-07T00:00:00"),
        ("Malmö", 200, 2, 6, "2024-02-07T00:00:00"),
        ("Lund", 300, 1, 7, "2024-01-05T00:00:00"),
        ("Ystad", 400, 0, 0, None),
    ]
    assert card.sound, card.evidence
    found = evidence(card)
    assert found["joined"][1] == (
        "Matched by member_id: 3 of 4 rows of `members` have rows in `loans`, 1 has none. 2 of 8 rows of `loans` match "
        "none and are left out (1 without a key)."
    )
    assert found["counted_once_sum_days"][1] == (
        "`sum_days` adds up: 52 = its total in `loans` (47 beside rows, 5 in rows that match none)."
    )
    assert "whose key repeats rows of the other table." in found["generated_tables"][1]
    behind = runtime.explain(card.card_id, 2, "sum_days")
    assert behind.rows["loan"].tolist() == [3, 7]

    keep(runtime, card)
    twice, dated = pd.concat([MEMBERS, MEMBERS.head(1)]), MEMBERS.assign(sum_days=1)
    for members, words in ((twice, "names several rows of the first table"), (dated, "a column `sum_days` already")):
        refs = runtime.reference("members", members), runtime.reference("loans", LOANS)
        with pytest.raises(ToolFailed, match=words):
            runtime.run_tool(card.tool_name, refs[0], {}, refs[1])
    LOANS.to_csv(tmp_path / "loans.csv", index=False)
    MEMBERS.to_csv(tmp_path / "members.csv", index=False)
    paths = {"file_path": str(tmp_path / "members.csv"), "other_path": str(tmp_path / "loans.csv")}
    answer = runtime.call_tool(card.tool_name, paths)
    assert answer.structured is not None
    assert [row["count_loans"] for row in answer.structured["rows"]] == [3, 2, 1, 0]


def test_a_follow_up_that_names_the_second_table_changes_the_answer_over_both(runtime: Runtime) -> None:
    say(runtime, "list members with the number of loans")

    card = shown(say(runtime, "only those with more than 2 loans"))

    assert card.reading == (
        "rows, where count_loans is greater than 2, over members with number of rows in loans by member_id"
    )
    assert len(card.table.rows) == 1
    assert is_sound(card.evidence), card.evidence


def test_figures_that_stand_in_several_rows_are_not_added_up(tmp_path: Path) -> None:
    runtime = ungated(tmp_path)
    way = summary("members", "member_id", of=("sum fee",))

    card = over_both(runtime, way, group("lent", "sum sum_fee"))

    assert not card.sound
    assert evidence(card)["counted_once_sum_fee"] == (
        Verdict.FAILED,
        "`sum_fee` would be counted several times: several rows of `loans` share a key, so the same `sum_fee` stands "
        "in each of them.",
    )


@pytest.mark.soak
def test_rows_below_each_other_add_up(runtime: Runtime, tmp_path: Path) -> None:
    LOANS.head(3).to_csv(tmp_path / "january.csv", index=False)
    LOANS.drop(columns="lent").tail(5).to_csv(tmp_path / "february.csv", index=False)

    words = f"ask total days in {tmp_path / 'january.csv'} and {tmp_path / 'february.csv'} combined"
    card = card_of(say(runtime, words))

    assert card.table.rows == ((52,),)
    assert card.sound, card.evidence
    assert evidence(card)["joined"][1] == (
        "3 rows of `january` and 5 of `february` = 8 rows. Careful: `lent` is in one of the two only."
    )
    keep(runtime, card)
    lacking = runtime.reference("lacking", LOANS.drop(columns="days"))
    with pytest.raises(ToolFailed, match="has no column `days`"):
        runtime.run_tool(card.tool_name, runtime.reference("loans", LOANS), {}, lacking)


def test_two_files_of_one_name_are_told_apart(runtime: Runtime, tmp_path: Path) -> None:
    for year, part in (("2023", LOANS.head(3)), ("2024", LOANS.tail(5))):
        (tmp_path / year).mkdir()
        part.to_csv(tmp_path / year / "loans.csv", index=False)

    words = f"ask total days in {tmp_path / '2023' / 'loans.csv'} and {tmp_path / '2024' / 'loans.csv'} combined"
    card = shown(say(runtime, words))

    assert card.reading == "sum of days, over loans and loans_2 below each other"
    assert card.table.rows == ((52,),)


@pytest.mark.soak
def test_a_follow_up_and_the_rows_behind_a_figure_know_both_tables(tmp_path: Path) -> None:
    runtime = ungated(tmp_path)
    first = card_of(say(runtime, "ask total days by town in loans joined with members"))

    second = shown(say(runtime, "ask now by month"))

    assert second.reading.startswith("sum of days by month of lent, over loans joined with members")
    behind = runtime.explain(first.card_id, 2)
    assert behind.rows[["loan", "town"]].to_dict("list") == {"loan": [3, 7], "town": ["Malmö", "Malmö"]}


def test_the_same_question_of_other_tables_is_answered_by_the_tool(runtime: Runtime, total: Card) -> None:
    stays = LOANS.rename(columns={"member_id": "guest_id", "days": "nights"}).assign(nights=1)
    guests = MEMBERS.rename(columns={"member_id": "guest_id"})

    words = "ask total nights by town in stays joined with guests"

    said = perform(words.split(" "), runtime, {"stays": stays, "guests": guests})

    assert said.ok, said.text
    assert said.answer is not None
    assert card_of(said).reused
    assert said.answer.df.to_dict("list") == {"town": ["Lund", "Malmö"], "sum_nights": [4, 2]}


def test_a_tool_over_two_tables_is_run_with_both(runtime: Runtime, total: Card) -> None:
    said = say(runtime, f"run {total.tool_name} --data loans --with members group_by_columns=member_id")

    assert said.frame is not None
    assert said.frame["sum_days"].tolist() == [34, 7, 6, 3]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("average days by town in loans", "`town` is a column of `members`. Ask over both: “… in loans joined with"),
        ("average zorps by weather in loans", "not a column or value of `loans`"),
    ],
)
def test_a_refusal_names_the_other_table_and_the_join_that_would_help(
    runtime: Runtime, question: str, words: str
) -> None:
    said = say(runtime, f"ask {question}")

    assert said.answer is not None
    assert words in f"{said.answer.refusal} {said.text}"
    assert ("Ask over both" in said.text) == ("town" in question)


def test_a_change_of_either_file_is_seen(runtime: Runtime, tmp_path: Path) -> None:
    for name, frame in (("loans", LOANS), ("members", MEMBERS)):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    loans, members = (runtime.reference(str(tmp_path / f"{name}.csv")) for name in ("loans", "members"))
    material = flow.load_all(runtime.conversation.request("q", loans, members), runtime.services)

    assert material.is_unchanged()
    (tmp_path / "members.csv").write_text("member_id\n1\n")

    assert not material.is_unchanged()
    (tmp_path / "members.csv").unlink()
    assert not material.is_unchanged()
    assert isinstance(loans, DataRef)
