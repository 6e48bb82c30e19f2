"""A result is looked at in an order and by conditions, as a person would expect of a table."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.errors import DecisionError
from jupyter_mcpgen.model.view import Comparison, Condition, Order, View
from jupyter_mcpgen.pipeline.look import seen

FIRINGS = pd.DataFrame(
    {
        "potter": ["ines", "Bo", None, "Ada"],
        "pots": [12, 7, 30, 7],
        "loss": [0.5, None, 0.25, 0.125],
        "fired": pd.to_datetime(["2024-03-31", "2024-04-01", "2023-12-24", None]),
        "glazed": [True, False, True, True],
        "month": [3, 4, 12, 3],
    }
)
TYPES = ("text", "integer", "real", "date", "boolean", "month")


def numbers(view: View) -> list[int]:
    """Return the places of the rows of a view in the result."""
    return [int(place) for place in seen(FIRINGS, TYPES, view).index]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (Order(column="potter"), [3, 1, 0, 2]),
        (Order(column="potter", descending=True), [0, 1, 3, 2]),
        (Order(column="pots"), [1, 3, 0, 2]),
        (Order(column="pots", descending=True), [2, 0, 1, 3]),
        (Order(column="loss"), [3, 2, 0, 1]),
        (Order(column="fired", descending=True), [1, 0, 2, 3]),
    ],
)
def test_rows_are_ordered_without_regard_to_case_equal_ones_stay_and_missing_ones_are_last(
    order: Order, expected: list[int]
) -> None:
    assert numbers(View(order=order)) == expected


@pytest.mark.parametrize(
    ("column", "comparison", "value", "expected"),
    [
        ("potter", Comparison.CONTAINS, "A", [3]),
        ("potter", Comparison.EQUALS, "bo", [1]),
        ("potter", Comparison.MISSING, "", [2]),
        ("potter", Comparison.PRESENT, "", [0, 1, 3]),
        ("pots", Comparison.AT_LEAST, "12", [0, 2]),
        ("pots", Comparison.AT_MOST, "1,000", [0, 1, 2, 3]),
        ("pots", Comparison.CONTAINS, "7", [1, 3]),
        ("loss", Comparison.AT_MOST, "0.25", [2, 3]),
        ("fired", Comparison.EQUALS, "2024", [0, 1]),
        ("fired", Comparison.AT_MOST, "2024-03", [0, 2]),
        ("fired", Comparison.AT_LEAST, "2024-04-01", [1]),
        ("glazed", Comparison.EQUALS, "no", [1]),
        ("month", Comparison.EQUALS, "Mar", [0, 3]),
        ("month", Comparison.AT_LEAST, "april", [1, 2]),
        ("month", Comparison.CONTAINS, "dec", [2]),
    ],
)
def test_a_condition_keeps_the_rows_that_meet_it(
    column: str, comparison: Comparison, value: str, expected: list[int]
) -> None:
    condition = Condition(column=column, comparison=comparison, value=value)

    assert numbers(View(conditions=(condition,))) == expected


def test_all_conditions_have_to_be_met_and_the_frame_stays_as_it_was() -> None:
    before = FIRINGS.copy()
    conditions = (
        Condition(column="pots", comparison=Comparison.EQUALS, value="7"),
        Condition(column="glazed", comparison=Comparison.EQUALS, value="true"),
    )

    assert numbers(View(order=Order(column="potter"), conditions=conditions)) == [3]
    pd.testing.assert_frame_equal(before, FIRINGS)


def test_a_column_is_found_by_the_name_that_the_card_writes() -> None:
    pivoted = pd.DataFrame({"potter": ["Ada", "Bo"], 2023: [1, 2], 2024: [4, 3]})

    assert list(seen(pivoted, ("text", "integer", "integer"), View(order=Order(column="2024"))).index) == [1, 0]


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("pots", "many", "`many` is not a number"),
        ("fired", "spring", "`spring` is not a date"),
        ("glazed", "blue", "neither true nor false"),
        ("kiln", "1", "no column `kiln`"),
    ],
)
def test_what_a_column_cannot_be_compared_with_is_said(column: str, value: str, said: str) -> None:
    condition = Condition(column=column, comparison=Comparison.AT_LEAST, value=value)

    with pytest.raises(DecisionError, match=said):
        numbers(View(conditions=(condition,)))
