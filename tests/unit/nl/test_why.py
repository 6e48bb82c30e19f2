"""`why` shows what decided: the words' meanings, the readings and their costs, and what was not known."""

from __future__ import annotations

from jupyter_mcpgen.nl.why import Ranked, Taken, why
from tests.unit.nl.questions import table


def test_each_word_is_shown_with_what_it_was_taken_for() -> None:
    told = why("average weight of cars from Japan", table("cars"))

    assert told.outcome == "answered"
    assert Taken("Japan", "the value `Japan` of `Origin`", 0.05) in told.taken
    assert Taken("average", "function (mean)", 0.0) in told.taken


def test_the_answer_comes_first_and_the_readings_beside_it_cost_more() -> None:
    told = why("injuries by weather condition", table("crashes"))

    costs = [reading.cost for reading in told.readings]
    assert len(costs) > 1
    assert costs == sorted(costs)
    assert told.readings[0].reading.startswith("sum of injuries_total by weather_condition")
    assert isinstance(told.readings[0], Ranked)


def test_a_word_that_nobody_knows_is_shown_as_such() -> None:
    told = why("average zyxwv by origin", table("cars"))

    assert told.outcome == "refused"
    assert told.message is not None
    assert "zyxwv" in told.message
    assert [taken.meaning for taken in told.taken if taken.words == "zyxwv"]
