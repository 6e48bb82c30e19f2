"""The digest of a result: the same for a person's eyes is the same digest, and anything else is not."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.result_digest import result_digest

RESULT = pd.DataFrame(
    {
        "quarry": ["Nord", "Sued", None],
        "tons": [0.1 + 0.2, 1e300, None],
        "trips": [3, 2, 2**60],
        "paid": pd.array([True, None, False], dtype="boolean"),
        "day": pd.to_datetime(pd.Series(["2024-01-05", None, "2024-03-01 10:30"]), format="mixed"),
    }
)


def digest(table: pd.DataFrame, *, is_ordered: bool = False) -> str:
    return result_digest(table, is_ordered=is_ordered)


def test_last_digits_do_not_count() -> None:
    assert digest(RESULT) == digest(RESULT.assign(tons=[0.3, 1e300 * (1 + 1e-15), None]))


def test_what_is_left_of_amounts_that_cancel_out_is_nothing() -> None:
    once, other = (pd.DataFrame({"left": [value]}) for value in (0.0, 5.6e-17))

    assert digest(once) == digest(other)


@pytest.mark.parametrize("value", [1.0, 2.0, 0.5, 1024.0, -4.0])
def test_a_number_just_below_a_power_of_two_is_that_power(value: float) -> None:
    assert digest(pd.DataFrame({"x": [value]})) == digest(pd.DataFrame({"x": [value * (1 - 1e-16)]}))


def test_whole_numbers_are_the_same_as_decimals_of_their_value() -> None:
    assert digest(pd.DataFrame({"x": [1, 2]})) == digest(pd.DataFrame({"x": [1.0, 2.0]}))


def test_rows_in_another_order_are_the_same_only_where_no_order_is_asked_for() -> None:
    turned = RESULT.iloc[::-1].reset_index(drop=True)

    assert digest(RESULT) == digest(turned)
    assert digest(RESULT, is_ordered=True) != digest(turned, is_ordered=True)


def test_a_row_twice_is_not_the_row_once() -> None:
    assert digest(RESULT) != digest(pd.concat([RESULT, RESULT.head(1)], ignore_index=True))


@pytest.mark.parametrize(
    "change",
    [
        {"quarry": ["Nord", "Sued", ""]},
        {"quarry": ["Nord", "Sued", "None"]},
        {"tons": [0.3000001, 1e300, None]},
        {"tons": [0.3, 1e300, 0.0]},
        {"tons": [0.3, float("inf"), None]},
        {"trips": [3, 2, 2**60 + 1]},
        {"paid": pd.array([True, False, False], dtype="boolean")},
        {"day": pd.to_datetime(pd.Series(["2024-01-05", None, "2024-03-01 10:31"]), format="mixed")},
    ],
)
def test_another_value_is_another_digest(change: dict[str, object]) -> None:
    assert digest(RESULT) != digest(RESULT.assign(**change))


def test_another_name_is_another_digest() -> None:
    assert digest(RESULT) != digest(RESULT.rename(columns={"tons": "tonnes"}))


def test_a_result_without_rows_has_a_digest() -> None:
    assert digest(RESULT.head(0)) == digest(RESULT.head(0), is_ordered=True)
