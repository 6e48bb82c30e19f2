"""What lasted from one column to another covers the years between them, and never what another column says."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.understand import understand

ABBOTS = pd.DataFrame(
    {
        "abbot": ["Anselm", "Bruno", "Clement", "Denis", "Egidius"],
        "order": ["black", "white", "black", "white", "white"],
        "elected": [1901, 1907, 1915, 1915, 1922],
        "resigned": pd.array([1907, 1915, 1915, 1922, None], dtype="Int64"),
    }
)
MEETS = pd.DataFrame(
    {
        "Meet": range(1, 7),
        "Opponent": ["Kestrels", "Martins", "Kestrels", "Martins", "Kestrels", "Martins"],
        "Result": ["W", "L", "L", "W", "W", "W"],
        "Record": ["1-0", "1-1", "1-2", "2-2", "3-2", "4-2"],
    }
)


def meant(question: str, name: str, table: pd.DataFrame) -> Understanding:
    return understand(question, profile(name, table))


def rows(question: str, name: str, table: pd.DataFrame) -> list[tuple[Any, ...]]:
    understood = meant(question, name, table)
    assert isinstance(understood, Answered), understood
    engine = Engine(table)
    try:
        found = engine.table(understood.winner.plan)
    finally:
        engine.close()
    return [tuple(None if pd.isna(cell) else cell for cell in row) for row in found.itertuples(index=False)]


@pytest.mark.parametrize(
    ("question", "abbots"),
    [
        ("who was abbot in 1905?", ["Anselm"]),
        ("who was abbot in 1907?", ["Anselm", "Bruno"]),
        ("who was abbot in 1990?", ["Egidius"]),
        ("who was abbot in 1890?", []),
        ("which abbots were in office between 1916 and 1921?", ["Denis"]),
        ("who is still in office?", ["Egidius"]),
        ("who served the longest?", ["Bruno"]),
        ("which abbot served the shortest?", ["Clement"]),
        ("which abbots served at least seven years?", ["Bruno", "Denis"]),
    ],
)
def test_an_office_is_held_from_its_first_year_to_its_last_and_on_without_an_end(
    question: str, abbots: list[str]
) -> None:
    assert [row[0] for row in rows(question, "abbots", ABBOTS)] == abbots


def test_how_long_an_office_was_held_is_the_years_between() -> None:
    assert rows("how long did Bruno serve?", "abbots", ABBOTS) == [("Bruno", 8, 1907, 1915)]
    assert rows("how many abbots served more than 6 years?", "abbots", ABBOTS) == [(2,)]


def test_a_column_that_says_how_long_is_never_passed_over() -> None:
    table = ABBOTS.assign(years_served=[6, 8, 1, 7, 90])

    understood = meant("who served the longest?", "abbots", table)

    assert not isinstance(understood, Answered) or "elected" not in str(understood.winner.plan.steps)


def test_a_noun_that_the_table_has_not_is_no_office() -> None:
    assert isinstance(meant("who was prior in 1905?", "abbots", ABBOTS), Refused)


def test_what_the_other_side_won_is_what_the_own_one_lost() -> None:
    assert rows("how many meets did they win?", "falcon_meets", MEETS) == [(4,)]
    assert rows("how many meets did the Kestrels win?", "falcon_meets", MEETS) == [(1,)]
    assert rows("how many meets did they lose against the Martins?", "falcon_meets", MEETS) == [(1,)]


def test_a_side_that_neither_the_table_nor_its_name_knows_is_not_counted_for() -> None:
    assert isinstance(meant("how many meets did the Otters win?", "falcon_meets", MEETS), Refused)


def test_a_record_of_the_own_side_is_not_told_of_the_other() -> None:
    assert len(rows("did they have a record of 2-2?", "falcon_meets", MEETS)) == 1
    assert rows("did they have a record of 9-2?", "falcon_meets", MEETS) == []
    assert isinstance(meant("did the Kestrels have a record of 2-2?", "falcon_meets", MEETS), Refused)
