"""Units that stand in headers without brackets."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.data.headers import unit_in


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
