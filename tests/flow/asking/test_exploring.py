"""A first look at a table: what its columns hold, and questions that are all answered when they are asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.data.demo import crashes
from jupyter_mcpgen.model.overview import Overview
from jupyter_mcpgen.overview_text import markdown, plain
from jupyter_mcpgen.pipeline.draft import Computed
from jupyter_mcpgen.pipeline.suggestions import MOST
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.commands import command_of, words_of
from jupyter_mcpgen.verbs.exploring import explore
from tests.products import own_place, ungated

pytestmark = pytest.mark.ungated

ROWS = 120
ORDERS = pd.DataFrame(
    {
        "order_id": range(1_000, 1_000 + ROWS),
        "Order Date": pd.date_range("2024-01-01", periods=ROWS, freq="D"),
        "Region": ["North", "South", "East", None] * (ROWS // 4),
        "Unit Price": [f"${price:.2f}" for price in np.linspace(1, 99, ROWS)],
        "weight_kg": np.linspace(0.5, 60, ROWS),
        "gift": [True, False] * (ROWS // 2),
    }
)
WORDS = pd.DataFrame({"name": [f"person {n}" for n in range(40)], "team": ["red", "blue", "green", "gray"] * 10})
ONE = pd.DataFrame({"only": [1, 1, 1]})
TABLES = {"orders": ORDERS, "words": WORDS, "one": ONE, "crashes": crashes().head(3_000)}


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return ungated(tmp_path_factory.mktemp("exploring"))


def explored(runtime: Runtime, name: str) -> Overview:
    return explore([name], runtime, TABLES).overview


def test_each_column_says_its_type_gaps_and_values(runtime: Runtime) -> None:
    overview = explored(runtime, "orders")

    assert overview.text == "120 rows, 6 columns."
    assert overview.columns.rows == (
        ("order_id", "whole number", 0, 120, "1000 to 1119"),
        ("Order Date", "date", 0, 120, "2024-01-01 to 2024-04-29"),
        ("Region", "text", 30, 3, "East, North, South"),
        ("Unit Price", "number, written as text ($)", 0, 120, "1 to 99"),
        ("weight_kg", "number (kg)", 0, 120, "0.50 to 60"),
        ("gift", "yes or no", 0, 2, "False, True"),
    )


def test_what_is_suggested_is_of_several_kinds(runtime: Runtime) -> None:
    assert [one.question for one in explored(runtime, "orders").suggestions] == [
        "average Unit Price by Region in orders",
        "average Unit Price by month of Order Date in orders",
        "number of rows by Region in orders",
        "correlation between Unit Price and weight_kg in orders",
        "histogram of Unit Price in orders",
    ]
    assert [one.question for one in explored(runtime, "words").suggestions][:1] == ["number of rows by team in words"]
    assert [one.question for one in explored(runtime, "one").suggestions] == ["number of rows in one"]


@pytest.mark.every_run("orders", "one")
@pytest.mark.parametrize("name", TABLES)
def test_every_suggested_question_is_answered_as_it_says(runtime: Runtime, name: str) -> None:
    suggestions = explored(runtime, name).suggestions

    assert 1 <= len(suggestions) <= MOST
    for one in suggestions:
        answered = runtime.compute(one.question, runtime.reference(name, TABLES[name]))
        assert isinstance(answered, Computed)
        assert answered.intent.reading == one.reading


@pytest.mark.soak
def test_a_suggested_question_is_open_until_it_is_asked_and_is_meant_by_its_id_alone(runtime: Runtime) -> None:
    first = explored(runtime, "orders").suggestions[0]

    assert runtime.question(first.question_id).question == first.question
    assert runtime.questions.waiting is None
    card = runtime.ask_again(first.question_id, first.question)
    assert card.reading == first.reading


@pytest.mark.soak
def test_questions_are_suggested_in_the_language_that_is_asked_in(tmp_path: Path) -> None:
    german = ungated(tmp_path, **{"planner.language": "de"})

    questions = [one.question for one in explored(german, "orders").suggestions]

    assert questions[0] == "Durchschnitt von Unit Price nach Region in orders"
    assert len(questions) == MOST


def test_as_text_the_questions_stand_as_they_are_typed(runtime: Runtime) -> None:
    overview = explored(runtime, "words")

    assert "| name | text | 0 | 40 | " in markdown(overview)
    assert "- `%mcpgen number of rows by team in words`" in markdown(overview).splitlines()
    assert "  %mcpgen number of rows by team in words" in plain(overview).splitlines()


def test_the_name_of_a_column_cannot_end_a_question_in_text(runtime: Runtime) -> None:
    name = "team` [here](http://elsewhere.example)\n\n# heading"
    teams = pd.DataFrame({name: list("xyz") * 8, "points": [float(number) for number in range(24)]})

    overview = runtime.explore(runtime.reference("teams", teams), "teams")

    questions = [each.typed for each in overview.suggestions if "team" in each.typed.removesuffix("teams")]
    assert questions
    for question in questions:
        assert f"- `` %mcpgen {question} ``" in markdown(overview).splitlines()
        assert f"  %mcpgen {question}" in plain(overview).splitlines()


def test_a_terminal_explores_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    WORDS.to_csv(tmp_path / "my words.csv", index=False)
    with own_place(tmp_path, gates=False):
        assert main(["explore", "my words.csv"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert 'number of rows by team in "my words.csv"' in said
        assert main(["number", "of", "rows", "by", "team", "in", '"my words.csv"']) == 0
        assert main(["explore", "nothing.csv"]) == 1


@pytest.mark.parametrize(
    ("typed", "words", "is_command"),
    [
        ("explore sales", ["explore", "sales"], True),
        ('explore "my sales.csv"', ["explore", "my sales.csv"], True),
        ("explore", ["explore"], True),
        ("explore sales by region", ["explore", "sales", "by", "region"], False),
        ("list orders where name is 'X Y'", ["list", "orders", "where", "name", "is", "'X", "Y'"], False),
    ],
)
def test_explore_with_more_than_a_table_is_a_question(typed: str, words: list[str], is_command: bool) -> None:
    assert words_of(typed) == words
    assert (command_of(words) is not None) is is_command
