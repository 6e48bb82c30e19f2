"""What is asked of single rows is computed for those rows, and refused where a name or an order does not tell them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.understand import understand

KILNS = pd.DataFrame(
    {
        "kiln": ["Arla", "Brun", "Cato", "Dima", "Edda"],
        "clay": ["red", "red", "white", "white", "red"],
        "built": [1951, 1960, 1960, 1988, 2003],
        "heat": [900.0, 1250.0, 1250.0, 1100.0, None],
    }
)


def meant(question: str, kilns: pd.DataFrame = KILNS) -> Understanding:
    return understand(question, profile("kilns", kilns))


def rows(question: str, kilns: pd.DataFrame = KILNS) -> list[tuple[Any, ...]]:
    understood = meant(question, kilns)
    assert isinstance(understood, Answered), understood
    engine = Engine(kilns)
    try:
        table = engine.table(understood.winner.plan)
    finally:
        engine.close()
    return [tuple(None if pd.isna(cell) else cell for cell in row) for row in table.itertuples(index=False)]


def notes(question: str, kilns: pd.DataFrame = KILNS) -> tuple[str, ...]:
    understood = meant(question, kilns)
    assert isinstance(understood, Answered), understood
    return understood.winner.assumptions


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("which kiln has the second highest heat?", []),
        ("which kiln has the highest heat?", ["Brun"]),
        ("which kiln has the third highest heat?", ["Dima"]),
        ("which kiln has the fifth highest heat?", []),
        ("which kiln has the second lowest heat?", ["Dima"]),
        ("which kiln has the third lowest heat?", ["Brun", "Cato"]),
    ],
)
def test_rows_with_the_same_figure_share_a_place_and_no_place_is_made_up(question: str, found: list[str]) -> None:
    assert [row[0] for row in rows(question)] == found


@pytest.mark.parametrize(
    ("question", "difference"),
    [
        ("how much more heat is there in Dima than in Arla?", 200),
        ("how much more heat is there in Arla than in Dima?", -200),
        ("what is the difference in heat between Arla and Dima?", 200),
        ("what is the difference in heat between Dima and Arla?", 200),
        ("what is the difference in heat between Dima and Edda?", None),
    ],
)
def test_a_difference_has_a_sign_only_where_one_is_said_to_have_more(question: str, difference: float | None) -> None:
    assert rows(question)[0][0] == difference


def test_rows_beyond_another_one_do_not_include_it_or_its_equals() -> None:
    assert [row[0] for row in rows("which kilns have more heat than Dima?")] == ["Brun", "Cato"]
    assert rows("which kilns have more heat than Brun?") == []
    assert rows("which kilns have more heat than Edda?") == []


def test_rows_like_another_one_are_those_of_its_value() -> None:
    assert [row[0] for row in rows("which other kilns have the same clay as Arla?")] == ["Brun", "Edda"]
    assert rows("how many kilns have the same clay as Arla?") == [(3,)]


def test_of_two_rows_neither_has_more_where_one_has_no_figure() -> None:
    question = "which kiln has more heat, Dima or Edda?"

    assert rows(question) == [("Dima", 1100.0), ("Edda", None)]
    assert "Some rows have no `heat`" in " ".join(notes(question))
    assert rows("which kiln has more heat, Dima or Arla?") == [("Dima", 1100.0)]
    assert rows("which kiln has less heat, Dima or Arla?") == [("Arla", 900.0)]
    assert notes("which kiln has more heat, Dima or Arla?", KILNS.head(4)) == ()


def test_no_row_is_beyond_one_without_a_figure_and_the_answer_says_so() -> None:
    assert "if `Edda` has none, no row is" in " ".join(notes("which kilns have more heat than Edda?"))
    assert notes("which kilns have more heat than Dima?", KILNS.head(4)) == ()


@pytest.mark.parametrize("question", ["who has the same clay as Arla?", "who is of the same clay as Arla?"])
def test_who_is_like_another_one_asks_for_rows_and_counts_nothing(question: str) -> None:
    assert rows(question) == [("Arla", "red"), ("Brun", "red"), ("Edda", "red")]
    assert rows(question.replace("who", "who else")) == [("Brun", "red"), ("Edda", "red")]


def test_a_row_without_a_value_is_like_no_other_but_is_shown_as_it_is_said_to_be() -> None:
    unmarked = KILNS.assign(clay=["red", None, None, "white", "red"])
    question = "which kilns have the same clay as Brun?"

    assert rows(question, unmarked) == [("Brun", None)]
    assert "`Brun` itself is one of them." in notes(question, unmarked)
    assert [row[0] for row in rows("which kilns have the same clay as Arla?", unmarked)] == ["Arla", "Edda"]
    assert rows("how many kilns have the same clay as Brun?", unmarked) == [(0,)]
    assert "if `Brun` has none" in " ".join(notes("how many kilns have the same clay as Brun?", unmarked))


def test_no_word_is_quoted_that_was_not_said() -> None:
    question = "who has the longest firing hours?"
    kilns = KILNS.rename(columns={"heat": "firing_hours"})

    assert rows(question, kilns)[0][0] == "Brun"
    assert "“highest”" not in " ".join(notes(question, kilns))


def test_what_comes_next_is_refused_where_two_rows_have_the_same_place() -> None:
    assert isinstance(understood := meant("which kiln came after Arla?"), Refused)
    assert "Several rows have the same `built`" in understood.message

    apart = KILNS.assign(built=[1951, 1960, 1961, 1988, 2003])
    assert [row[0] for row in rows("which kiln came after Arla?", apart)] == ["Brun"]
    assert [row[0] for row in rows("which kiln came before Arla?", apart)] == []


def test_what_comes_next_is_refused_where_nothing_orders_the_rows() -> None:
    assert isinstance(understood := meant("which kiln came after Arla?", KILNS.drop(columns="built")), Refused)
    assert "no date, year or number that orders its rows" in understood.message


def test_a_name_of_several_rows_is_not_taken_for_one_of_them() -> None:
    twice = pd.concat([KILNS, KILNS.head(1)], ignore_index=True)
    question = "how much more heat is there in Dima than in Arla?"

    understood = meant(question, twice)

    assert not isinstance(understood, Answered) or "difference" not in understood.winner.plan.result_schema.names


def test_the_first_under_a_condition_is_the_first_of_those_that_meet_it() -> None:
    assert rows("what was the first kiln with white clay?")[0][0] == "Cato"
    assert rows("what was the last kiln with red clay?")[0][0] == "Edda"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("who earns more, Iris or Joss?", ["Joss"]),
        ("who earns less: Iris or Joss?", ["Iris"]),
        ("is Iris or Joss taller?", ["Joss"]),
        ("who earns more than Iris?", ["Kit", "Joss"]),
        ("people taller than 66 inches", ["Joss"]),
        ("people in Dairy", ["Joss", "Kit"]),
    ],
)
def test_persons_are_compared_by_what_they_do_and_what_they_are(question: str, found: list[str]) -> None:
    crew = pd.DataFrame(
        {
            "crew": ["Iris", "Joss", "Kit"],
            "shed": ["Barn", "Dairy", "Dairy"],
            "wage": [30.0, 31.5, 44.0],
            "height (in)": [65, 70, 66],
        }
    )

    assert [row[0] for row in rows(question, crew)] == found


def test_the_second_of_two_ends_is_not_guessed() -> None:
    understood = meant("what is the difference between the highest and the second highest heat?")

    assert not isinstance(understood, Answered)


def test_all_rows_of_a_place_are_shown_so_no_note_says_that_only_one_is() -> None:
    understood = meant("which kiln has the third lowest heat?")

    assert isinstance(understood, Answered)
    assert not any("only the first" in note for note in understood.winner.assumptions)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("who won the most heats?", "Tern"),
        ("who won the first heat?", "Petrel"),
        ("who won the last heat of the season?", "Skua"),
        ("who won the first heat with more than 60 strokes?", "Tern"),
    ],
)
def test_who_does_what_a_verb_says_stands_in_the_column_called_so(question: str, found: str) -> None:
    heats = pd.DataFrame(
        {
            "heat": ["A", "B", "C", "D"],
            "rowed_on": pd.to_datetime(["2031-05-01", "2031-05-09", "2031-06-02", "2031-07-20"]),
            "winner": ["Petrel", "Tern", "Tern", "Skua"],
            "strokes": [58, 66, 70, 61],
        }
    )
    understood = understand(question, profile("heats", heats))
    assert isinstance(understood, Answered)
    engine = Engine(heats)
    try:
        table = engine.table(understood.winner.plan)
    finally:
        engine.close()

    assert table["winner"].tolist() == [found]
