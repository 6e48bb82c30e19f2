"""What is said beside a plan is about the one column of what it came to, and refused where two columns fit."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.reading import Answered, Refused
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan

JOBS = pd.DataFrame(
    {
        "job": ["Roof", "Gate", "Well", "Barn", "Path"],
        "budget": [10, 20, 30, 40, 50],
        "spent": [12, 18, 33, 39, 55],
        "target": [5, 6, 7, 8, 9],
        "actual": [4, 7, 6, 9, 8],
    }
)


@pytest.mark.parametrize("question", ["jobs over budget", "how many jobs went over budget", "jobs under budget"])
def test_which_of_two_columns_is_set_beside_a_budget_is_never_guessed(question: str) -> None:
    understood = understand(question, profile("jobs", JOBS))

    assert isinstance(understood, Refused)
    assert "`spent` / `actual`" in understood.message


@pytest.mark.parametrize(
    ("question", "left_out", "condition"),
    [
        ("jobs over budget", "actual", "where spent is greater than budget"),
        ("jobs over budget", "spent", "where actual is greater than budget"),
        ("jobs below target", "budget", "where actual is less than target"),
        ("jobs where `spent` is above `budget`", "target", "where spent is greater than budget"),
    ],
)
def test_the_only_column_that_fits_is_set_beside_the_plan(question: str, left_out: str, condition: str) -> None:
    understood = understand(question, profile("jobs", JOBS.drop(columns=left_out)))

    assert isinstance(understood, Answered)
    assert say_plan(understood.winner.plan).endswith(condition)
