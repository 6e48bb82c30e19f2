"""What the values of a column are about, and why nothing is computed with some, is told by the values alone."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import ColumnProfile, Kind


def column(words: list[str], name: str = "where") -> ColumnProfile:
    return profile("t", pd.DataFrame({name: words})).column(name)


@pytest.mark.parametrize(
    "words",
    [
        ["Kenya", "Peru", "Malta"],
        ["Frankreich", "Japan", "Österreich"],
        ["DE", "FR", "JP"],
        ["DEU", "FRA", "JPN"],
        ["Kenya", "Peru", "elsewhere"],
    ],
)
def test_countries_are_known_by_their_names_and_codes(words: list[str]) -> None:
    assert column(words).kind is Kind.COUNTRY


@pytest.mark.parametrize(
    "words",
    [["CA", "DE", "IN", "GA"], ["en", "de", "fr"], ["Lima", "Oslo", "Peru"], ["DE", "FR"], ["Chad", "Anna", "Ben"]],
)
def test_states_languages_cities_and_people_are_no_countries(words: list[str]) -> None:
    assert column(words).kind is not Kind.COUNTRY


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["5 kg", "300 g"], "mixes numbers in `g` and `kg`"),
        (["$5", "€7", "£1"], "mixes numbers in `$`, `£` and `€`"),
        (
            ['{"kind": "a", "size": 1}', '{"kind": "b"}', '{"kind": "c"}', '{"kind": "d"}', "lost"],
            "holds JSON objects with the keys `kind`, `size`, and cells that are none, such as “lost”",
        ),
    ],
)
def test_what_keeps_texts_from_being_computed_with_is_named(words: list[str], reason: str) -> None:
    hindrance = column(words).hindrance

    assert hindrance is not None
    assert hindrance.reason == reason


@pytest.mark.parametrize("words", [["5 kg", "6 kg"], ["north", "south"], ["A1", "B2"], ["5 kg", "red", "blue"]])
def test_other_texts_have_no_such_reason(words: list[str]) -> None:
    assert column(words).hindrance is None
