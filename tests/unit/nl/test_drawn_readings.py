"""Charts that are asked for in words: which kind, what goes across and up, how it is binned and ordered."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.planner import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan

RANDOM = np.random.default_rng(5)
ROWS = 80
FIRINGS = profile(
    "kiln_firings",
    pd.DataFrame(
        {
            "firing_id": range(1, ROWS + 1),
            "fired_on": pd.date_range("2022-01-05", periods=ROWS, freq="11D"),
            "glaze": RANDOM.choice(["Celadon", "Shino", "Tenmoku"], ROWS),
            "potter": RANDOM.choice(["Mossop", "Dunnet", "Skerrit", "Kemp"], ROWS),
            "pieces": RANDOM.integers(5, 60, ROWS),
            "peak_degrees": RANDOM.integers(900, 1300, ROWS),
            "gas_cost": RANDOM.integers(20, 400, ROWS) / 4,
        }
    ),
)
POTTERS = profile(
    "potters",
    pd.DataFrame(
        {
            "name": ["Mossop", "Dunnet", "Skerrit", "Kemp", "Ould", "Tarn"],
            "age": [31, 44, 27, 58, 39, 49],
            "hometown": ["Wick", "Thurso", "Wick", "Brora", "Wick", "Brora"],
        }
    ),
)


def drawn(question: str, table: object = FIRINGS) -> tuple[str, str | None]:
    """Return the reading of a question and its chart; fails where it is asked back or refused."""
    meant = read(question, table)  # type: ignore[arg-type]
    assert isinstance(meant, Answered), meant
    plan = meant.winner.plan
    return say_plan(plan), plan.chart.kind.value if plan.chart is not None else None


BY_GLAZE = "mean of gas_cost by glaze, largest first"


@pytest.mark.parametrize(
    ("question", "reading", "kind"),
    [
        ("average gas cost by glaze in a bar chart", BY_GLAZE, "bar"),
        ("histogram of gas cost by glaze", "gas_cost, glaze", "histogram"),
        ("draw a pie of the average gas cost by glaze", BY_GLAZE, "pie"),
        ("please give me a bar graph that shows the average gas cost for each glaze", BY_GLAZE, "bar"),
        ("bar chart x axis glaze y axis the average gas cost", BY_GLAZE, "bar"),
        ("glaze versus the average gas cost as a bar plot", BY_GLAZE, "bar"),
        ("the comparison of the average gas cost over the glaze, and group by glaze", BY_GLAZE, "bar"),
        ("find the glaze and the average gas cost, and visualize them by a bar chart", BY_GLAZE, "bar"),
        ("the glazes and the number of firings for each in a pie", "number of rows by glaze, largest first", "pie"),
        ("list all the glazes and count them with a bar chart", "number of rows by glaze, largest first", "bar"),
        ("a bar chart of the number of glazes", "number of rows by glaze, largest first", "bar"),
        ("what is the relationship between peak degrees and gas cost", "peak_degrees, gas_cost", "scatter"),
        ("scatter plot of the correlation between pieces and gas cost", "pieces, gas_cost", "scatter"),
        ("the trend of the pieces", "sum of pieces by month of fired_on", "line"),
    ],
)
def test_a_chart_may_be_named_anywhere(question: str, reading: str, kind: str) -> None:
    assert drawn(question) == (reading, kind)


@pytest.mark.parametrize(
    ("order", "reading"),
    [
        ("sort by the y axis in ascending order", "sum of pieces by potter, smallest first"),
        ("rank the Y from high to low", "sum of pieces by potter, largest first"),
        ("show the x-axis in desc", "sum of pieces by potter, by potter largest first"),
        ("and I want to order by the potter in asc please", "sum of pieces by potter, by potter smallest first"),
        ("could you sort in ascending by the bars", "sum of pieces by potter, smallest first"),
        ("list from low to high by the total number", "sum of pieces by potter, smallest first"),
    ],
)
def test_an_order_may_name_an_axis(order: str, reading: str) -> None:
    assert drawn(f"bar chart of the total pieces by potter, {order}")[0] == reading


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("bar chart of the number of firings, bin the fired on by weekday", "number of rows by weekday of fired_on"),
        ("how many firings in each year, binned by month", "number of rows by month of fired_on"),
        (
            "bar chart of the comparison of the total pieces over fired on, bin fired on into year interval",
            "sum of pieces by year of fired_on",
        ),
    ],
)
def test_bins_tell_how_a_date_is_grouped(question: str, reading: str) -> None:
    assert drawn(question)[0] == reading


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("bar chart of the name and age of all potters", "name, age"),
        ("a bar chart about the distribution of name and age, sort by the Y in desc", "rows, by age largest first"),
        ("names and ages of potters in a bar chart, order by name ascending", "rows, by name smallest first"),
    ],
)
def test_rows_with_a_name_each_are_drawn_as_they_are(question: str, reading: str) -> None:
    said, kind = drawn(question, POTTERS)
    assert (said[: len(reading)], kind) == (reading, "bar")


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        (
            "a line chart of the change of pieces over the fired on",
            "rows, by fired_on smallest first, showing fired_on, pieces",
        ),
        ("the kiln firings per kind of glaze", "number of rows by glaze, largest first"),
        ("which glazes are there and how many firings correspond to each", "number of rows by glaze, largest first"),
        ("glaze and the number of firings, ordered descending by count", "number of rows by glaze, largest first"),
        (
            "the relationship between the average and the highest gas cost for each glaze",
            "mean of gas_cost and largest gas_cost by glaze, by mean_gas_cost largest first",
        ),
        ("x axis fired on, y axis count them, bin x axis by weekday", "number of rows by weekday of fired_on"),
    ],
)
def test_charts_are_told_in_other_words(question: str, reading: str) -> None:
    assert drawn(question)[0] == reading


def test_some_words_of_a_column_name_it_again() -> None:
    assert drawn("the gas cost and the number of firings, sort by the cost descending")[0] == (
        "number of rows by gas_cost, by gas_cost largest first"
    )


def test_numbers_that_are_names_are_added_for_groups_alone() -> None:
    meant = read("bar chart of the sum of firing id by glaze", FIRINGS)

    assert isinstance(meant, Answered)
    assert meant.winner.assumptions == ("`firing_id` is a label made of numbers, so its sum may mean nothing.",)
    assert not isinstance(read("sum of firing id", FIRINGS), Answered)


def test_a_word_that_compares_tells_which_number_is_meant() -> None:
    assert drawn("how many potters older than 40 in each hometown", POTTERS)[0] == (
        "number of rows by hometown, largest first, where age is greater than 40"
    )


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("potters who have the letter M in their name", "name contains M"),
        ("potters whose name does not contain the letter M", "name does not contain M"),
        ("potters whose age is below 30 or above 50", "age is less than 30 or age is greater than 50"),
        ("potters whose age does not equal 44", "age is not 44"),
    ],
)
def test_conditions_may_be_said_of_letters_and_either_side(question: str, condition: str) -> None:
    assert drawn(question, POTTERS)[0].endswith(condition)


def test_two_names_of_charts_that_differ_are_no_answer() -> None:
    assert not isinstance(read("average gas cost by glaze as a pie in a scatter plot", FIRINGS), Answered)


@pytest.mark.parametrize("question", ["bar chart of the average tonnage by glaze", "scatter of pieces and tonnage"])
def test_a_chart_makes_no_unknown_word_known(question: str) -> None:
    assert not isinstance(read(question, FIRINGS), Answered)
