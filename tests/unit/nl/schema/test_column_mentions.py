"""Where a question mentions columns, and how surely."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.schema.mentions import column_mentions
from jupyter_mcpgen.nl.text.tokens import tokenize
from tests.unit.nl.schema.tables import schema

TABLE = schema(
    "trips",
    trip_id=[11, 12, 13, 15],
    customer__name=["Ida", "Ada", "Eva", "Uma"],
    unit_cost=[1.5, 2.5, 3.5, 2.5],
    qty=[1, 2, 3, 2],
    home_load=[1, 2, 3, 4],
    away_load=[1, 2, 3, 4],
    birth_date=["2001-01-01", "2001-01-02", "2001-01-03", "2001-01-04"],
    zip_code=["10115", "20095", "80331", "50667"],
    cost__per__mile=[1.5, 2.5, 3.5, 2.5],
    growth=[1.5, 2.5, 3.5, 2.5],
    load__2020=[3, 4, 5, 6],
    ctr=[0.5, 0.25, 0.75, 0.5],
    days__at__sea=[4, 8, 2, 6],
)


def costs_of(words: str) -> dict[str, float]:
    """Return the columns that a whole text mentions, with their costs."""
    tokens = tokenize(words)
    found = column_mentions(tokens, TABLE)
    return {one.column: one.cost for one in found if (one.first, one.last) == (0, len(tokens))}


@pytest.mark.parametrize(
    ("words", "column", "least", "most"),
    [
        ("customer name", "customer name", 0, 0),
        ("Customer Names", "customer name", 0.01, 0.05),
        ("customers", "customer name", 0.01, 0.05),
        ("qty", "qty", 0, 0),
        ("quantity", "qty", 0.2, 0.2),
        ("client name", "customer name", 0.15, 0.2),
        ("grow", "growth", 0.3, 0.3),
        ("zipcode", "zip_code", 0, 0.05),
        ("zipcodes", "zip_code", 0.01, 0.31),
        ("date of birth", "birth_date", 0, 0.06),
        ("dob", "birth_date", 0.2, 0.3),
        ("cost per mile", "cost per mile", 0, 0),
        ("cpm", "cost per mile", 0.2, 0.2),
        ("click through ratio", "ctr", 0.2, 0.2),
        ("custamer", "customer name", 0.5, 0.55),
        ("load", "home_load", 0.1, 0.3),
        ("load", "away_load", 0.1, 0.3),
        ("home load", "home_load", 0, 0),
        ("load at home", "home_load", 0.01, 0.1),
        ("load 2020", "load 2020", 0, 0),
        ("days at sea", "days at sea", 0, 0),
        ("name", "customer name", 0.6, 1),
    ],
)
def test_a_mention_costs_what_is_different_and_what_is_left_out(
    words: str, column: str, least: float, most: float
) -> None:
    assert least <= costs_of(words).get(column, 1) <= most


@pytest.mark.parametrize("words", ["home cost", "the customer", "of birth", "2020", "at", "grows fast"])
def test_words_that_are_not_all_in_a_header_mention_no_column(words: str) -> None:
    assert costs_of(words) == {}


def test_a_word_for_groups_parts_two_columns() -> None:
    table = schema("costs", department=["n", "s"], dept__budget=[1, 2])

    found = [(one.first, one.last) for one in column_mentions(tokenize("budget by department"), table)]

    assert (0, 3) not in found
    assert {(0, 1), (2, 3)} <= set(found)


def test_the_noun_of_a_header_mentions_it_more_surely_than_what_describes_it() -> None:
    assert costs_of("cost")["unit_cost"] < costs_of("unit")["unit_cost"]


def test_a_quoted_text_mentions_the_column_of_this_name_only() -> None:
    assert costs_of("`Home_Load`") == {"home_load": 0}
    assert costs_of("'home'") == {}


def test_a_word_that_is_known_or_fits_is_no_typo_of_another() -> None:
    table = schema("shops", parks=["n", "s"], prick=[1, 2])

    found = column_mentions(tokenize("park price"), table)

    assert [(one.first, one.column) for one in found] == [(0, "parks")]


def test_mentions_are_in_the_order_of_the_question_each_once() -> None:
    found = column_mentions(tokenize("unit cost and qty by customer"), TABLE)
    spans = [(one.first, one.last, one.column) for one in found]

    assert spans == sorted(set(spans))
    assert (0, 2, "unit_cost") in spans
