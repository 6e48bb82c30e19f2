"""A question changes the one before only where it is asked to, and never where it names its own figure."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.runtime import Runtime

MARKETS = pd.DataFrame(
    {
        "town": ["Aske", "Borre", "Aske", "Dale", "Borre", "Dale"],
        "stall": ["fish", "bread", "bread", "fish", "fish", "bread"],
        "visitors": [50, 80, 20, 90, 70, 40],
        "takings": [510.0, 230.0, 120.0, 950.0, 640.0, 180.0],
    }
)


def reading(runtime: Runtime, question: str, *, follow: bool) -> str:
    return runtime.compute(question, runtime.reference("markets", MARKETS), follow=follow).intent.reading


@pytest.mark.soak
def test_two_questions_do_not_colour_each_other(runtime: Runtime) -> None:
    reading(runtime, "total takings by town", follow=False)

    assert reading(runtime, "by stall", follow=False) == "number of rows by stall, largest first"


def test_a_fragment_changes_the_question_before_where_it_may(runtime: Runtime) -> None:
    reading(runtime, "total takings by town", follow=False)

    assert reading(runtime, "by stall", follow=True) == "sum of takings by stall, largest first"


@pytest.mark.soak
def test_a_question_that_names_its_own_figure_changes_nothing(runtime: Runtime) -> None:
    reading(runtime, "average visitors by stall", follow=False)

    assert reading(runtime, "top 2 towns by takings", follow=True) == "sum of takings by town, largest first, first 2"
