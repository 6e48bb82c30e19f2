"""A reading on a small button is known by what sets it apart."""

from __future__ import annotations

from jupyter_mcpgen.nl.labels import LONGEST, labels
from jupyter_mcpgen.plan.english import say_plan
from tests.plans import group, limit, plan_of, sort, where

COLUMNS = {"weather_condition": "text", "light_condition": "text", "most_severe_injury": "text", "crashes": "integer"}
COUNTED = plan_of(COLUMNS, group("weather_condition", "count"))
SUMMED = plan_of(COLUMNS, group("weather_condition", "sum crashes"))
FATAL, INJURED = where("most_severe_injury", "==", "FATAL"), where("most_severe_injury", "==", "INCAPACITATING INJURY")


def test_a_label_is_what_sets_the_reading_apart() -> None:
    assert labels(COUNTED, (SUMMED,)) == ("sum of crashes",)


def test_a_label_fits_its_button() -> None:
    both = plan_of(COLUMNS, INJURED, group(["weather_condition", "light_condition"], "sum crashes"))

    (label,) = labels(COUNTED, (both,))

    assert len(label) <= LONGEST


def test_readings_whose_short_names_are_alike_say_all_that_sets_them_apart() -> None:
    groups = group(["weather_condition", "light_condition", "most_severe_injury"], "count")
    others = tuple(plan_of(COLUMNS, rows, groups) for rows in (FATAL, INJURED))

    names = labels(SUMMED, others)

    assert names[0].endswith("where most_severe_injury is FATAL")
    assert names[1].endswith("where most_severe_injury is INCAPACITATING INJURY")


def test_readings_that_differ_in_nothing_that_a_label_says_are_said_whole() -> None:
    others = tuple(
        plan_of(COLUMNS, group("weather_condition", "count"), sort("count desc"), limit(2), sort(*keys))
        for keys in (("count",), ("weather_condition",))
    )

    assert labels(SUMMED, others) == tuple(map(say_plan, others))
