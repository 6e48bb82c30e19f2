"""The number that a question has in a list is no part of the question."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import table


@pytest.mark.parametrize("number", ["3. ", "3) ", "(3) ", "Q3. ", "c) "])
def test_a_number_in_a_list_is_no_filter_on_a_number_of_the_table(number: str) -> None:
    meant = understand(f"{number}What is the average height?", table("quay_crates"))

    assert isinstance(meant, Answered)
    assert say_plan(meant.winner.plan) == "mean of height_cm"


def test_an_ordinal_of_a_language_that_writes_it_with_a_point_stays() -> None:
    numbered = understand("1. Quartal 2024 Umsatz", table("sales"), "de")
    bare = understand("Quartal 2024 Umsatz", table("sales"), "de")

    assert numbered != bare
