"""Which readings over the other rows of a table are about these, and how names that are periods are quoted."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.authors.author import NearForms
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.authors.reshaped import with_names_quoted
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import DataKind, DataRef, Request

UNITS = pd.DataFrame(
    {
        "product": ["a", "b", "c"],
        "price": [5, 6, 7],
        **{f"{year} units": [year % 7, year % 5, year % 3] for year in (2021, 2022, 2023)},
        **{f"{year} revenue": [1.5, year % 9, year % 4] for year in (2021, 2022, 2023)},
    }
)
MONTHS = pd.DataFrame({"product": ["a", "b", "c"], "Jan": [1, 2, 3], "Feb": [2, 3, 4], "Mar": [3, 4, 5]})


def understood(known: Profile, question: str) -> Intent | NearForms | OpenQuestion:
    data = DataRef(kind=DataKind.FRAME, name=known.name, path="t.parquet")
    request = Request(request_id="r", question=question, data=data, asked_at="2026-01-22T10:00:00+00:00")
    return EmbeddedAuthor().understand(request, known)


def read(known: Profile, question: str) -> Intent | NearForms:
    meant = understood(known, question)
    assert isinstance(meant, Intent | NearForms), meant
    return meant


def test_each_row_of_names_is_a_column_of_its_own() -> None:
    known = profile("shop", UNITS)

    readings = [read(known, question) for question in ("total units by year", "average revenue by year and product")]

    assert [each.reading for each in readings if isinstance(each, Intent)] == [
        "sum of units by year, the columns 2021 units to 2023 units taken as one column `year`, their cells as `units`",
        "mean of revenue by year and product, the columns 2021 revenue to 2023 revenue taken as one column `year`, "
        "their cells as `revenue`",
    ]


def test_a_column_that_no_word_names_is_not_taken_for_all_of_them() -> None:
    meant = read(profile("shop", UNITS), "which product had the most units")

    assert isinstance(meant, Intent)
    assert meant.reading.startswith("sum of units by product, largest first, first one, the columns 2021 units to")


def test_another_number_of_the_table_is_not_read_over_its_cells() -> None:
    meant = understood(profile("shop", UNITS), "total price by year")

    assert isinstance(meant, OpenQuestion)
    assert [each.reading for each in meant.intents] == ["sum of price"]
    assert "`2021 units` to `2023 units` can be asked about as `year` and `units`" in meant.refusal


def test_months_are_in_the_order_of_the_calendar() -> None:
    meant = read(profile("units", MONTHS), "trend by month")

    assert isinstance(meant, Intent)
    assert meant.reading == (
        "sum of value by month, by month from Jan to Dec, the columns Jan to Mar taken as one column `month`, "
        "their cells as `value`"
    )


def test_two_months_may_be_shown_or_compared() -> None:
    meant = read(profile("units", MONTHS), "Jan vs Mar")

    assert isinstance(meant, NearForms)
    assert [reading.reading.split(",")[0] for reading in meant.readings] == ["Mar", "sum of value by month"]


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("average 2021", "average `2021`"),
        ("2019 vs 2021?", "`2019` vs `2021`?"),
        ("average `2021`", "average `2021`"),
        ("sales on 2021-05-01", "sales on 2021-05-01"),
        ("more than 2021.5", "more than 2021.5"),
        ("more than 12021", "more than 12021"),
    ],
)
def test_names_that_are_numbers_are_quoted(question: str, quoted: str) -> None:
    known = profile("t", pd.DataFrame({"2019": [1, 2], "2020": [1, 2], "2021": [1, 2]}))

    assert with_names_quoted(question, known) == quoted
