"""The table's own name behind a question is no group, also where a column is called like it."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import table


@pytest.mark.parametrize(
    "question",
    ["outliers in total yield by bench", "average height by variety", "fill missing height with the median"],
)
@pytest.mark.parametrize("behind", ["from plants", "in plants"])
def test_a_table_that_is_named_like_its_column_groups_nothing(question: str, behind: str) -> None:
    plants = table("greenhouse_trial").model_copy(update={"name": "plants"})

    alone, named = understand(question, plants), understand(f"{question} {behind}", plants)

    assert isinstance(alone, Answered)
    assert isinstance(named, Answered)
    assert say_plan(named.winner.plan) == say_plan(alone.winner.plan)
