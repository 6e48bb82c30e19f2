"""What a row of a table is."""

from __future__ import annotations

from jupyter_mcpgen.nl.schema.rows import Thing
from tests.unit.nl.schema.tables import schema


def test_an_identifier_that_repeats_names_a_thing_and_no_row() -> None:
    row = schema("trips", boat_id=[7, 7, 8, 8], boat__name=["Ida", "Ida", "Ada", "Ada"], load=[1, 2, 3, 4]).row

    assert row.nouns[0].words == ("trip",)
    assert row.things == row.repeated == (Thing(("boat",), "boat_id", "boat name"),)


def test_an_identifier_with_a_few_doubles_is_that_of_rows() -> None:
    row = schema("trips", boat_id=[*range(10, 50), 49], load=list(range(41))).row

    assert row.things == (Thing(("boat",), "boat_id", None),)
    assert row.repeated == ()


def test_two_columns_may_tell_rows_apart_together() -> None:
    row = schema("loads", boat=["Ida", "Ida", "Ada", "Ada"], pier=["n", "s", "n", "s"], load=[1, 2, 3, 4]).row

    assert row.keys == (("boat", "pier"),)


def test_what_is_always_the_same_for_a_thing_depends_on_it() -> None:
    boats = ["Ida", "Ada", "Eva", "Uma", "Ina"] * 8
    homes = ["n", "s", "n", "w", "s"] * 8
    loads = [n % 7 for n in range(40)]

    row = schema("trips", boat=boats, home=homes, load=loads).row

    assert row.depends("home", "boat")
    assert not row.depends("boat", "home")
    assert not row.depends("load", "boat")


def test_what_agrees_by_chance_depends_on_nothing() -> None:
    row = schema("trips", boat=["Ida", "Ida", "Ada", "Eva"], home=["n", "n", "s", "s"]).row

    assert not row.depends("home", "boat")
