"""A question over two tables takes each phrase for the table that it is of, and counts no row several times."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.door import understand
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.joins.library import asked, computed, table

OVER = "over rentals joined with borrowers by borrower_id, all rows of rentals kept"
Y2024 = "rented_on is at least 2024-01-01 and rented_on is less than 2025-01-01"
DUES = "`yearly_dues` belongs to `borrowers`"


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        # columns of one beside figures of the other
        ("total deposit by village", f"sum of deposit by village, largest first, {OVER}"),
        ("number of rentals by borrower's village", f"number of rows by village, largest first, {OVER}"),
        ("total deposit by borrower name", f"sum of deposit by name, largest first, {OVER}"),
        ("total deposit of Moor borrowers", f"sum of deposit, where village is Moor, {OVER}"),
        ("open rentals of borrowers in Moor", f"rows, where status is open and village is Moor, {OVER}"),
        (
            "deposit by village in 2024",
            f"sum of deposit by village, largest first, where {Y2024}, {OVER}",
        ),
        (
            "how many Moor borrowers have open rentals",
            f"number of different borrower_id, where status is open and village is Moor, {OVER}",
        ),
        # said to be joined
        (
            "join rentals with borrowers on borrower_id and show total deposit by village",
            f"sum of deposit by village, largest first, {OVER}",
        ),
        (
            "average deposit by village in rentals joined with borrowers",
            f"mean of deposit by village, largest first, {OVER}",
        ),
        ("join borrowers and rentals", f"rows of {OVER.removeprefix('over ')}"),
        # rows with and without a match
        ("borrowers without rentals", "rows of borrowers without a match in rentals by borrower_id"),
        (
            "how many borrowers have no rentals",
            "number of rows, over borrowers without a match in rentals by borrower_id",
        ),
        ("borrowers that have rentals", "rows of borrowers with a match in rentals by borrower_id"),
        # figures of the other table
        ("borrowers with the number of rentals", "rows of borrowers with number of rows in rentals by borrower_id"),
        (
            "add each borrower's number of rentals and last rental",
            "rows of borrowers with number of rows and largest rented_on in rentals by borrower_id",
        ),
        (
            "borrowers with more than 3 rentals",
            "rows, where count_rentals is greater than 3, over borrowers with number of rows in rentals by borrower_id",
        ),
        (
            "village of borrowers with their total deposit",
            "village, sum_deposit, over borrowers with sum of deposit in rentals by borrower_id",
        ),
        # one table alone
        ("total deposit by tool", "sum of deposit by tool, largest first"),
    ],
)
def test_each_phrase_is_of_its_table(question: str, reading: str) -> None:
    match asked(question):
        case Answered(winner):
            assert say_plan(winner.plan) == reading
            computed(winner.plan)
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    "question", ["total deposit by village", "borrowers without rentals", "borrowers with the number of rentals"]
)
def test_which_table_was_meant_first_does_not_matter(question: str) -> None:
    answers = [asked(question, first) for first in ("rentals", "borrowers")]

    said = [say_plan(one.winner.plan) if isinstance(one, Answered) else str(one) for one in answers]
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("total yearly dues in rentals joined with borrowers", DUES),
        ("average yearly dues by village", "only about `borrowers`"),
        ("number of rentals by village in rentals full outer join borrowers", "keeps the rows of both tables"),
        ("join rentals with borrowers on tool", "Only `rentals` has a column `tool`"),
        ("join rentals with borrowers on shelf", "`shelf`"),
        ("rentals cross join borrowers", "cross joins"),
        ("total zorps by village in rentals joined with borrowers", "zorps"),
    ],
)
def test_what_would_count_rows_again_or_is_not_there_is_refused(question: str, words: str) -> None:
    match asked(question):
        case Refused(message):
            assert words in message
        case other:
            pytest.fail(str(other))


def test_all_rows_or_those_that_are_mentioned_are_asked_about() -> None:
    match asked("number of borrowers by village"):
        case Asked(question):
            assert "Are all rows of `borrowers` meant" in question
        case other:
            pytest.fail(str(other))


def test_an_average_for_each_row_counts_those_without_a_match_as_none() -> None:
    match asked("average number of rentals per borrower", "borrowers"):
        case Answered(winner):
            assert computed(winner.plan).iloc[0, 0] == 11 / 4
        case other:
            pytest.fail(str(other))


def test_borrowers_without_a_rental_of_a_kind_include_those_without_any() -> None:
    match asked("borrowers without rentals in 2024"):
        case Answered(winner):
            assert computed(winner.plan)["name"].tolist() == ["Ada", "Bo", "Di"]
        case other:
            pytest.fail(str(other))


def test_two_keys_that_are_equally_likely_are_asked_about() -> None:
    days = profile("days", pd.DataFrame({"day_id": [1, 2], "stall_id": [1, 2], "visitors": [5, 6]}))
    takings = profile("takings", pd.DataFrame({"day_id": [1, 2, 2], "stall_id": [2, 1, 1], "sold": [5, 6, 7]}))

    match understand("join takings with days", takings, "en", None, days):
        case Asked(question, options):
            assert "day_id or stall_id" in question
            assert len(options) == 2
        case other:
            pytest.fail(str(other))


def test_columns_whose_values_never_meet_are_no_key() -> None:
    north = profile("north", pd.DataFrame({"member_id": [1, 2, 3], "paid": [5, 6, 7]}))
    south = profile("south", pd.DataFrame({"member_id": [901, 902], "name": ["Ann", "Bob"]}))

    match understand("join north with south", north, "en", None, south):
        case Refused(message):
            assert "no column by which" in message
        case other:
            pytest.fail(str(other))


def test_tables_of_the_same_kind_stand_below_each_other() -> None:
    spring = profile("spring", pd.DataFrame({"stall": ["a", "b", "a"], "sold": [5, 6, 7], "rain": [1, 0, 2]}))
    summer = profile("summer", pd.DataFrame({"stall": ["a", "b", "b"], "sold": [8, 9, 9]}))

    match understand("total sold by stall in spring and summer", spring, "en", None, summer):
        case Answered(winner):
            reading = "sum of sold by stall, largest first, over spring and summer below each other"
            assert say_plan(winner.plan) == reading
            assert any("`rain`" in note for note in winner.assumptions)
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    ("question", "words", "reading"),
    [
        (
            "total deposit by village",
            "only drill",
            f"sum of deposit by village, largest first, where tool is drill, {OVER}",
        ),
        ("total deposit by village", "by name instead", f"sum of deposit by name, largest first, {OVER}"),
        (
            "borrowers with the number of rentals",
            "only Moor",
            "rows, where village is Moor, over borrowers with number of rows in rentals by borrower_id",
        ),
    ],
)
def test_a_follow_up_goes_on_with_both_tables(question: str, words: str, reading: str) -> None:
    before = asked(question)
    assert isinstance(before, Answered)

    match asked(words, earlier=(question, before.winner.plan)):
        case Answered(winner):
            assert say_plan(winner.plan) == reading
        case other:
            pytest.fail(str(other))


def test_a_borrower_with_several_rentals_is_listed_once() -> None:
    match asked("which borrowers have open rentals"):
        case Answered(winner):
            rows = computed(winner.plan)
            assert len(rows) == rows["borrower_id"].nunique()
        case other:
            pytest.fail(str(other))


def test_an_answer_over_one_table_says_what_the_name_of_the_other_was_taken_for() -> None:
    match asked("total deposit by borrower"):
        case Answered(winner):
            assert winner.plan.second is None
            assert "`borrowers` was not used: its name is read as `borrower_id` of `rentals`." in winner.assumptions
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize("question", ["join " * 200, "rentals " * 100 + "without borrowers", "a" * 5_000, "on on = ="])
def test_any_text_is_answered_asked_back_or_refused(question: str) -> None:
    assert isinstance(
        understand(question, table("rentals"), "en", None, table("borrowers")), Answered | Asked | Refused
    )
