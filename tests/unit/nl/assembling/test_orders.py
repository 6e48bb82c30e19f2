"""Words with an order of their own are grouped, sorted and compared in it, alike in both engines."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan
from tests.engines import run_duckdb, run_pandas

FRAME = pd.DataFrame(
    {
        "priority": ["medium", "high", "low", "high", "low", None],
        "day": ["Sunday", "Monday", "Friday", "Monday", "Tuesday", "Friday"],
        "quarter": ["2024Q2", "2023Q4", "2024Q1", "2024Q1", "2023Q4", "2024Q2"],
        "due": ["Q2 2024", "Q4 2023", "Q1 2024", "Q1 2024", "Q4 2023", "Q2 2024"],
        "age": ["65+", "18-24", "under 18", "25-64", "18-24", "65+"],
        "region": ["north", "south", "north", "west", "south", "east"],
        "cost": [1, 2, 3, 4, 5, 6],
    }
)
TICKETS = profile("tickets", FRAME)


@pytest.mark.parametrize(
    ("question", "reading", "first_column"),
    [
        (
            "total cost by priority",
            "sum of cost by priority, by priority from low to high",
            ["low", "medium", "high"],
        ),
        (
            "bar chart of total cost by day",
            "sum of cost by day, by day from Monday to Sunday",
            ["Monday", "Tuesday", "Friday", "Sunday"],
        ),
        ("total cost by quarter", "sum of cost by quarter", ["2023Q4", "2024Q1", "2024Q2"]),
        (
            "total cost by due",
            "sum of cost by due, by due from Q4 2023 to Q2 2024",
            ["Q4 2023", "Q1 2024", "Q2 2024"],
        ),
        (
            "number of rows by age",
            "number of rows by age, by age from under 18 to 65+",
            ["under 18", "18-24", "25-64", "65+"],
        ),
        (
            "rows sorted by priority descending",
            "rows, by priority from high to low",
            ["high", "high", "medium", "low", "low", None],
        ),
        (
            "highest priority by region",
            "rows, by priority from low to high, then last priority by region, by max_priority from high to low",
            ["south", "west", "north", "east"],
        ),
        ("lowest priority", "rows, by priority from low to high, then first priority", ["low"]),
        ("which priority has the highest total cost", "sum of cost by priority, largest first, first one", ["low"]),
    ],
)
def test_words_with_an_order_stand_in_it(question: str, reading: str, first_column: list[str | None]) -> None:
    understood = read(question, TICKETS)

    assert isinstance(understood, Answered)
    plan = understood.winner.plan
    assert say_plan(plan) == reading
    rows = [run(plan, FRAME).iloc[:, 0] for run in (run_pandas, run_duckdb)]
    assert [[None if pd.isna(word) else word for word in column] for column in rows] == [first_column] * 2
