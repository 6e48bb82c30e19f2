"""A year that a question names, over a table in which another number happens to be the same."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan

DAYS = ("2023-01-02", "2023-03-06", "2024-02-05", "2024-06-03", "2023-05-01", "2024-07-01")
PODCASTS = pd.DataFrame(
    {
        "aired": pd.to_datetime(list(DAYS)),
        "host": ["Mel", "Sven", "Mel", "Kai", "Kai", "Sven"],
        "topic": ["news", "news", "tech", "news", "tech", "tech"],
        "downloads": [1500, 2023, 900, 2400, 700, 650],
    }
)


@pytest.mark.parametrize("question", ["hosts who did news in 2023", "which host did news in 2023"])
def test_a_year_behind_in_is_no_number_of_a_column_beside_dates(question: str) -> None:
    meant = read(question, profile("podcasts", PODCASTS))

    said = say_plan(meant.winner.plan) if isinstance(meant, Answered) else ""
    assert "downloads is 2023" not in said


def test_a_number_beside_the_name_of_its_column_is_no_year() -> None:
    meant = read("which host had 2023 downloads", profile("podcasts", PODCASTS))

    assert isinstance(meant, Answered)
    assert "downloads is 2023" in say_plan(meant.winner.plan)
