"""What a look-up answers, what it only offers, and what it never drops."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.lookup.reader import Looked, look_up
from jupyter_mcpgen.nl.lookup.rows import Rows
from jupyter_mcpgen.nl.lookup.settle import SURE
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.nl.text.tokens import MAX_TOKENS
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import table

ROWS = 12_000


def best(question: str, name: str = "ferries") -> Looked:
    return look_up(question, table(name))[0]


def register() -> Profile:
    """Return a long table of which most names occur once."""
    numbers = range(ROWS)
    return profile(
        "register",
        pd.DataFrame(
            {
                "Owner": [f"Owner {number:05}" for number in numbers],
                "Plot": [number * 3 + 1 for number in numbers],
                "District": [("North", "South", "West")[number % 3] for number in numbers],
            }
        ),
    )


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what is the speed of the Pelican in 2007", ("2007",)),
        ("what is the speed of the Pelican under Olsen", ("Olsen",)),
        ('what is the "draught" of the Pelican', ("draught",)),
        ("what is the speed of the Pelican except on Mondays", ("except", "Mondays")),
        ("which ship can't Jon Eide sail", ("t",)),
        ("what is the second speed of the Pelican", ("second",)),
        ("what is the speed by operator", ("by",)),
    ],
)
def test_numbers_names_quotes_and_words_that_restrict_are_never_dropped(question: str, words: tuple[str, ...]) -> None:
    assert set(words) <= set(best(question).blocking)
    if "by" not in words:  # which is a figure per group, and the parser's
        assert not isinstance(read(question, table("ferries")), Answered)


def test_an_ordinary_word_that_is_left_out_costs_and_is_said() -> None:
    plain, more = best("what is the speed of the Pelican"), best("what is the usual speed of the Pelican")

    assert plain.reading.cost < more.reading.cost
    assert more.reading.assumptions == ("Not used: “usual”.",)


def test_a_text_that_is_no_question_is_left_to_the_parser() -> None:
    assert not best("Pelican speed").is_whole
    assert best("what is the Pelican speed").is_whole


def test_two_values_of_one_column_are_no_look_up() -> None:
    plans = [
        say_plan(found.reading.plan) for found in look_up("what is the speed of Pelican and MV Echo", table("ferries"))
    ]

    assert [plan for plan in plans if "Pelican and Ship" in plan] == []


def test_an_answer_that_is_hardly_ahead_of_another_costs() -> None:
    assert best("which one has 980 passengers").reading.cost > best("which ship has 980 passengers").reading.cost


def test_a_value_belongs_to_the_column_for_which_there_is_a_row() -> None:
    frame = pd.DataFrame(
        {
            "Host": ["Ural", "Baikal", "Altai"],
            "Guest": ["Baikal", "Altai", "Baikal"],
            "Score": ["1-0", "2-2", "0-3"],
        }
    )

    looked = look_up("what is the score of Altai with Baikal", profile("games", frame))

    assert "Host is Altai and Guest is Baikal" in say_plan(looked[0].reading.plan)


@pytest.mark.parametrize("number", [7, 11_999])
def test_a_rare_value_of_a_long_table_is_found(number: int) -> None:
    looked = look_up(f"What is the plot of Owner {number:05}?", register())

    assert say_plan(looked[0].reading.plan) == f"Plot, where Owner is Owner {number:05}"


def test_a_number_of_a_long_table_is_found() -> None:
    assert say_plan(look_up("Who is the owner of plot 37?", register())[0].reading.plan) == "Owner, where Plot is 37"


def test_rows_tell_whether_conditions_meet() -> None:
    rows = Rows(table("ferries"))

    def meets(captain: str, status: str) -> bool:
        return rows.meets(
            (("Captain", rows.letters("Captain", [captain])), ("Status", rows.letters("Status", [status])))
        )

    assert meets("Marta Lund", "laid up")
    assert not meets("Jon Eide", "laid up")


def test_rows_of_a_table_that_is_too_long_to_keep_are_not_denied() -> None:
    known = register()
    unknown = known.replace(columns=tuple(column.replace(places="") for column in known.columns))
    rows = Rows(unknown)

    assert rows.meets((("District", rows.letters("District", ["East"])),))


def test_a_question_that_was_cut_is_not_looked_up() -> None:
    assert look_up("what is the speed of the Pelican " * MAX_TOKENS, table("ferries")) == ()


def test_a_language_without_words_for_it_has_no_look_ups() -> None:
    assert look_up("what is the speed of the Pelican", table("ferries"), "fr") == ()


def test_every_word_used_leaves_no_doubt() -> None:
    assert best("what is the speed of the Pelican").reading.cost < SURE


def harbours() -> Profile:
    """Return a table with figures, ordinals and two words for one thing in its headers."""
    return profile(
        "harbours",
        pd.DataFrame(
            {
                "Harbour": ["Eidvik", "Sund", "Tarn"],
                "Port/Pier": ["north", "south", "old"],
                "Berths (2015)": [12, 40, 7],
                "Opened": [1911, 1954, 1987],
                "2nd Pilot": ["Ann Moe", "Liv Dahl", "Per Vik"],
                "Berth number": [31, 32, 33],
            }
        ),
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the port or pier of Eidvik?", "Port/Pier, where Harbour is Eidvik"),
        ("How many berths did Sund have in the spring of 2015?", "Berths (2015), where Harbour is Sund"),
        ("Who was the second pilot at Tarn?", "2nd Pilot, where Harbour is Tarn"),
        ("How many opened when the second pilot was Liv Dahl?", "number of rows, where 2nd Pilot is Liv Dahl"),
        ("How many times was Ann Moe the second pilot?", "number of rows, where 2nd Pilot is Ann Moe"),
        ("Please mention the port of Sund", "Port/Pier, where Harbour is Sund"),
    ],
)
def test_words_of_a_used_header_are_no_conditions_and_labels_are_counted(question: str, said: str) -> None:
    found = look_up(question, harbours())[0]

    assert (say_plan(found.reading.plan), found.blocking) == (said, ())
