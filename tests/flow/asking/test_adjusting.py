"""A person changes what was understood, part by part or in other words; the answer before gives way to the new one."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.answer import answer_to
from jupyter_mcpgen.errors import DecisionError
from jupyter_mcpgen.lab.clerk import DeskClerk
from jupyter_mcpgen.lab.messages import Adjust, AskAgain, Offer, Sync
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.intent import ReadBy
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.pipeline.again import intent_of_card
from jupyter_mcpgen.pipeline.questions import AskedInstead
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.words import UsageError
from tests.flow.asking.product import figures, keep, staged

pytestmark = pytest.mark.ungated

LANDINGS = pd.DataFrame(
    {
        "harbor": ["Lund", "Ness", "Skye", "Lund"],
        "species": ["cod", "hake", "cod", "cod"],
        "crates": [4, 3, 9, 2],
        "weight": [40.5, 35.0, 80.0, 10.5],
    }
)
ASKED = "total weight by harbor"


@pytest.fixture
def landings(runtime: Runtime) -> DataRef:
    return runtime.reference("landings", LANDINGS)


def test_a_changed_part_is_answered_anew_and_the_answer_before_is_one_pick_away(
    runtime: Runtime, landings: DataRef
) -> None:
    before = staged(runtime.ask(ASKED, landings))

    after = staged(runtime.adjust(before.card_id, {"calculation": ["mean"], "group_by_columns": ["species"]}))

    assert figures(after) == {"cod": pytest.approx(131 / 3), "hake": 35.0}
    assert (after.status, after.read_by) == (ToolStatus.STAGED, "A person picked this reading.")
    assert runtime.card(before.card_id).status is ToolStatus.REJECTED
    assert intent_of_card(after, runtime.services).read_by is ReadBy.PERSON
    assert [chip.reading for chip in after.chips] == [before.reading]
    assert runtime.pick(after.card_id, before.reading).reading == before.reading


def test_the_choices_are_what_fits_and_the_values_of_the_column(runtime: Runtime, landings: DataRef) -> None:
    card = staged(runtime.ask("total weight of cod by harbor", landings))

    value, column = (runtime.choices(card.card_id, part) for part in ("filter_value", "value_column"))

    assert [(choice.label, choice.chosen) for choice in value.choices] == [("cod", True), ("hake", False)]
    assert value.typed
    assert [choice.value for choice in column.choices] == ["crates", "weight"]
    assert not column.typed


@pytest.mark.soak
@pytest.mark.parametrize(("values", "columns"), [(["true"], ["harbor", "True"]), (["false"], ["harbor", "False"])])
def test_values_that_are_no_texts_are_chosen_too(runtime: Runtime, values: list[str], columns: list[str]) -> None:
    frame = LANDINGS.assign(fresh=[True, False, True, False])
    card = staged(runtime.ask("pivot of total weight by harbor and fresh", runtime.reference("landings", frame)))

    only = staged(runtime.adjust(card.card_id, {"pivot_values": values}))

    assert list(only.table.columns) == columns


@pytest.mark.soak
def test_an_assumption_about_a_column_goes_with_the_column(runtime: Runtime) -> None:
    texts = LANDINGS.assign(weight=["40.5 kg", "35 kg", "80 kg", "10.5 kg"])
    card = staged(runtime.ask(ASKED, runtime.reference("landings", texts)))
    assert any("weight" in assumption for assumption in card.assumptions)

    other = staged(runtime.adjust(card.card_id, {"measured_column": ["crates"]}))

    assert other.reading == "sum of crates by harbor, largest first"
    assert not any("weight" in assumption for assumption in other.assumptions)
    assert "weight" not in other.code


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"calculation": ["sum"]}, "Nothing was changed"),
        ({"value_column": ["species"]}, "`species` is text"),
        ({"limit": ["3"]}, "no part `limit`"),
    ],
)
def test_a_change_that_cannot_be_made_leaves_the_card(
    runtime: Runtime, landings: DataRef, parts: dict[str, list[str]], said: str
) -> None:
    card = staged(runtime.ask(ASKED, landings))

    with pytest.raises(DecisionError, match=said):
        runtime.adjust(card.card_id, parts)

    assert runtime.card(card.card_id) == card


@pytest.mark.soak
def test_the_answer_of_an_approved_tool_is_changed_too_and_the_tool_stays(runtime: Runtime, landings: DataRef) -> None:
    keep(runtime, staged(runtime.ask(ASKED, landings)))
    used = answer_to(runtime, ASKED, landings, variables={"landings": LANDINGS})
    assert used.parts["calculation"] == "sum"

    changed = used.adjust(calculation="median")

    assert changed.df.set_index("harbor")["median_weight"].to_dict() == {"Lund": 25.5, "Ness": 35.0, "Skye": 80.0}
    assert [tool.name for tool in runtime.active()] == ["sum_by_group"]


@pytest.mark.soak
def test_in_words_a_part_is_listed_changed_and_taken_out(runtime: Runtime) -> None:
    space = {"landings": LANDINGS}
    perform(["total", "weight", "of", "cod", "by", "harbor", "in", "landings"], runtime, space).answer.stage()

    listed = perform(["adjust"], runtime, space).text
    changed = perform(["adjust", "filter_value=hake", "calculation=largest"], runtime, space).answer
    without = perform(["adjust", "comparison="], runtime, space).answer

    assert "| `filter_value` | cod | cod, hake |" in listed
    assert changed.df.to_dict("list") == {"harbor": ["Ness"], "max_weight": [35.0]}
    assert len(without.df) == 3
    with pytest.raises(UsageError, match="PART=VALUE"):
        perform(["adjust", "the mean"], runtime, space)


@pytest.mark.soak
def test_a_question_in_other_words_takes_the_place_of_the_card(runtime: Runtime, landings: DataRef) -> None:
    before = staged(runtime.ask(ASKED, landings))

    after = runtime.ask_again(before.card_id, "average crates by species")

    assert (after.question, figures(after)) == ("average crates by species", {"cod": 5.0, "hake": 3.0})
    assert runtime.card(before.card_id).status is ToolStatus.REJECTED


@pytest.mark.soak
def test_other_words_that_are_not_understood_leave_the_card_and_can_be_asked_again(
    runtime: Runtime, landings: DataRef
) -> None:
    card = staged(runtime.ask(ASKED, landings))

    with pytest.raises(AskedInstead) as raised:
        runtime.ask_again(card.card_id, "total profit by harbor")

    question = raised.value.question
    assert runtime.card(card.card_id) == card
    assert question.is_refusal
    assert [(each.words, "crates" in each.columns) for each in question.unread] == [("profit", True)]
    assert (
        answer_to(runtime, "total profit in landings", landings, variables={}).question_back.unread == question.unread
    )
    assert runtime.ask_again(question.question_id, "total crates by harbor").reading.startswith("sum of crates")


def test_each_reading_of_a_question_back_shows_its_first_rows(runtime: Runtime) -> None:
    frame = pd.DataFrame({"gross weight": [5.0, 7.0], "net weight": [4.0, 6.0], "harbor": ["Lund", "Ness"]})
    asked = answer_to(runtime, "total weight by harbor", runtime.reference("landings", frame), variables={})

    assert asked.question_back is not None
    shown = {option.reading: option.table.rows for option in asked.question_back.options if option.table}
    assert len(shown) == 2
    assert (("Ness", 7.0), ("Lund", 5.0)) in shown.values()
    assert (("Ness", 6.0), ("Lund", 4.0)) in shown.values()


@pytest.mark.soak
def test_a_condition_an_order_a_limit_and_another_period_are_said_without_asking_anew(runtime: Runtime) -> None:
    landed = LANDINGS.assign(landed=pd.to_datetime(["2024-01-05", "2024-02-10", "2024-05-01", "2024-05-20"]))
    card = staged(runtime.ask("total weight by month", runtime.reference("landed", landed)))

    quarters = staged(runtime.adjust(card.card_id, {"period": ["start_of_quarter"]}))
    perform(["adjust", quarters.card_id, "new_condition=species = cod"], runtime, {})
    perform(["adjust", "new_order=sum_weight,", "largest", "first"], runtime, {})
    perform(["adjust", "new_limit=1"], runtime, {})

    last = runtime.card(runtime.latest_cards[-1])
    assert figures(quarters) == {"2024-01-01T00:00:00": 75.5, "2024-04-01T00:00:00": 90.5}
    assert last.reading == ("sum of weight by quarter of landed, largest first, first one, where species is cod")
    assert figures(last) == {"2024-04-01T00:00:00": 90.5}


@pytest.mark.soak
def test_a_page_is_offered_choices_told_of_the_new_card_and_of_what_is_asked_back(
    runtime: Runtime, landings: DataRef
) -> None:
    card = staged(runtime.ask(ASKED, landings))
    clerk = DeskClerk(lambda: runtime, lambda: "", {})
    said: list[dict[str, object]] = []

    def serve(message: Offer | Adjust | AskAgain | Sync) -> dict[str, object]:
        clerk.serve(message.model_dump(mode="json"), said.append, said.append)
        return said[-1]

    offered = serve(Offer(card_id=card.card_id, part="calculation"))
    unknown = serve(Offer(card_id=card.card_id, part="colour"))
    asked = serve(AskAgain(card_id=card.card_id, question="total profit by harbor"))
    painted = serve(Adjust(card_id=card.card_id, part="calculation", values=("mean",)))

    assert (offered["kind"], unknown["kind"], asked["kind"]) == ("offered", "refused", "asked_back")
    assert (painted["kind"], painted["replaces"]) == ("painted", card.card_id)


def test_a_file_that_is_gone_is_said_and_changes_nothing(runtime: Runtime, tmp_path: Path) -> None:
    LANDINGS.to_csv(tmp_path / "landings.csv", index=False)
    card = staged(runtime.ask(ASKED, runtime.reference(str(tmp_path / "landings.csv"))))
    (tmp_path / "landings.csv").unlink()

    clerk, said = DeskClerk(lambda: runtime, lambda: "", {}), list[dict[str, object]]()
    clerk.serve(Offer(card_id=card.card_id, part="calculation").model_dump(mode="json"), said.append, said.append)

    assert said[-1]["kind"] == "refused"
    assert "landings" in str(said[-1]["message"])
