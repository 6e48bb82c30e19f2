"""Which columns name persons or places."""

from __future__ import annotations

import pytest

from tests.unit.nl.schema.tables import schema

TEXTS = ["Ida", "Ada", "Eva", "Uma", "Ida", "Ada"]
NUMBERS = [11, 12, 13, 15, 11, 12]


@pytest.mark.parametrize(
    "header", ["skipper", "Sailor", "guest_name", "surname", "directed by", "crew_captain", "owner of boat", "client"]
)
def test_a_column_of_texts_names_persons_by_its_noun_or_by_what_they_did(header: str) -> None:
    assert schema("moorings", load=NUMBERS, **{header: TEXTS}).persons == (header,)


@pytest.mark.parametrize("header", ["guest_city", "captain_rank", "customer_type", "sailors", "stand by", "boat"])
def test_what_a_person_has_is_no_person(header: str) -> None:
    cells = NUMBERS if header == "sailors" else TEXTS

    assert schema("moorings", load=NUMBERS, **{header: cells}).persons == ()


def test_names_come_before_identifiers() -> None:
    table = schema("moorings", sailor_id=NUMBERS, load=[1, 2, 3, 4, 5, 6], agent=TEXTS)

    assert table.persons == ("agent", "sailor_id")


@pytest.mark.parametrize("header", ["venue", "home_port", "pier", "Site", "harbour name"])
def test_a_column_of_texts_names_places_by_its_noun(header: str) -> None:
    assert schema("moorings", load=NUMBERS, **{header: TEXTS}).places == (header,)


def test_known_places_come_before_what_is_only_called_so() -> None:
    table = schema("moorings", pier=TEXTS, country=["France", "Spain", "Italy", "Malta", "France", "Spain"])

    assert table.places == ("country", "pier")


def test_what_is_called_a_place_comes_first() -> None:
    table = schema("moorings", country=["France", "Spain", "Italy", "Malta", "France", "Spain"], location=TEXTS)

    assert table.places == ("location", "country")


def test_what_stands_at_a_place_is_none() -> None:
    assert schema("moorings", pier_keeper=TEXTS, port_fee=NUMBERS).places == ()
