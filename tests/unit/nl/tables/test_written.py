"""Texts that write numbers, dates or truth are used as what they write where a question needs it, and it is said."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.labels import labels
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Asked
from jupyter_mcpgen.plan.english import say_plan
from tests.engines import run_duckdb, run_pandas

FRAME = pd.DataFrame(
    {
        "product": ["A", "B", "C", "A", "D", "E", "F", "G", "H", "I", "J", "K"],
        "price": ["$1,234.50", "$20", "n/a", "$5", "on request", "$1", "$1", "$1", "$1", "$2", "$3", "$4"],
        "ordered": ["25/12/2024", "01/02/2024", "03/02/2024", *["05/06/2024"] * 9],
        "shipped": ["03/04/2024", "01/02/2024", "05/02/2024", *["05/06/2024"] * 9],
        "insured": ["yes", "no", "yes", "no", *["no"] * 8],
        "growth": ["5%", "-2.5%", "1%", "0%", *["2%"] * 8],
    }
)
SALES = profile("sales", FRAME)
PRICE = "`price` is read as numbers like $1,234.5. 1 cell spells a missing value (“n/a”). 1 cell cannot be read so and"


@pytest.mark.parametrize(
    ("question", "reading", "answer"),
    [
        ("average price", "mean of price, with price read as numbers like $1,234.5", 127.25),
        ("highest price", "largest price, with price read as numbers like $1,234.5", 1234.5),
        (
            "how many rows where price is over 10",
            "number of rows, where price is greater than 10, with price read as numbers like $1,234.5",
            2,
        ),
        ("average growth", "mean of growth, with growth read as numbers like 1,234.5%", 1.625),
        (
            "number of rows where ordered is after 2024-12-01",
            "number of rows, where ordered is at least 2024-12-02, with ordered read as dates like 31/12/2024",
            1,
        ),
    ],
)
def test_texts_are_computed_with_as_what_they_write(question: str, reading: str, answer: float) -> None:
    understood = read(question, SALES)

    assert isinstance(understood, Answered)
    plan = understood.winner.plan
    assert say_plan(plan) == reading
    assert run_pandas(plan, FRAME).iloc[0, 0] == pytest.approx(answer)
    assert run_duckdb(plan, FRAME).iloc[0, 0] == pytest.approx(answer)


def test_cells_that_cannot_be_read_are_counted_and_shown() -> None:
    understood = read("average price", SALES)

    assert isinstance(understood, Answered)
    assert understood.winner.assumptions[-1] == f"{PRICE} counts as missing: “on request” (row 5)."


@pytest.mark.parametrize("question", ["number of rows by price", "how many rows where product is A"])
def test_texts_stay_texts_where_nothing_needs_more(question: str) -> None:
    understood = read(question, SALES)

    assert isinstance(understood, Answered)
    assert "read as" not in say_plan(understood.winner.plan)


def test_days_and_months_that_could_change_places_are_asked_about() -> None:
    understood = read("number of rows by month of shipped", profile("sales", FRAME.drop(columns="ordered")))

    assert isinstance(understood, Asked)
    assert [say_plan(option.plan) for option in understood.options] == [
        "number of rows by month of shipped, with shipped read as dates like 31/12/2024",
        "number of rows by month of shipped, with shipped read as dates like 12/31/2024",
    ]
    one, other = (option.plan for option in understood.options)
    assert labels(one, (other,)) == ("shipped read as dates like 12/31/2024",)


def test_the_other_dates_of_a_table_say_which_stands_first() -> None:
    understood = read("number of rows by month of shipped", SALES)

    assert isinstance(understood, Answered)
    assert understood.winner.assumptions[-1] == "`shipped` is read as dates like 31/12/2024."


def test_one_date_column_that_can_be_read_in_one_way_is_not_asked_about() -> None:
    understood = read("number of rows by month of ordered", SALES)

    assert isinstance(understood, Answered)
    assert understood.winner.assumptions[-1] == "`ordered` is read as dates like 31/12/2024."


MESSY = pd.DataFrame(
    {
        "active": ["Y", "N", "Y", "N", "Y", "Y"],
        "score": ["5", "n/a", "7", "?", "9", "8"],
        "price": ["$5", "7", "$9", "11", "$1", "$2"],
        "fee": ["1.234 €", "2.500 €", "3.100 €", "1.250 €", "2.250 €", "9.000 €"],
        "members": ["1.2k", "3M", "950", "2k", "1k", "5k"],
    }
)


@pytest.mark.parametrize(
    ("question", "answer", "note"),
    [
        ("how many are active", 4, "`active` is read as true (y) or false (n)."),
        ("how many rows have missing score", 2, "2 cells spell a missing value (“n/a”, “?”)."),
        ("average price", 35 / 6, "2 cells have no `$` and are read as if they had one."),
        ("total members", 3_010_150, "`members` is read as numbers like 1,234.5, M for 1,000,000, k for 1,000."),
    ],
)
def test_what_is_counted_and_read_is_said(question: str, answer: float, note: str) -> None:
    understood = read(question, profile("messy", MESSY))

    assert isinstance(understood, Answered)
    plan = understood.winner.plan
    assert [run(plan, MESSY).iloc[0, 0] for run in (run_pandas, run_duckdb)] == pytest.approx([answer, answer])
    assert understood.winner.assumptions[-1].endswith(note)


def test_numbers_that_may_be_a_thousand_times_larger_are_asked_about() -> None:
    fees = MESSY[["fee"]]
    understood = read("total fee", profile("fees", fees))

    assert isinstance(understood, Asked)
    assert understood.question.startswith("The numbers can be read in 2 ways: ")
    assert [run_pandas(option.plan, fees).iloc[0, 0] for option in understood.options] == pytest.approx([19.334, 19334])
