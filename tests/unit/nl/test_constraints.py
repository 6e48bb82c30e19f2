"""What no reading does, however well its words fit: each case over a small table, beside one that is answered."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.planner import read
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.english import say_plan

ROWS = 60
DAYS = pd.date_range("2023-01-02", periods=ROWS, freq="5D")
MOVES = profile(
    "moves",
    pd.DataFrame(
        {
            "move_no": range(501, 501 + ROWS),
            "order_id": [7000 + place // 3 for place in range(ROWS)],
            "loaded_on": DAYS,
            "unloaded_on": DAYS + pd.Timedelta(days=2),
            "mover": ["Ida", "Bo", "Kai", "Liv", "Per"] * 12,
            "state": ["done", "late", "done"] * 20,
            "crates": [3, 8, 5, 9] * 15,
            "cost_eur": [30.5, 80.0, 55.25, 91.0, 12.0] * 12,
            "refund_eur": [None, 5.0, 2.5] * 20,
            "murk": [1.5, 2.5, 0.5] * 20,
        }
    ),
)
LAB = profile(
    "lab",
    pd.DataFrame(
        {
            "sample_id": range(1, ROWS + 1),
            "metric": ["iron", "zinc", "lead"] * 20,
            "basin": ["North", "South"] * 30,
            "value": [1.5, 20.25, 300.0, 4.75] * 15,
        }
    ),
)


def meant(question: str, table: Profile = MOVES) -> str:
    """Return what a question is answered with, or how it is not."""
    match read(question, table):
        case Answered(winner):
            return say_plan(winner.plan)
        case Asked(_, options):
            return " | ".join(["asked", *(say_plan(one.plan) for one in options)])
        case Refused(message):
            return f"refused: {message}"


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("total cost by month", ["month of loaded_on", "month of unloaded_on"]),
        ("murk by mover", ["sum of murk", "mean of murk"]),
        ("how many movers had cost above 50", ["where cost_eur is greater than 50", "sum of cost_eur by mover"]),
    ],
)
def test_what_the_words_leave_open_is_asked(question: str, others: list[str]) -> None:
    said = meant(question)
    assert said.startswith("asked")
    assert all(other in said for other in others)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("total cost by month unloaded", "sum of cost_eur by month of unloaded_on"),
        ("average murk by mover", "mean of murk by mover, largest first"),
        ("number of orders by mover", "number of different order_id by mover, largest first"),
        ("share of orders that are late", "number of rows where state is late by order_id, then share of groups"),
        ("moves of Ida", "rows, where mover is Ida"),
        ("cost of each move", "move_no, cost_eur"),
        ("average cost per move", "mean of cost_eur"),
        ("which orders are late", "different order_id, by order_id smallest first, where state is late"),
        ("highest cost and its mover", "rows, by cost_eur largest first, first one"),
    ],
)
def test_what_the_words_tell_is_answered(question: str, reading: str) -> None:
    assert meant(question).startswith(reading)


@pytest.mark.parametrize(
    ("question", "because"),
    [
        ("moves with 4 crates", "No row has 4"),
        ("moves with crates above 8 and crates below 4", "Nothing is above 8 and below 4"),
        ("average cost minus refund", "rows have no `refund_eur`"),
    ],
)
def test_what_no_row_can_tell_is_refused_with_what_to_do(question: str, because: str) -> None:
    assert because in meant(question)


def test_things_are_not_compared_by_their_numbers() -> None:
    assert "order_id is greater" not in meant("orders over 7010")


def test_measures_of_a_long_table_are_not_mixed() -> None:
    assert "would mix" in meant("average value by basin", LAB)
    assert meant("average value of iron by basin", LAB).startswith("mean of value by basin")


PATIENTS = profile(
    "patients",
    pd.DataFrame(
        {
            "patient_no": range(1, ROWS + 1),
            "sex": ["female", "F", "male", "M", "female"] * 12,
            "ward": ["North", "South", "Quay"] * 20,
            "fasting": [True, False] * 30,
            "admitted_on": DAYS,
            "discharged_on": [None if place % 4 else day + pd.Timedelta(days=3) for place, day in enumerate(DAYS)],
        }
    ),
)


@pytest.mark.parametrize(
    ("question", "others"),
    [
        (
            "which wards were not fasting",
            ["ward smallest first, where fasting is False", "number of rows where fasting is True by ward"],
        ),
        ("number of female patients", ["where sex is female |", "where sex is female or F"]),
        (
            "in May 2023, how many patients were discharged",
            ["admitted_on is at least 2023-05-01", "discharged_on is at least 2023-05-01"],
        ),
    ],
)
def test_two_writings_and_two_dates_are_asked_about(question: str, others: list[str]) -> None:
    said = meant(question, PATIENTS)
    assert said.startswith("asked")
    assert all(other in said for other in others)


def test_a_deed_goes_by_its_own_date() -> None:
    assert meant("discharges in May 2023", PATIENTS).startswith("number of rows, where discharged_on is at least")
    assert meant("patients admitted in May 2023", PATIENTS).startswith("rows, where admitted_on is at least")


def test_a_part_of_the_rows_is_no_count() -> None:
    assert "is never 0.5" in meant("movers with at least half of the moves")


TOURS = profile(
    "tours",
    pd.DataFrame(
        {
            "tour_no": range(301, 301 + ROWS),
            "guide": ["Ida", "Bo", "Kai", "Liv", "Per"] * 12,
            "town": ["Leeds", "York", "Hull"] * 20,
            "adult_price": [10.5, 12.0, 14.25, 9.0] * 15,
            "child_price": [5.5, 6.0, 7.25, 4.0] * 15,
            "cancelled": [True, False, False, False, True, False] * 10,
        }
    ),
)


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("average price by town", ["mean of adult_price by town", "mean of child_price by town"]),
        ("guides with tours in Leeds and York", ["where town is Leeds or York", "number of different town by guide"]),
    ],
)
def test_a_word_of_several_columns_and_both_of_two_places_are_asked_about(question: str, others: list[str]) -> None:
    said = meant(question, TOURS)
    assert said.startswith("asked")
    assert all(other in said for other in others)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("towns with a share of cancelled tours above 15", "refused: A share lies between 0 and 1"),
        ("average adult price by town", "mean of adult_price by town, largest first"),
        ("how many tours were in Leeds and York", "number of rows by town, largest first, where town is Leeds or York"),
    ],
)
def test_a_share_is_no_number_above_one_and_what_is_told_apart_is_answered(question: str, said: str) -> None:
    assert meant(question, TOURS).startswith(said)
