"""Rows of totals are left out and it is said; whether -999 is a number is asked."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Asked
from jupyter_mcpgen.plan.english import say_plan
from tests.engines import run_duckdb, run_pandas

SHEET = pd.DataFrame(
    {
        "branch": ["Bern", "Basel", None, "Bern", "Subtotal Bern", "Grand total"],
        "sold": [10, 20, 30, 40, 50, 100],
        "income": ["$1,000", "$2", "$3", "$4", "$1,004", "$1,009"],
    }
)
UNNAMED = pd.DataFrame({"branch": ["Bern", "Basel", "Bern", None], "sold": [10, 20, 30, 60], "share": [1, 2, 3, 6]})
METERS = pd.DataFrame(
    {"meter": ["a", "b", "a", "b", "a"], "level": [12.5, -999.0, 13.5, -999.0, 11.5], "floor": [1, 2, 3, 4, 5]}
)


@pytest.mark.parametrize(
    ("frame", "question", "answer", "note"),
    [
        (SHEET, "total sold", 100, "The 2 rows “Subtotal Bern”, “Grand total” in `branch` add up the others"),
        (SHEET, "total sold by branch", 50, "The 2 rows “Subtotal Bern”, “Grand total” in `branch` add up the others"),
        (SHEET, "total income", 1009, "The 2 rows “Subtotal Bern”, “Grand total” in `branch` add up the others"),
        (SHEET, "how many rows", 4, "The 2 rows “Subtotal Bern”, “Grand total” in `branch` add up the others"),
        (UNNAMED, "average sold", 20, "The last row has no `branch` and adds up the others, so it is left out."),
    ],
)
def test_rows_of_totals_do_not_count_with_the_rows_that_they_add_up(
    frame: pd.DataFrame, question: str, answer: float, note: str
) -> None:
    understood = read(question, profile("sheet", frame))

    assert isinstance(understood, Answered)
    plan = understood.winner.plan
    assert any(assumption.startswith(note) for assumption in understood.winner.assumptions)
    assert [run(plan, frame).iloc[0, -1] for run in (run_pandas, run_duckdb)] == [answer, answer]


@pytest.mark.parametrize("question", ["total sold where branch is Grand total", "rows where branch is Subtotal Bern"])
def test_a_question_about_a_row_of_totals_keeps_it(question: str) -> None:
    understood = read(question, profile("sheet", SHEET))

    assert isinstance(understood, Answered)
    assert "not" not in say_plan(understood.winner.plan)


def test_a_brand_called_total_is_a_brand() -> None:
    fuel = pd.DataFrame({"brand": ["Total", "Shell", "BP", "Total"], "liters": [45, 30, 20, 10]})

    assert profile("fuel", fuel).totals is None


def test_a_number_that_may_stand_for_a_missing_value_is_asked_about() -> None:
    understood = read("average level by meter", profile("meters", METERS))

    assert isinstance(understood, Asked)
    assert understood.question.startswith("`level` is -999 in 2 rows, far from its other values. This often stands for")
    missing, counted = understood.options
    for run in (run_pandas, run_duckdb):
        assert run(missing.plan, METERS).set_index("meter").to_dict()["mean_level"] == pytest.approx(
            {"a": 12.5, "b": float("nan")}, nan_ok=True
        )
        assert run(counted.plan, METERS).set_index("meter").to_dict()["mean_level"] == {"a": 12.5, "b": -999.0}


@pytest.mark.parametrize(
    ("question", "frame"),
    [
        ("average floor by meter", METERS),
        ("average level where level is over 0", METERS),
        ("average price", pd.DataFrame({"price": [999, 1200, 850, 1100]})),
    ],
)
def test_other_questions_and_near_numbers_are_not_asked_about(question: str, frame: pd.DataFrame) -> None:
    assert isinstance(read(question, profile("t", frame)), Answered)


def test_groups_that_differ_only_in_spelling_are_named() -> None:
    towns = pd.DataFrame({"town": ["Bern", "bern ", "Basel"], "sold": [1, 2, 3]})

    understood = read("total sold by town", profile("towns", towns))

    assert isinstance(understood, Answered)
    assert understood.winner.assumptions == (
        "`town` has groups that differ only in spaces or capitals, such as “Bern” and “bern ”.",
    )
