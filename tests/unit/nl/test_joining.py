"""Every pair in `tests/cases/joined` comes out as the analyst who wrote it expects, in both computations."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.toolkit.pairs import allow_missing
from jupyter_mcpgen.toolkit.tables import load_csv_data_with_types
from tests.engines import run_duckdb, run_pandas

CASES = Path(__file__).parents[2] / "cases" / "joined"


@dataclass(frozen=True)
class Pair:
    """A question about two tables, with the reading, or the words that a question back or a refusal must name."""

    tables: tuple[str, str]
    question: str
    reading: str | None
    refused: tuple[str, ...]
    asked: tuple[str, ...]
    notes: tuple[str, ...]
    language: str


@lru_cache(maxsize=1)
def pairs() -> tuple[Pair, ...]:
    return tuple(
        Pair(
            tables=tuple(tree["tables"]),
            question=entry["question"],
            reading=entry.get("reading"),
            refused=tuple(entry.get("refused", ())),
            asked=tuple(entry.get("asked", ())),
            notes=tuple(entry.get("notes", ())),
            language=tree.get("language", "en"),
        )
        for tree in (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*.toml")))
        for entry in tree["pair"]
    )


@lru_cache(maxsize=16)
def frame(name: str) -> pd.DataFrame:
    return load_csv_data_with_types(str(CASES / "tables" / f"{name}.csv"))


@lru_cache(maxsize=16)
def table(name: str) -> Profile:
    return profile(name, frame(name))


def asked(pair: Pair, earlier: tuple[str, Plan] | None = None) -> Understanding:
    first, second = pair.tables
    return understand(pair.question, table(first), pair.language, earlier, table(second))


def asked_alone(question: str) -> Reading:
    understood = understand(question, table("loans"))
    assert isinstance(understood, Answered)
    return understood.winner


def computed_twice(plan: Plan) -> str | None:
    """Return how the two computations of a plan differ."""
    assert plan.second is not None
    first, other = frame(plan.source), frame(plan.second.other)
    return first_difference(run_pandas(plan, first, other=allow_missing(other)), run_duckdb(plan, first, other))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.question)
def test_a_question_about_two_tables_is_read_or_refused_as_an_analyst_expects(pair: Pair) -> None:
    match asked(pair):
        case Answered(winner):
            assert say_plan(winner.plan) == pair.reading
            assert [note for note in pair.notes if note not in " ".join(winner.assumptions)] == []
            assert computed_twice(winner.plan) is None
        case Asked(question):
            assert pair.asked, question
            assert [word for word in pair.asked if word not in question] == [], question
        case Refused(message):
            assert pair.refused, message
            assert [word for word in pair.refused if word not in message] == [], message


@pytest.mark.one_in(6)
@pytest.mark.parametrize("pair", [p for p in pairs() if p.reading is not None], ids=lambda pair: pair.question)
def test_which_table_was_known_first_does_not_change_the_reading(pair: Pair) -> None:
    turned = Pair(pair.tables[::-1], pair.question, pair.reading, (), (), (), pair.language)

    match asked(turned):
        case Answered(winner):
            assert say_plan(winner.plan) == pair.reading
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("now by month of done", "sum of cost by month of done, over {}"),
        ("only Heron", "sum of cost by model, largest first, where model is Heron, over {}"),
        ("by owner", "sum of cost by owner, largest first, over {}"),
    ],
)
def test_a_follow_up_goes_on_with_both_tables(question: str, reading: str) -> None:
    first = Pair(("repairs", "bikes"), "total cost by model in repairs joined with bikes", "", (), (), (), "en")
    before = asked(first)
    assert isinstance(before, Answered)

    match asked(Pair(("bikes", "repairs"), question, "", (), (), (), "en"), (first.question, before.winner.plan)):
        case Answered(winner):
            over = "repairs joined with bikes by bike_id, all rows of repairs kept"
            assert say_plan(winner.plan) == reading.format(over)
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("only those with more than 2 harvests", "rows, where count_harvests is greater than 2, over {}"),
        ("sort by total kilos descending", "rows, by sum_kilos largest first, over {}"),
        ("only North", "rows, where quarter is North, over {}"),
    ],
)
def test_a_follow_up_goes_on_with_the_figures_of_a_second_table(question: str, reading: str) -> None:
    said = "gardens with the number of harvests and their total kilos"
    before = asked(Pair(("gardens", "harvests"), said, "", (), (), (), "en"))
    assert isinstance(before, Answered)

    match asked(Pair(("harvests", "gardens"), question, "", (), (), (), "en"), (said, before.winner.plan)):
        case Answered(winner):
            over = "gardens with number of rows and sum of kilos in harvests by garden_id"
            assert say_plan(winner.plan) == reading.format(over)
            assert computed_twice(winner.plan) is None
        case other:
            pytest.fail(str(other))


def test_a_total_of_figures_that_stand_in_several_rows_is_refused() -> None:
    staff = pd.DataFrame({"person": ["Ada", "Ben", "Cat"], "team_id": [1, 1, 2], "site": ["Lund", "Lund", "Ystad"]})
    sales = pd.DataFrame({"sale_id": [1, 2, 3, 4], "team_id": [1, 1, 2, 2], "price": [5.0, 6.0, 7.0, 8.0]})
    tables = profile("staff", staff), profile("sales", sales)

    rows = understand("staff with the total sales price", tables[0], "en", None, tables[1])
    total = understand("total of the total sales price by site of staff", tables[0], "en", None, tables[1])

    assert isinstance(rows, Answered)
    assert isinstance(total, Refused)
    assert "share a key" in total.message


def test_a_count_for_each_row_is_read_over_both_tables_and_one_of_its_table_alone_over_that() -> None:
    over_both = asked(Pair(("harvests", "gardens"), "number of harvests per garden", "", (), (), (), "en"))
    alone = asked(Pair(("harvests", "gardens"), "total kilos per garden_id in harvests", "", (), (), (), "en"))

    assert isinstance(over_both, Answered)
    assert over_both.winner.plan.second is not None
    assert isinstance(alone, Answered)
    assert alone.winner.plan.second is None


def test_only_keys_of_rows_that_are_there_are_counted_for_them() -> None:
    """One open loan is of a reader whom the second table does not have."""
    match asked(Pair(("loans", "readers"), "how many readers have open loans", "", (), (), (), "en")):
        case Answered(winner):
            assert run_pandas(winner.plan, frame("loans"), other=allow_missing(frame("readers"))).iloc[0, 0] == 2
            assert computed_twice(winner.plan) is None
        case other:
            pytest.fail(str(other))


def test_an_answer_that_reads_the_name_of_the_second_table_as_a_key_says_that_it_was_not_used() -> None:
    match asked(Pair(("loans", "readers"), "total fee by reader", "", (), (), (), "en")):
        case Answered(winner):
            assert winner.plan.second is None
            assert "`readers` was not used: its name is read as `reader_id` of `loans`." in winner.assumptions
        case other:
            pytest.fail(str(other))


def test_a_question_that_names_nothing_of_the_second_table_is_answered_without_a_word_of_it() -> None:
    match asked(Pair(("loans", "readers"), "total fee by state", "", (), (), (), "en")):
        case Answered(winner):
            assert winner == asked_alone("total fee by state")
        case other:
            pytest.fail(str(other))


def test_two_keys_that_are_equally_likely_are_asked_about() -> None:
    days = pd.DataFrame({"day_id": [1, 2], "shop_id": [1, 2], "visitors": [5, 6]})
    sales = pd.DataFrame({"day_id": [1, 2, 2], "shop_id": [2, 1, 1], "sold": [5, 6, 7]})

    match understand("join sales with days", profile("sales", sales), "en", None, profile("days", days)):
        case Asked(question, options):
            assert "day_id or shop_id" in question
            assert [say_plan(option.plan).split(" by ")[1] for option in options] == [
                "day_id, all rows of sales kept",
                "shop_id, all rows of sales kept",
            ]
        case other:
            pytest.fail(str(other))


def test_columns_whose_values_never_meet_are_no_key() -> None:
    north = pd.DataFrame({"member_id": [1, 2, 3], "paid": [5, 6, 7]})
    south = pd.DataFrame({"member_id": [901, 902], "name": ["Ann", "Bob"]})

    understood = understand("join north with south", profile("north", north), "en", None, profile("south", south))

    assert isinstance(understood, Refused)
    assert "no column by which" in understood.message


def test_a_join_with_a_table_that_is_not_known_is_refused_by_name() -> None:
    understood = understand("total cost by kind joined with weather", table("repairs"))

    assert isinstance(understood, Refused)
    assert understood.missing_capabilities == ("joins with a table that is not named or not known",)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "question",
    [
        "join " * 200,
        "bikes " * 300 + "without repairs",
        "number of all of the " * 45 + "bikes per repair",
        "a" * 5_000,
        "on on on = =",
    ],
)
def test_any_text_is_answered_asked_back_or_refused(question: str) -> None:
    understood = understand(question, table("repairs"), "en", None, table("bikes"))

    assert isinstance(understood, Answered | Asked | Refused)
