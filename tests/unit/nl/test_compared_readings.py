"""What is compared: values and periods set side by side, gaps between two, changes, running figures and ranks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.planner import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Case
from jupyter_mcpgen.plan.ops import Derive

RANDOM = np.random.default_rng(11)
ROWS = 140
LOADS = profile(
    "quarry_loads",
    pd.DataFrame(
        {
            "load_no": range(5001, 5001 + ROWS),
            "weighed_on": pd.date_range("2023-01-03", periods=ROWS, freq="5D"),
            "pit": RANDOM.choice(["Alder", "Beech", "Cedar"], ROWS),
            "stone": RANDOM.choice(["slate", "marble", "flint"], ROWS),
            "revenue": RANDOM.integers(200, 900, ROWS),
            "cost": RANDOM.integers(50, 300, ROWS),
            "wet": RANDOM.choice([True, False], ROWS),
            "toll": np.where(np.arange(ROWS) % 3 == 0, np.nan, 12.5),
        }
    ),
)
PARISHES = profile(
    "parishes",
    pd.DataFrame(
        {
            "year": [2019, 2020, 2021, 2022] * 3,
            "parish": ["Nether", "Over", "Upper"] * 4,
            "births": [12, 30, 22, 15, 28, 25, 11, 35, 21, 19, 27, 30],
        }
    ),
)
PEAKS = profile("peaks", pd.DataFrame({"peak": ["Aldfell", "Borrin", "Cold Top"], "height_m": [912, 730, 655]}))


def said(question: str, table: Profile = LOADS) -> str:
    """Return the reading of a question; fails where it is asked back or refused."""
    meant = read(question, table)
    assert isinstance(meant, Answered), meant
    return say_plan(meant.winner.plan)


def sides(question: str) -> list[str]:
    """Return the names of the two sides that a question is read with."""
    meant = read(question, LOADS)
    assert isinstance(meant, Answered), meant
    steps = [step for step in meant.winner.plan.steps if isinstance(step, Derive) and isinstance(step.expression, Case)]
    return [str(branch.value.value) for branch in steps[0].expression.branches]  # type: ignore[union-attr]


OF_TWO = "where pit is Alder or Beech"
BY_MONTH = "sum of revenue by month of weighed_on, also for a month without rows"


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("revenue of Alder vs Beech", f"sum of revenue by pit, largest first, {OF_TWO}"),
        ("how do Alder and Beech compare in revenue", f"sum of revenue by pit, largest first, {OF_TWO}"),
        ("compare the average cost between Alder and Beech", f"mean of cost by pit, largest first, {OF_TWO}"),
        ("compare Alder and Beech by average cost", f"mean of cost by pit, largest first, {OF_TWO}"),
        ("average cost of Alder vs Beech by stone", f"mean of cost by stone and pit, {OF_TWO}"),
        ("do the pits differ in revenue", "sum of revenue by pit, largest first"),
        ("revenue vs cost by pit", "sum of revenue and sum of cost by pit, by sum_revenue largest first"),
        ("average revenue vs cost by pit", "mean of revenue and mean of cost by pit, by mean_revenue largest first"),
    ],
)
def test_values_are_set_side_by_side(question: str, reading: str) -> None:
    assert said(question) == reading


@pytest.mark.parametrize(
    "question",
    [
        "average cost of wet vs not wet loads",
        "compare the average cost between wet and not wet loads",
        "average cost of wet loads vs the others",
    ],
)
def test_yes_and_no_are_set_side_by_side(question: str) -> None:
    assert said(question) == "mean of cost by wet, largest first"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("average cost with a toll vs without a toll", ["with toll", "without toll"]),
        ("average cost with a toll vs without", ["with toll", "without toll"]),
        ("average cost of Alder vs the rest", ["Alder", "all others"]),
        ("average cost of Alder vs other pits by stone", ["Alder", "all others"]),
        ("cost on weekends vs weekdays", ["weekend", "weekday"]),
        ("cost in H1 2023 vs H1 2024", ["H1 2023", "H1 2024"]),
        ("cost in H1 vs H2 2024", ["H1", "H2 2024"]),
        (
            "number of loads before vs after March 2024",
            ["before March 2024", "after March 2024", "March 2024"],
        ),
    ],
)
def test_a_side_is_called_as_it_was_said(question: str, names: list[str]) -> None:
    assert sides(question) == names


@pytest.mark.parametrize(
    "question",
    [
        "revenue in March vs April 2024",
        "compare the revenue in March and April 2024",
        "how did the revenue in March 2024 compare with April 2024",
    ],
)
def test_periods_are_set_side_by_side(question: str) -> None:
    assert said(question).startswith("sum of revenue by month of weighed_on, where (weighed_on is at least 2024-03-01")


def test_two_quarters_of_a_year_are_each_in_that_year() -> None:
    assert said("revenue Q1 vs Q2 in 2024") == said("compare revenue of Q1 2024 with Q2 2024")


def test_the_gap_between_two_groups_is_shown_beside_both() -> None:
    assert said("difference between Alder and Beech in average cost") == (
        "mean of cost by pit, with change of mean_cost from the row before in the order of pit backwards, "
        f"by pit largest first, {OF_TWO}"
    )


def test_the_gap_between_two_rows_is_one_of_cells() -> None:
    assert said("difference in height between Aldfell and Borrin", PEAKS).startswith(
        "largest height_m_of_Aldfell and largest height_m_of_Borrin"
    )


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("3 month moving average of revenue", f"{BY_MONTH}, with moving average of sum_revenue over 3 months"),
        ("moving average of revenue over 3 months", f"{BY_MONTH}, with moving average of sum_revenue over 3 months"),
        (
            "revenue growth month over month",
            f"{BY_MONTH}, with change of sum_revenue from the month before in percent",
        ),
        (
            "year over year growth of revenue by month",
            f"{BY_MONTH}, with change of sum_revenue from 12 months before in percent",
        ),
        (
            "months in which the revenue fell by more than 20 %",
            f"{BY_MONTH}, with change of sum_revenue from the month before in percent, "
            "keeping those where percent_change is less than -20",
        ),
        (
            "months in 2024 where the revenue rose",
            f"{BY_MONTH}, with change of sum_revenue from the month before, keeping those where "
            "change is greater than 0 and month is at least 2024-01-01 and month is less than 2025-01-01",
        ),
        (
            "cumulative percentage of revenue by pit",
            "sum of revenue by pit, with share of sum_revenue in its total in percent, largest first, "
            "with running total of percent in the order of sum_revenue backwards",
        ),
        ("how did the revenue change", "sum of revenue by month of weighed_on"),
        (
            "rank the pits by average cost",
            "mean of cost by pit, with rank by mean_cost largest first, by rank smallest first",
        ),
    ],
)
def test_courses_go_along_the_periods(question: str, reading: str) -> None:
    assert said(question) == reading


def test_a_change_between_two_months_leaves_out_those_between() -> None:
    assert said("change in revenue from March 2024 to June 2024").endswith("where month is 2024-03-01 or 2024-06-01")


def test_what_changed_the_most_is_told_by_the_first_and_the_last_year() -> None:
    assert "where year is 2019 or 2022" in said("which parish increased its births the most", PARISHES)


@pytest.mark.parametrize(
    "question",
    [
        "cumulative average cost by month",  # a running total of averages
        "3 month moving average of revenue after 2024-03-15",  # a part of a month
        "t-test of total cost between Alder and Beech",  # a test of values, not of totals
        "Alder vs the rest of the year",
        "growth of tonnage by month",
        "compare Alder and Beech over time",  # which of the amounts
        "loads dropped by Alder",
        "revenue between Alder and Beech",
        "average cost from the moving average",
    ],
)
def test_what_does_not_hold_together_is_no_answer(question: str) -> None:
    assert not isinstance(read(question, LOADS), Answered)
