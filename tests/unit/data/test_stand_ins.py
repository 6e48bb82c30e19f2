"""Numbers that stand in for a missing value are found by how far they lie from the others, and never among them."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.stand_ins import find_stand_ins

LEVELS = [float(level) for level in range(140, 160)]


def found(*numbers: float) -> list[tuple[float, int]]:
    return [(one.value, one.rows) for one in find_stand_ins(pd.Series(numbers).value_counts())]


@pytest.mark.parametrize(
    "number", [-999, 999, 9999, -9999, 8888, 777777, -32768, 32767, 65535, -2147483648, 2**31 - 1, -99, -200, -1000]
)
@pytest.mark.parametrize("times", [1, 3])
def test_a_number_that_programs_write_for_nothing_is_found_far_from_the_others(number: int, times: int) -> None:
    assert found(*LEVELS, *[number] * times) == [(number, times)]


def test_several_of_them_are_found_together() -> None:
    assert found(*LEVELS, -999, -999, -9999, 65535) == [(-9999, 1), (-999, 2), (65535, 1)]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([*LEVELS, -500, -500], [(-500, 2)]),
        ([*LEVELS, -35, -35], [(-35, 2)]),
        ([*LEVELS, 12345, 12345], [(12345, 2)]),
        ([*LEVELS, 12345], []),
        ([*LEVELS, 300, 300], []),
        ([*LEVELS[:5], 12345, 12345], []),
        ([*LEVELS, -1, -1], [(-1, 2)]),
        ([*range(20), -1, -1, -1], []),
        ([-300, -150, 50, 250, 999, -200], []),
        ([5, 700, 999, 2_000], []),
        ([*LEVELS, *[-999] * 30], []),
        ([1, 2, -999], []),
        ([], []),
        ([1.0, 2.0, 3.0, float("inf"), -999], [(-999, 1)]),
        ([20, 35, 40, 61, -77.5], []),
    ],
)
def test_other_numbers_are_found_where_they_repeat_far_away_and_not_among_the_others(
    numbers: list[float], expected: list[tuple[float, int]]
) -> None:
    assert found(*numbers) == expected
