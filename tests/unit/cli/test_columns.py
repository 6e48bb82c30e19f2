"""A column reads the same from its first row to its last, and as a person writes it."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcpgen.cli.columns import written


@pytest.mark.parametrize(
    ("name", "kind", "values", "texts"),
    [
        ("revenue", "real", [131817.59, 121507.0, None], ["131,817.59", "121,507.00", "–"]),
        ("share", "real", [0.217, 0.2024, 0.2], ["0.2170", "0.2024", "0.2000"]),
        ("growth", "real", [12.0, 7.5, -3.0], ["12.0", "7.5", "-3.0"]),
        ("p_value", "real", [0.5, 8.7e-77], ["0.5", "8.7e-77"]),
        ("sum", "real", [3.0, float("inf")], ["3", "inf"]),
        ("units", "integer", [1200, -5], ["1,200", "-5"]),
        ("year", "integer", [2023, 2024], ["2023", "2024"]),
        ("order_id", "integer", [1001], ["1001"]),
        ("cents", "integer", ["9007199254740993"], ["9,007,199,254,740,993"]),
        ("month", "date", ["2024-01-01T00:00:00", "2024-02-01T00:00:00"], ["2024-01", "2024-02"]),
        ("day", "date", ["2024-01-01T00:00:00", "2024-02-01"], ["2024-01-01", "2024-02-01"]),
        ("at", "date", ["2024-01-01T00:00:00", "2024-02-01T09:30:00"], ["2024-01-01 00:00", "2024-02-01 09:30"]),
        ("paid", "boolean", [True, None], ["True", "–"]),
        ("shop", "text", ["2024", ""], ["2024", ""]),
        ("none", "real", [], []),
    ],
)
def test_the_values_of_a_column_are_written_alike(name: str, kind: str, values: list[Any], texts: list[str]) -> None:
    assert written(name, kind, values) == texts
