"""A question gives the published numbers, or a question back: never a column or a figure that is not there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_mcpgen.data.demo import DEVICES, WEATHER, crashes
from jupyter_mcpgen.errors import AskedBack, DataError, DecisionError, NotUnderstood
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import BY_WEATHER, figures, keep, shown, staged
from tests.products import new_runtime

F5 = "analyze fatal injury variations across weather conditions"
FATAL_CRASHES = "number of rows by weather_condition, largest first, where injuries_fatal is greater than 0"


@dataclass(frozen=True)
class Desk:
    """A product with the crash frame on it."""

    runtime: Runtime
    data: DataRef

    def ask(self, question: str) -> Card:
        """Ask and return the card."""
        return staged(self.runtime.ask(question, self.data))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Return a desk that the tests of this module share; none of them keeps a tool."""
    runtime = new_runtime(tmp_path_factory.mktemp("desk"))
    return Desk(runtime, runtime.reference("crashes", crashes()))


@pytest.fixture(scope="module")
def fatal_card(desk: Desk) -> Card:
    """Return the answer to F5, asked once."""
    return desk.ask(F5)


def test_fatal_injuries_are_added_up_and_neither_rows_nor_crashes_are_counted(fatal_card: Card) -> None:
    assert fatal_card.reading == "sum of injuries_fatal by weather_condition, largest first"
    assert figures(fatal_card) == {name: totals.deaths for name, totals in WEATHER.items()}
    assert sum(figures(fatal_card).values()) == 389
    assert fatal_card.sound
    assert fatal_card.evidence_sentence == (
        "Calculation checked: pandas and SQL agree. 209,305 of 209,306 rows used. 389 = column total."
    )
    assert fatal_card.read_by == "Read by the planner: is this what you meant?"
    assert [note.sentence for note in fatal_card.notes] == ["1 row without `weather_condition` was left out."]
    assert fatal_card.limitations == ()


def test_the_other_readings_of_fatal_injuries_are_offered_beside_it(fatal_card: Card) -> None:
    offered = {chip.reading for chip in fatal_card.chips if not chip.chosen}

    assert {"mean of injuries_fatal by weather_condition, largest first", FATAL_CRASHES} <= offered


@pytest.mark.soak
@pytest.mark.ungated
def test_another_reading_takes_the_place_of_the_card(runtime: Runtime) -> None:
    desk = Desk(runtime, runtime.reference("crashes", crashes()))
    card = desk.ask(F5)

    picked = desk.runtime.pick(card.card_id, FATAL_CRASHES)

    assert {name: count for name, count in figures(picked).items() if count} == {
        name: totals.fatal_crashes for name, totals in WEATHER.items() if totals.fatal_crashes
    }
    assert sum(figures(picked).values()) == 351
    assert picked.sound
    assert picked.question == F5
    assert desk.runtime.card(card.card_id).status is ToolStatus.REJECTED
    with pytest.raises(DecisionError, match=r"`median` is not an option of this answer\. Options: "):
        desk.runtime.pick(picked.card_id, "median")


def test_injuries_by_traffic_control_device_have_the_published_totals(desk: Desk) -> None:
    card = shown(desk.runtime, desk.runtime.compute("compare injuries by traffic control device", desk.data))

    assert figures(card) == {name: totals.total for name, totals in DEVICES.items()}
    assert card.evidence_sentence.endswith("209,306 of 209,306 rows used. 80,105 = column total.")
    assert is_sound(card.evidence)


def test_a_column_that_is_not_there_is_not_invented_and_the_nearest_is_offered(desk: Desk) -> None:
    before = desk.runtime.registry.candidates()

    with pytest.raises(NotUnderstood, match=r"`severity`.*`most_severe_injury`"):
        desk.runtime.ask("Analyze traffic accidents by severity", desk.data)

    assert desk.runtime.registry.candidates() == before


@pytest.mark.soak
def test_a_column_whose_name_stands_twice_is_not_chosen_for_the_person(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("price,shop,price\n1,A,2\n3,B,4\n")
    data = runtime.reference(str(tmp_path / "t.csv"))

    with pytest.raises(
        AskedBack, match=r"2 columns named `price`, called `price` in column 1 and `price.1` in col"
    ) as asked:
        runtime.ask("average price by shop", data)
    question = runtime.questions.find(asked.value.question_id)

    answers = [shown(runtime, runtime.compute_as(question.request, each)) for each in question.intents]
    assert [figures(card) for card in answers] == [{"A": 1.0, "B": 3.0}, {"A": 2.0, "B": 4.0}]
    assert answers[1].assumptions[0] == "`price.1` is column 3 of the table, one of 2 named `price`."
    assert shown(runtime, runtime.compute("how many rows by shop", data)).table.rows == (("A", 1), ("B", 1))


def test_two_columns_of_one_name_at_once_are_refused(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("price,shop,price\n1,A,2\n3,B,4\n")
    data = runtime.reference(str(tmp_path / "t.csv"))

    with pytest.raises(DataError, match=r"2 columns named `price`.*Rename them"):
        runtime.ask("summary of all columns", data)


@pytest.mark.soak
@pytest.mark.ungated
def test_whole_numbers_that_a_float_cannot_hold_travel_as_text(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("shop,views\nA,9007199254740993\nB,2\n")
    data = runtime.reference(str(tmp_path / "t.csv"))

    card = staged(runtime.ask("total views by shop", data))
    keep(runtime, card)
    called = runtime.call_tool(card.tool_name, {"file_path": data.path})

    assert dict(card.table.rows) == {"A": "9007199254740993", "B": 2}
    assert [row["sum_views"] for row in called.structured["rows"]] == ["9007199254740993", 2]
    assert "9007199254740993" in called.text


def test_a_test_without_its_columns_is_answered_with_a_question_that_lists_them(desk: Desk) -> None:
    question = (
        "Run ANOVA across groups, then perform a Tukey HSD post-hoc (multiple-comparisons correction required) "
        "and report adjusted p-values and effect sizes."
    )
    before = desk.runtime.registry.candidates()

    with pytest.raises(NotUnderstood, match=r"which number and groups\?.*Columns of groups: .*`weather_condition`"):
        desk.runtime.ask(question, desk.data)

    assert desk.runtime.registry.candidates() == before


def test_what_nothing_here_computes_is_recorded_as_missing_and_nothing_runs_in_its_place(desk: Desk) -> None:
    question = "Cluster the crashes by damage"
    before = desk.runtime.registry.candidates()

    with pytest.raises(NotUnderstood, match=r"cannot compute clusters"):
        desk.runtime.ask(question, desk.data)

    assert desk.runtime.registry.candidates() == before
    entry = desk.runtime.registry.audit.entries()[-1]
    assert entry.action == "MISSING_CAPABILITY"
    assert question in (entry.notes or "")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Show me the top 10 states by accident count", {"CA": 2, "TX": 2, "NY": 1}),
        ("Calculate average severity by weather condition", BY_WEATHER),
        ("Filter accidents where severity > 3 and show count by state", {"NY": 1}),
    ],
)
def test_the_seeds_sample_questions_have_their_published_answers(
    runtime: Runtime, accidents: DataRef, question: str, rows: dict[str, float]
) -> None:
    card = shown(runtime, runtime.compute(question, accidents))

    assert figures(card) == rows
    assert is_sound(card.evidence)
