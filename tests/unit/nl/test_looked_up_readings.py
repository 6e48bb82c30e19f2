"""Look-ups: a row is named by what its cells say, and another cell of it is asked."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.planner import read
from jupyter_mcpgen.nl.reading import Answered, Asked
from jupyter_mcpgen.plan.english import say_plan

BRIDGES = profile(
    "bridges",
    pd.DataFrame(
        {
            "Bridge": ["Stone Arch", "Long Tom", "Kettle", "Old Mill", "Fowler", "Weir Gate"],
            "Town/Village": ["Lowmill", "Ashby", "Lowmill", "Tarn", "Ashby", "Corv"],
            "Built": [1821, 1904, 1877, 1910, 1888, 1931],
            "Length (m)": [42.5, 120.0, 63.5, 18.0, 96.0, 77.0],
            "Architect": ["R. Quill", "M. Dahl", "R. Quill", "T. Berg", "A. Noor", "M. Dahl"],
            "Material": ["stone", "steel", "stone", "wood", "iron", "steel"],
            "No. of arches": [3, 9, 5, 1, 7, 4],
            "Daily traffic": ["2,310", "14,870", "905", "120", "8,440", "3,005"],
        }
    ),
)
MATCHES = profile(
    "heron_matches",
    pd.DataFrame(
        {
            "Date": ["3 May 2021", "9 May 2021", "16 May 2021", "30 May 2021", "6 June 2021"],
            "Opponent": ["Owls", "Jays", "Owls", "Kites", "Terns"],
            "Result": ["3–1", "0–2", "2–2", "+4", "5–0"],
            "Ground": ["Mill Lane", "Tarn Park", "Tarn Park", "Quay Road", "Mill Lane"],
            "Crowd": [7260, 5120, 6480, 3310, 8045],
            "Share won": ["64.8%", "12.5%", "50.0%", "70.1%", "88.0%"],
            "Scorer": ["Ada Lund", "Bo Finch", "Cy Marsh", "Ada Lund", "Di Holt"],
        }
    ),
)


def said(question: str, table: object = BRIDGES) -> str:
    """Return the reading of a question; fails where it is asked back or refused."""
    meant = read(question, table)  # type: ignore[arg-type]
    assert isinstance(meant, Answered), meant
    return say_plan(meant.winner.plan)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("What is the material of Kettle?", "Material, where Bridge is Kettle"),
        ("Which bridge has a material of iron?", "Bridge, where Material is iron"),
        ("What is the material of the bridge in Tarn?", "Material, where Town/Village is Tarn"),
        ("Who is the architect of the bridge that has a material of wood?", "Architect, where Material is wood"),
        ("Which architect has a town of Ashby and a material of iron?",
         "Architect, where Town/Village is Ashby and Material is iron"),
        ("When was Weir Gate built?", "Built, where Bridge is Weir Gate"),
        ("How long is the bridge in Corv?", "Length (m), where Town/Village is Corv"),
    ],
)  # fmt: skip
def test_a_cell_is_looked_up_by_other_cells_of_its_row(question: str, reading: str) -> None:
    assert said(question) == reading


@pytest.mark.parametrize("name", ["town", "village", "town or village", "town/village"])
def test_either_side_of_a_slash_names_a_column(name: str) -> None:
    assert said(f"What is the {name} of Kettle?") == "Town/Village, where Bridge is Kettle"


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("What was the result when the crowd was 7260?", "Result, where Crowd is 7260"),
        ("What was the result of the match with 7260 people?", "Result, where Crowd is 7260"),
        ("Which opponent had a result of 0-2?", "Opponent, where Result is 0–2"),
        ("Which opponent had a result of +4?", "Opponent, where Result is “+4”"),
        ("Who was the scorer when the share won was 70.1%?", "Scorer, where Share won is 70.1%"),
    ],
)  # fmt: skip
def test_cells_with_figures_are_found_as_they_are_written(question: str, reading: str) -> None:
    assert said(question, MATCHES) == reading


def test_the_number_of_one_row_is_its_cell_where_such_numbers_do_not_add_up() -> None:
    assert said("How many people were in the crowd at Quay Road?", MATCHES) == "Crowd, where Ground is Quay Road"


def test_a_word_that_says_more_of_the_named_row_may_stay_unread() -> None:
    assert said("What was the result of the game played at Quay Road?", MATCHES) == "Result, where Ground is Quay Road"


@pytest.mark.parametrize(
    "question",
    [
        "What was the result of the Sparrows at Quay Road?",
        "Which referee was at Quay Road?",
        "What was the second result at Quay Road?",
        "Who was the keeper at Quay Road?",
        "What was the crowd at Quay Road with a result of void?",
    ],
)
def test_words_that_may_name_other_rows_or_ask_something_else_are_not_left_unread(question: str) -> None:
    assert not isinstance(read(question, MATCHES), Answered)


def test_what_two_columns_of_the_same_row_say_is_no_reason_to_ask() -> None:
    assert said("What was the crowd on 3 May 2021?", MATCHES).startswith("Crowd, where Date is")


def test_a_value_of_two_columns_is_asked_about() -> None:
    rows = pd.DataFrame(
        {
            "Date": ["1 May", "2 May", "3 May"],
            "Home side": ["Owls", "Jays", "Kites"],
            "Guests": ["Jays", "Kites", "Owls"],
            "Crowd": [310, 450, 275],
        }
    )
    assert isinstance(read("What was the date for Kites?", profile("fixtures", rows)), Asked)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("Which bridge was built after 1905 with a material of steel?",
         "Bridge, where Built is greater than 1905 and Material is steel"),
        ("What is the lowest number of arches when the material is stone?",
         "smallest No. of arches, where Material is stone"),
        ("What is the highest length when the architect is M. Dahl?", "largest Length (m), where Architect is M. Dahl"),
    ],
)  # fmt: skip
def test_limits_and_ends_go_with_named_rows(question: str, reading: str) -> None:
    assert said(question) == reading


def test_a_number_in_millions_is_compared_as_its_header_says() -> None:
    rows = pd.DataFrame({"Show": ["Dawn", "Dusk", "Noon"], "Viewers (millions)": [0.35, 1.2, 5.46]})
    table = profile("shows", rows)
    assert said("Which show had 5.46 million viewers?", table) == "Show, where Viewers (millions) is 5.46"


def test_where_rows_begin_and_end_is_told_by_what_stands_before_the_place() -> None:
    rows = pd.DataFrame(
        {
            "origin": ["Corv", "Tarn", "Ashby", "Corv"],
            "destination": ["Tarn", "Corv", "Corv", "Ashby"],
            "skipper": ["Ada", "Bo", "Cy", "Di"],
        }
    )
    assert said("Which skipper sailed to Ashby?", profile("trips", rows)) == "skipper, where destination is Ashby"


@pytest.mark.parametrize(
    "question",
    [
        "what is the length in feet of Kettle",
        "how many spare arches has Kettle",
        "what is the state of Kettle",
        "which architect built better in Tarn",
    ],
)
def test_a_word_that_says_what_is_asked_is_not_spared(question: str) -> None:
    assert not isinstance(read(question, BRIDGES), Answered)


def test_who_and_when_ask_for_no_number_that_is_named_beside() -> None:
    assert said("when was the match in Mill Lane", MATCHES).startswith("Date")
    assert not said("who had a crowd above 8000", MATCHES).startswith("Crowd")
