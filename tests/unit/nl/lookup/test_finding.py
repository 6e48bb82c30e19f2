"""What a look-up finds in a question: words, numbers, names of columns, values, limits."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.lookup.names import header_words
from jupyter_mcpgen.nl.lookup.scene import Scene, scene_of
from jupyter_mcpgen.nl.lookup.table import table_of
from jupyter_mcpgen.nl.lookup.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.lookup.words import numbers_in, plain_words, split_question
from tests.unit.nl.questions import table

TIDES = pd.DataFrame(
    {
        "Harbour": ["Åsgård Quay", "Old Pier", "The Mole", "Quay 7", "Total"],
        "Gauge No.": [11, 12, 13, 14, 15],
        "High (m)": [3.2, 0.5, 2.75, 12.0, 5.0],
        "orderDate": ["x", "y", "z", "no", "yes"],
        "Class": ["A", "B", "A", "C", "B"],
    }
)


def scene(question: str) -> Scene:
    return scene_of(question, table_of(profile("tides", TIDES)))


def found(question: str) -> dict[str, list[str]]:
    """Return the values found in a question, by their words, with the columns that have them."""
    seen = scene(question)
    return {
        " ".join(word.text for word in seen.words[value.start : value.end]): [cells.column for cells in value.cells]
        for value in seen.values
    }


def named(question: str) -> set[str]:
    return {name.column for name in scene(question).names if name.whole}


def test_words_are_compared_without_case_accents_and_punctuation() -> None:
    assert plain_words("Åsgård–Quay (No. 7)") == ("asgard", "quay", "no", "7")
    assert plain_words("Ormøy Straße") == ("ormoy", "strasse")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("U.S. rank", ("us", "rank")),
        ("J.R. Moe", ("jr", "moe")),
        ("60GB on the 2nd of the 1990s", ("60", "gb", "on", "the", "2nd", "of", "the", "1990s")),
        ("30 km^2 or km²", ("30", "km2", "or", "km2")),
        ("at 2pm", ("at", "2", "pm")),
    ],
)
def test_initials_and_powers_are_one_word_and_a_unit_is_its_own(text: str, words: tuple[str, ...]) -> None:
    assert plain_words(text) == words
    assert tuple(word.text for word in split_question(text)) == words


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("more than 1,250.5 or -3", [1250.5, -3]),
        ("a rate of .75", [0.75]),
        ("the 7th of 12", [12]),
        ("from 10-12", [10, 12]),
        ("version 1.2.3x", []),
    ],
)
def test_numbers_are_read_as_they_are_written(text: str, numbers: list[float]) -> None:
    assert [number.value for number in numbers_in(text, split_question(text))] == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("mehr als 1.250,5 oder -3", [1250.5, -3]), ("5.000 Plätze", [5000]), ("am 12.05.1999", [])],
)
def test_numbers_with_a_decimal_comma_are_read_as_they_are_written(text: str, numbers: list[float]) -> None:
    found = numbers_in(text, split_question(text), decimal_comma=True)

    assert [number.value for number in found] == numbers


@pytest.mark.parametrize(
    ("language", "word", "head"), [("de", "baujahr", "jahr"), ("de", "kapitan", "kapitan"), ("en", "season", "season")]
)
def test_a_compound_is_what_its_last_part_is(language: str, word: str, head: str) -> None:
    assert head in load_vocabulary(language).heads(word)


def test_english_nouns_are_no_compounds() -> None:
    assert load_vocabulary("en").heads("season") == {"season"}


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("No. of pts", ("number", "of", "point")),
        ("orderDate", ("order", "date")),
        ("unit_price_usd", ("unit", "price", "usd")),
        ("Freq (MHz)", ("freq", "mhz")),
        ("Winner(s)", ("winner",)),
        ("W", ("win",)),
        ("L3 cache", ("l3", "cache")),
    ],
)
def test_a_header_is_split_into_plain_words(header: str, words: tuple[str, ...]) -> None:
    assert header_words(header, load_vocabulary("en")) == words


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("what is the gauge number", {"Gauge No."}),
        ("what is the order date", {"orderDate"}),
        ("what are the classes", {"Class"}),
        ("what is the harbuor", {"Harbour"}),
        ("what is the weather", set()),
    ],
)
def test_a_column_is_found_by_other_forms_of_its_name(question: str, columns: set[str]) -> None:
    assert named(question) == columns


def test_a_misspelt_name_is_read_as_what_is_meant_and_said() -> None:
    assert scene("what is the harbuor of class A").notes == ("“harbuor” is read as “harbour”.",)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("what is the class of ASGARD QUAY?", {"asgard quay": ["Harbour"]}),
        ("what is the class of quay 7", {"quay 7": ["Harbour"]}),
        ("what is the class of Mole", {"mole": ["Harbour"]}),
        ("which harbour has gauge 13", {"13": ["Gauge No."]}),
        ("which harbour has a high of 2.75 m", {"2 75": ["High (m)"]}),
        ("which harbour is a class A harbour", {"a": ["Class"]}),
        ("which harbour has a high of 12", {"12": ["Gauge No.", "High (m)"]}),
        ("which harbour has no gauge", {}),
    ],
)
def test_a_value_is_found_by_its_words(question: str, values: dict[str, list[str]]) -> None:
    assert found(question) == values


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("gauge over 12", [">12"]),
        ("gauge of at least 12", [">=12"]),
        ("gauge 12 or more", [">=12"]),
        ("a gauge larger than number 12", [">12"]),
        ("more gauge than 12", [">12"]),
        ("no more than 12", ["<=12"]),
        ("built before year 12", ["<12"]),
        ("gauge < 12", ["<12"]),
        ("gauge between 12 and 14", [">=12", "<=14"]),
        ("gauge of 12 and more than 14", [">14"]),
        ("gauge is 12", []),
    ],
)
def test_a_limit_is_told_from_a_value(phrase: str, said: list[str]) -> None:
    assert [f"{bound.op.value}{bound.number.value}" for bound in scene(f"which harbour has a {phrase}").bounds] == said


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("who sails from Boreas", "person"),
        ("when was it built", "time"),
        ("where is it", "place"),
        ("when Ada wins, who loses?", "person"),
        ("what is the route when it is full", None),
    ],
)
def test_the_question_word_tells_the_kind_of_answer(question: str, asks: str | None) -> None:
    assert scene_of(question, table_of(table("ferries"))).asks == asks
