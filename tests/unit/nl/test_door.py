"""The front door answers what the product asks of it: readings, chips, nearest answers, why, and what remarks name."""

from __future__ import annotations

import inspect

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl import understand as old_door
from jupyter_mcpgen.nl import why as old_why
from jupyter_mcpgen.nl.dialogue.cues import exchanged, points_back, replaces
from jupyter_mcpgen.nl.door import nearest_answer, understand
from jupyter_mcpgen.nl.joins.naming import columns_named, join_that_helps, may_name_figures, says_join, table_said
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.nl.remarks import remark_of
from jupyter_mcpgen.nl.trace import UNKNOWN, Taken, Why, why
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import AggregateFunction
from tests.unit.nl.dialogue.talks import first, hires
from tests.unit.nl.joins.library import table


def test_it_is_called_as_the_door_before_it() -> None:
    for new, old in ((understand, old_door.understand), (why, old_why.why)):
        assert list(inspect.signature(new).parameters.values()) == list(inspect.signature(old).parameters.values())


def test_an_answer_has_chips_that_are_called_by_what_sets_them_apart() -> None:
    match understand("average charge by harbour", hires()):
        case Answered(winner, alternatives):
            assert say_plan(winner.plan) == "mean of charge by harbour, largest first"
            assert all(other.label and other.label != say_plan(winner.plan) for other in alternatives)
            assert [other.cost for other in alternatives] == sorted(other.cost for other in alternatives)
        case other:
            pytest.fail(str(other))


def test_a_question_with_two_meanings_is_asked_back_with_both() -> None:
    plan = first("total charge by harbour")

    match understand("average", hires(), "en", ("total charge by harbour", plan)):
        case Asked(question, options):
            assert all(say_plan(option.plan) in question for option in options)
        case other:
            pytest.fail(str(other))


def test_a_refusal_names_the_words_and_the_nearest_that_can_be_computed() -> None:
    match understand("average zyxwv charge by harbour", hires()):
        case Refused(message, words) as refused:
            nearest = nearest_answer(refused, hires().schema_)
            assert words == ("zyxwv",)
            assert "`zyxwv`" in message
            assert nearest is not None
            assert say_plan(nearest.plan) in message
            assert nearest.assumptions[0] == "“zyxwv” could not be read and is left out."
        case other:
            pytest.fail(str(other))


def test_what_comes_near_to_nothing_offers_nothing() -> None:
    match understand("zyxwv qrst uvwa of the moon", hires()):
        case Refused() as refused:
            assert nearest_answer(refused, hires().schema_) is None
        case other:
            pytest.fail(str(other))


def test_what_a_constraint_refuses_is_not_offered_in_other_words() -> None:
    days = pd.date_range("2024-01-31", periods=12, freq="ME")
    crews = profile("crews", pd.DataFrame({"day": days, "cumulative_hires": range(30, 42)}))

    match understand("sum of cumulative hires", crews):
        case Refused(message) as refused:
            assert "`cumulative_hires` is a running total" in message
            assert nearest_answer(refused, crews.schema_) is None
        case other:
            pytest.fail(str(other))


# -- why -------------------------------------------------------------------------------------------------------------


def test_each_word_is_shown_with_what_it_was_taken_for_and_each_rule_with_what_it_made() -> None:
    told = why("average charge in Wells", hires())

    assert told.outcome == "answered"
    assert Taken("Wells", "the value `Wells` of `harbour`", 0.0) in told.taken
    assert Taken("charge", "the column `charge`", 0.0) in told.taken
    assert [(one.words, one.meaning) for one in told.rules if one.rule == "figures.function_of"] == [
        ("average charge", "mean of the column `charge`")
    ]
    assert told.readings[0].reading == "mean of charge, where harbour is Wells"


def test_readings_come_with_their_costs_the_best_first() -> None:
    told = why("charge by harbour", hires())

    costs = [reading.cost for reading in told.readings]
    assert costs == sorted(costs)


def test_a_word_that_nobody_knows_is_shown_as_such_and_as_unread() -> None:
    told = why("average zyxwv by harbour", hires())

    assert told.outcome == "refused"
    assert told.message is not None
    assert [taken.meaning for taken in told.taken if taken.words == "zyxwv"] == [UNKNOWN]
    assert "zyxwv" in told.unread


def test_a_follow_up_shows_the_rules_that_read_what_is_new() -> None:
    told = why("now by boat kind", hires(), "en", ("total charge by harbour", first("total charge by harbour")))

    assert told.outcome == "answered"
    assert [one.words for one in told.rules] == ["by boat kind"]


def test_words_over_two_tables_are_shown_for_both() -> None:
    told: Why = why("total deposit in Moor", table("rentals"), "en", None, table("borrowers"))

    assert told.outcome == "answered"
    assert {"the column `deposit`", "the value `Moor` of `village`"} <= {taken.meaning for taken in told.taken}


# -- what is asked before a table is known ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "back"),
    [("only those above 5", True), ("now by month", True), ("the same for hours", True), ("total charge", False)],
)
def test_words_that_point_back_are_known_without_a_table(question: str, back: bool) -> None:
    assert points_back(question, "en") is back


@pytest.mark.parametrize(
    ("question", "joins"),
    [
        ("join rentals with borrowers", True),
        ("total deposit in rentals joined with borrowers", True),
        ("rentals right join borrowers", True),
        ("total deposit by borrower", False),
        ("rentals of borrowers in Moor", False),
    ],
)
def test_a_join_is_known_by_the_names_of_its_tables(question: str, joins: bool) -> None:
    assert says_join(question, ("rentals", "borrowers"), "en") is joins


@pytest.mark.parametrize(
    ("question", "may"),
    [
        ("number of rentals per borrower", True),
        ("borrowers with more than 3 rentals", True),
        ("rentals and borrowers", False),
        ("number of rentals", False),
    ],
)
def test_figures_of_one_table_for_another_are_known_by_their_names(question: str, may: bool) -> None:
    assert may_name_figures(question, ("rentals", "borrowers"), "en") is may


def test_a_refused_question_is_told_which_table_has_its_column() -> None:
    told = join_that_helps("yearly dues by tool", table("rentals"), table("borrowers"), "en")

    assert told == (
        "`yearly_dues` is a column of `borrowers`. Ask over both: “… in rentals joined with borrowers on borrower_id”."
    )
    assert join_that_helps("deposit by tool", table("rentals"), table("borrowers"), "en") is None
    assert columns_named("the hired on dates", ("hired_on", "harbour")) == ("hired_on",)


# -- remarks ---------------------------------------------------------------------------------------------------------


def test_a_remark_names_columns_functions_conditions_and_charts() -> None:
    median = remark_of("the median of hours, not the sum", hires())
    rows = remark_of("only open hires in 2023", hires())

    assert median.columns == {"hours"}
    assert {function for function, _ in median.functions} == {AggregateFunction.MEDIAN, AggregateFunction.SUM}
    assert median.denies
    assert rows.conditions
    assert not rows.columns
    assert remark_of("as a line chart", hires()).charts == ("line chart",)
    assert remark_of("hours instead of charge", hires()).replaces
    assert remark_of("it looks odd", hires()).columns == frozenset()


def test_a_column_of_a_condition_is_not_one_that_was_missed() -> None:
    assert remark_of("hours above 5", hires()).columns == frozenset()


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("average charge in ledger", "ledger"),
        ("average charge by harbour", None),
        ("average charge", None),
        ("in", None),
    ],
)
def test_the_table_that_is_looked_for_stands_behind_a_small_word_at_the_end(question: str, word: str | None) -> None:
    assert table_said(question, "en") == word


def test_the_words_that_exchange_columns_are_read_as_an_exchange() -> None:
    assert replaces(exchanged("hours", "charge", "en"), "en")
