"""What a row may be called, and how surely."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.nl.schema.facts import TableSchema
from tests.unit.nl.schema.tables import schema, schema_of_frame


def nouns_of(table: TableSchema) -> dict[str, float]:
    """Return what a row may be called, with what each costs."""
    return {" ".join(noun.words): noun.cost for noun in table.row.nouns}


def test_the_identifier_and_the_table_name_rows_without_a_doubt() -> None:
    nouns = nouns_of(schema("harbour_data", trip_id=[11, 12, 13, 15], load=[1, 2, 2, 1]))

    assert nouns["trip"] == nouns["harbour"] == 0
    assert list(nouns)[:2] == ["trip", "harbour"]


def test_a_name_that_is_different_in_each_row_names_rows() -> None:
    nouns = nouns_of(schema("export", boat_name=["Ida", "Ada", "Eva", "Uma"], load=[1, 2, 2, 1]))

    assert nouns["boat"] == 0


@pytest.mark.parametrize(
    ("table", "synonym"), [("clients", "customer"), ("rides", "trip"), ("films", "movie"), ("orders", "purchase")]
)
def test_synonyms_of_a_name_cost_a_little(table: str, synonym: str) -> None:
    assert nouns_of(schema(table, load=[1, 2, 2, 1]))[synonym] == 0.05


def test_a_sale_is_no_income() -> None:
    assert "income" not in nouns_of(schema("sales", load=[1, 2, 2, 1]))


def test_the_last_part_of_a_compound_names_rows() -> None:
    nouns = nouns_of(schema("riverboats", load=[1, 2, 2, 1]))

    assert nouns["boat"] == 0.05
    assert "boat" in nouns
    assert "at" not in nouns


@pytest.mark.parametrize(
    ("columns", "nouns"),
    [
        (("pickup_pier", "fare"), {"trip", "ride", "journey"}),
        (("salary", "job_title"), {"employee", "worker", "position"}),
        (("product", "qty", "unit_price"), {"sale", "order", "purchase", "transaction"}),
        (("tempo", "artist"), {"song", "track"}),
        (("opponent", "goals"), {"match", "game"}),
        (("rocket", "mission"), {"launch"}),
        (("bedrooms", "rent"), {"home", "listing"}),
        (("sensor", "humidity"), {"reading", "measurement"}),
        (("priority", "resolution_hours"), {"ticket", "request", "complaint"}),
    ],
)
def test_columns_tell_the_kind_of_a_table(columns: tuple[str, ...], nouns: set[str]) -> None:
    table = schema("export", **{name: ["n", "s", "n", "s"] for name in columns})

    found = nouns_of(table)

    assert {noun: found.get(noun) for noun in nouns} == dict.fromkeys(nouns, 0.1)


def test_one_column_tells_no_kind_of_a_table() -> None:
    assert nouns_of(schema("export", fare=[1.5, 2.5, 2.5, 1.5], colour=["n", "s", "n", "s"])) == {}


def test_the_columns_that_tell_a_kind_are_the_reason() -> None:
    table = schema("export", tempo=[90, 80, 90, 70], artist=["n", "s", "n", "s"])

    assert {noun.reason for noun in table.row.nouns} == {"there are `tempo`, `artist`"}


def test_what_a_column_is_called_no_row_is() -> None:
    table = schema("export", salary=[1, 2, 2, 1], job=["n", "s", "n", "s"], position=[1, 2, 2, 1])

    assert "position" not in nouns_of(table)
    assert "employee" in nouns_of(table)


@pytest.mark.parametrize(("every", "noun"), [("D", "day"), ("7D", "week"), ("MS", "month"), ("QS", "quarter")])
def test_rows_with_dates_of_their_own_are_called_as_the_dates_are_apart(every: str, noun: str) -> None:
    dates = pd.date_range("2023-01-01", periods=12, freq=every)

    table = schema_of_frame("export", pd.DataFrame({"logged": dates, "load": range(12)}))

    assert nouns_of(table)[noun] == 0.1


def test_rows_with_an_identifier_are_no_days() -> None:
    dates = pd.date_range("2023-01-01", periods=12)

    table = schema_of_frame("export", pd.DataFrame({"slip_id": range(5, 17), "logged": dates}))

    assert nouns_of(table) == {"slip": 0}


def test_a_noun_that_describes_several_others_names_rows() -> None:
    table = schema("export", ride_date=["2023-01-01"] * 4, ride_cost=[1.5, 2.5, 2.5, 1.5], deck_length=[1, 2, 2, 1])

    nouns = nouns_of(table)

    assert (nouns["ride"], nouns["deck"]) == (0.15, 0.2)


def test_forms_of_verbs_and_adjectives_describe_no_rows() -> None:
    table = schema("export", created_by=["n", "s", "n", "s"], total_cost=[1, 2, 2, 1], long_text=["n", "s", "n", "s"])

    assert nouns_of(table) == {}


def test_a_thing_of_several_rows_hardly_names_one() -> None:
    table = schema("customers", customer_id=[7, 7, 8, 8], customer_city=["n", "n", "s", "s"], load=[1, 2, 3, 4])

    assert nouns_of(table) == {"customer": 0.2}
