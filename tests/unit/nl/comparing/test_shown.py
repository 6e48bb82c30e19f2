"""A condition on what is shown of a comparison does not change what is compared."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.understand import understand
from tests.unit.nl.questions import frame, said_one_after_the_other, table

TABLE = "pump_hours"


def _cells(meant: Understanding) -> list[list[object]]:
    assert isinstance(meant, Answered), meant
    engine = Engine(frame(TABLE))
    try:
        result = engine.table(meant.winner.plan)
    finally:
        engine.close()
    return [[str(value)[:10] if place == 0 else round(float(value), 2) for place, value in enumerate(row)]
            for row in result.itertuples(index=False)]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("3 month moving average of litres in May 2024", ["2024-05-01", 860.0, 858.33]),
        ("month over month change in litres in February 2024", ["2024-02-01", 780.0, 0.0]),
        ("running total of litres by month in March 2024", ["2024-03-01", 865.0, 4530.0]),
        ("rank the months by litres in June 2024", ["2024-06-01", 920.0, 1.0]),
    ],
)
def test_one_month_shows_the_value_that_it_has_among_all_months(question: str, row: list[object]) -> None:
    meant = understand(question, table(TABLE))

    assert _cells(meant) == [row]


def test_a_follow_up_that_keeps_one_month_keeps_its_value() -> None:
    meant = said_one_after_the_other(TABLE, "3 month moving average of litres by month", "only May 2024")

    assert _cells(meant) == [["2024-05-01", 860.0, 858.33]]


def test_a_part_of_a_month_is_not_compared_with_whole_months() -> None:
    meant = understand("3 month moving average of litres after 2024-03-15", table(TABLE))

    assert isinstance(meant, Refused)
