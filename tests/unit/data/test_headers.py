"""Units that stand in headers without brackets, and periods of which a figure is."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.data.headers import is_calendar_part, unit_in


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("Wind km/h", "km/h"),
        ("WIND KM/H", "KM/H"),
        ("Flow L/min", "L/min"),
        ("Sugar g/l", "g/l"),
        ("Fuel kWh/km", "kWh/km"),
        ("Account G/L", None),
        ("Birth m/d", None),
        ("Desk M/H", None),
    ],
)
def test_a_unit_of_each_of_another_is_told_from_letters_with_a_stroke(header: str, unit: str | None) -> None:
    assert unit_in(header) == unit


@pytest.mark.parametrize(
    ("header", "is_part"),
    [
        ("birth_year", True),
        ("Week", True),
        ("race_day", True),
        ("training_km_week", False),
        ("Study hours week", False),
        ("visits_last_month", False),
    ],
)
def test_an_amount_of_each_week_is_no_week_of_the_calendar(header: str, is_part: bool) -> None:
    assert is_calendar_part(header) is is_part
