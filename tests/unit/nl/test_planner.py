"""What the small planner reads: phrases compose, small words may be left out, and no word of content ever is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.planner import derivations, read
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.english import say_plan

RANDOM = np.random.default_rng(3)
ROWS = 60
HIRES = profile(
    "boat_hires",
    pd.DataFrame(
        {
            "hire_id": range(1, ROWS + 1),
            "started_on": pd.date_range("2023-01-03", periods=ROWS, freq="9D"),
            "harbour": RANDOM.choice(["Skerry", "Marl", "Otterby"], ROWS),
            "boat": RANDOM.choice(["dinghy", "punt"], ROWS),
            "guests": RANDOM.integers(1, 9, ROWS),
            "charge": RANDOM.integers(20, 200, ROWS) / 2,
            "distance_km": RANDOM.integers(1, 40, ROWS),
            "insured": RANDOM.choice([True, False], ROWS),
            "cancelled_on": pd.Series([pd.Timestamp("2024-01-01"), *[pd.NaT] * (ROWS - 1)]),
        }
    ),
)


def said(question: str) -> str:
    """Return the reading of a question; fails where it is asked back or refused."""
    meant = read(question, HIRES)
    assert isinstance(meant, Answered), meant
    return say_plan(meant.winner.plan)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("average charge by harbour", "mean of charge by harbour, largest first"),
        (
            "total charge in Skerry in 2023",
            "sum of charge, where harbour is Skerry and started_on is at least 2023-01-01",
        ),
        ("which harbour has the highest average charge", "mean of charge by harbour, largest first, first one"),
        ("top 2 harbours by number of hires", "number of rows by harbour, largest first, first 2"),
        ("how many hires", "number of rows"),
        ("how many hires were cancelled", "number of rows, where cancelled_on is not missing"),
        ("hires with a charge above 50", "rows, where charge is greater than 50"),
        ("hires of more than 12 km", "rows, where distance_km is greater than 12"),
        ("longest distance", "largest distance_km"),
        ("charge per guest by boat", "sum of charge and sum of guests by boat"),
        ("number of hires per month", "number of rows by month of started_on"),
        ("running total of charge by month", "sum of charge by month of started_on, also for a month without rows"),
        ("percentage of hires that are insured", "percentage of rows where insured is True"),
        ("how many hires were not insured", "number of rows, where insured is False"),
        ("average charge of uninsured hires by boat", "mean of charge by boat, largest first, where insured is False"),
        ("uninsured hires with more than 3 guests", "rows, where insured is False and guests is greater than 3"),
        ("charge against distance", "distance_km, charge"),
        ("correlation of charge and guests", "Pearson correlation of charge and guests"),
        ("90th percentile of charge", "90th percentile of charge"),
        ("average charge of punts and dinghies", "mean of charge by boat, largest first"),
        ("hires between 3 and 5 guests", "rows, where guests is at least 3 and guests is at most 5"),
        ("most common boat", "number of rows by boat, largest first, first one"),
        ("insured hires", "rows, where insured is True"),
        ("hires that are insured in May", "rows, where insured is True and calendar month of started_on is 5"),
    ],
)
def test_phrases_compose(question: str, reading: str) -> None:
    assert said(question).startswith(reading)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        (
            "lowest, highest and median charge by boat",
            "smallest charge and largest charge and median of charge by boat",
        ),
        ("hires and average charge by boat", "number of rows and mean of charge by boat"),
        ("number and share of insured hires", "number of rows where insured is True and share of rows where insured"),
        (
            "ratio of insured to uninsured hires by boat",
            "number of rows where insured is True and number of rows where insured is False by boat",
        ),
        ("highest charge hire", "rows, by charge largest first, first one"),
        ("highest charge hires", "rows, by charge largest first, first 10"),
        ("highest charge of the hires", "largest charge"),
        ("largest hire by charge", "rows, by charge largest first, first one"),
        ("oldest hire", "rows, by started_on smallest first, first one"),
        ("harbours except Skerry", "number of rows by harbour, largest first, where harbour is not Skerry"),
        ("describe boat", "number of rows by boat, largest first"),
        ("number of duplicate rows by boat", "rows that repeat an earlier row (equal in hire_id, started_on"),
        ("iqr of charge", "75th percentile of charge and 25th percentile of charge"),
    ],
)
def test_figures_and_what_comes_first(question: str, reading: str) -> None:
    assert said(question).startswith(reading)


SAILINGS = profile(
    "lake_lines",
    pd.DataFrame(
        {
            "sailing_no": ["L1", "L2", "L3"] * 20,
            "sailed_on": pd.date_range("2024-02-01", periods=ROWS, freq="2D"),
            "skipper_id": [f"S{place % 4}" for place in range(ROWS)],
            "skipper_name": ["Ula", "Bram", "Ula", "Finn"] * 15,
            "late": [True, False, False, False] * 15,
            "tickets": RANDOM.integers(3, 90, ROWS),
            "refund": -RANDOM.integers(0, 9, ROWS),
            "crew_kg": RANDOM.integers(100, 300, ROWS),
            "lost_kg": RANDOM.integers(0, 50, ROWS),
        }
    ),
)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("how many sailings were late", "number of rows, where late is True"),
        ("share of late sailings", "share of rows where late is True"),
        ("number of skippers", "number of different skipper_id"),
        ("top 2 skippers by tickets", "sum of tickets by skipper_id and skipper_name, largest first, first 2"),
        (
            "tickets minus refund by skipper",
            "sum of tickets and sum of refund by skipper_id and skipper_name, by tickets_",
        ),
        ("percentage of crew lost by skipper", "sum of lost_kg and sum of crew_kg by skipper_id and skipper_name"),
        ("share of Bram in tickets", "sum of tickets by skipper_name, with share of sum_tickets in its total, keeping"),
        ("share of tickets by skipper", "sum of tickets by skipper_id and skipper_name, with share of sum_tickets"),
    ],
)
def test_things_of_several_rows_and_their_parts(question: str, reading: str) -> None:
    meant = read(question, SAILINGS)
    assert isinstance(meant, Answered), meant
    assert say_plan(meant.winner.plan).startswith(reading)


@pytest.mark.parametrize(
    ("plain", "dressed"),
    [
        ("average charge by harbour", "please show me the average charge by harbour"),
        ("total charge in Skerry", "what is the total charge in Skerry?"),
        ("how many hires", "can you tell me how many hires there are"),
    ],
)
def test_polite_words_change_nothing(plain: str, dressed: str) -> None:
    assert said(dressed) == said(plain)


@pytest.mark.parametrize("question", ["average tonnage by harbour", "charge by skipper", "total charge in Valparaiso"])
def test_a_word_of_content_that_names_nothing_is_refused(question: str) -> None:
    meant = read(question, HIRES)
    assert isinstance(meant, Refused)
    assert meant.words[0] in question


def test_what_no_word_tells_is_asked() -> None:
    meant = read("cost of hires in May", profile("hires", pd.DataFrame(TWO_COSTS)))
    assert isinstance(meant, Asked | Refused)


TWO_COSTS = {"day": pd.date_range("2024-01-01", periods=6), "fuel_cost": range(6), "crew_cost": range(6)}


def test_a_derivation_knows_which_rule_read_which_words() -> None:
    tokens, (best, *_) = derivations("average charge by harbour", HIRES)
    rules = {
        phrase.rule: " ".join(token.text for token in tokens[phrase.first : phrase.last])
        for phrase in best.cover.phrases
    }
    assert rules == {"figures.function_of": "average charge", "groups.by": "by harbour"}


LESSONS = profile(
    "export",
    pd.DataFrame(
        {
            "pupil_id": [3, 5, 8, 9, 3, 5] * 5,
            "teacher": ["Ida", "Ada", "Eva"] * 10,
            "homework": [1, 2, 3, 4, 5] * 6,
            "grade": [1, 2, 2, 3, 5] * 6,
        }
    ),
)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("number of learners by teacher", "number of rows by teacher, largest first"),
        ("how many pupils are there", "number of different pupil_id"),
        ("learners with a grade above 3", "rows, where grade is greater than 3"),
    ],
)
def test_what_rows_are_called_by_their_kind_is_no_thing_of_several_rows(question: str, reading: str) -> None:
    meant = read(question, LESSONS)
    assert isinstance(meant, Answered), meant
    assert say_plan(meant.winner.plan) == reading


def test_an_identifier_has_no_average() -> None:
    assert not isinstance(read("average pupil id by teacher", LESSONS), Answered)


CREWS = profile(
    "crossings",
    pd.DataFrame(
        {
            "crossing_no": range(101, 131),
            "skipper": ["Ida Holm", "Ada Berg", "Eva Lund"] * 10,
            "harbour": ["Skerry", "Marl"] * 15,
            "cargo_t": [3, 7, 2, 9, 4, 6] * 5,
            "engine": ["Kestrel", "Plover", "Dunlin", "Knot", "Ruff"] * 6,
        }
    ),
)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("who had crossing no 104", "skipper, where crossing_no is 104"),
        ("who has the highest average cargo", "mean of cargo_t by skipper, largest first, first one"),
        ("how many people", "number of different skipper"),
        ("where was Ida Holm", "harbour, where skipper is Ida Holm"),
    ],
)
def test_who_and_where_find_their_columns(question: str, reading: str) -> None:
    meant = read(question, CREWS)
    assert isinstance(meant, Answered), meant
    assert say_plan(meant.winner.plan) == reading


def test_what_somebody_did_is_read_where_rows_are_no_persons() -> None:
    sailors = profile(
        "sailors",
        pd.DataFrame({"sailor": ["Ida", "Ada", "Eva", "Uma"], "boat": ["Kestrel", "Plover", "Dunlin", "Knot"]}),
    )

    assert isinstance(read("who welded crossing no 104", CREWS), Refused)
    assert isinstance(read("who welded the Kestrel", sailors), Answered)


@pytest.mark.parametrize("question", ["", "?", "the of and", ", , ,", "by by by", "not", "5", "'"])
def test_nonsense_is_no_answer(question: str) -> None:
    assert not isinstance(read(question, HIRES), Answered)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("average number of hires per harbour", "number of rows by harbour, then mean of count"),
        ("highest monthly distance", "sum of distance_km by month of started_on, then largest sum_distance_km"),
        (
            "growth of distance from 2023 to 2024",
            "sum of distance_km by year of started_on, with sum_distance_km of the",
        ),
        ("which harbours have no dinghy", "number of rows and number of rows where boat is dinghy by harbour"),
        ("what percentage of punt hires are insured", "percentage of rows where insured is True, where boat is punt"),
        ("number of hires per month of punts and dinghies", "number of rows by month of started_on and boat"),
    ],
)
def test_figures_are_of_what_the_question_is_about(question: str, reading: str) -> None:
    assert said(question).startswith(reading)


@pytest.mark.parametrize("question", ["which harbour is the best", "compare the harbours", "largest hire"])
def test_a_judgement_without_a_yardstick_is_asked_back_with_the_amounts_that_may_be_meant(question: str) -> None:
    meant = read(question, HIRES)
    assert isinstance(meant, Asked), meant
    assert "guests" in meant.question
    assert "distance_km" in meant.question


STOCKS = pd.DataFrame(
    {
        "month": pd.date_range("2023-01-01", periods=12, freq="MS").repeat(2),
        "depot": ["Marl", "Skerry"] * 12,
        "headcount": range(24),
        "pay": [float(number) for number in range(100, 124)],
        "currency": ["EUR", "USD"] * 12,
    }
)


@pytest.mark.parametrize(
    ("question", "ways"),
    [
        (
            "total headcount by depot",
            ("sum of headcount by depot, largest first, where month is", "mean of headcount by depot"),
        ),
        ("average pay by depot", ("mean of pay by depot and currency", "mean of pay by depot,")),
    ],
)
def test_totals_that_mean_nothing_are_asked_about_with_what_they_may_mean(question: str, ways: tuple[str, ...]) -> None:
    meant = read(question, profile("depot_months", STOCKS))
    assert isinstance(meant, Asked), meant
    assert all(way in meant.question for way in ways)


PARCELS = profile(
    "parcels",
    pd.DataFrame(
        {
            "parcel_no": range(1, 61),
            "sent_on": pd.date_range("2024-01-01", periods=60, freq="3D"),
            "returned_on": [pd.Timestamp("2024-05-02") + pd.Timedelta(days=place) for place in range(6)]
            + [pd.NaT] * 54,
            "hub": ["Marl", "Skerry", "Otterby"] * 20,
            "country": ["US", "IN", "NO", "US"] * 15,
            "class": ["A", "B"] * 30,
            "fee": [4.0, 9.5, 20.25, 31.0, 7.75] * 12,
            "delay_min": [0, 12, 0, 45, 30, 0] * 10,
            "discount": [0.0, 0.05, 0.2] * 20,
            "lost": [False, False, True] * 20,
            "seal": ["wax", "?", "lead", "wax"] * 15,
            "urgency": ["low", "high", "medium", "low"] * 15,
        }
    ),
)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("parcels sent in the last 30 days", "rows, where sent_on is at least 2024-05-28"),
        ("total fee in the last 2 months", "sum of fee, where sent_on is at least 2024-04-27"),
        ("fee in the last 10 days of March 2024", "sum of fee, where sent_on is at least 2024-03-22 and sent_on"),
        ("number of parcels in the latest month", "number of rows, where sent_on is at least 2024-06-01 and sent_on"),
        ("top 3 parcels by fee", "rows, by fee largest first, first 3"),
    ],
)
def test_the_last_days_are_those_up_to_the_last_date(question: str, reading: str) -> None:
    meant = read(question, PARCELS)
    assert isinstance(meant, Answered), meant
    assert say_plan(meant.winner.plan).startswith(reading)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("parcels with a fee above 5 and below 20", "rows, where fee is greater than 5 and fee is less than 20"),
        ("total fee not in Marl or B", "sum of fee, where hub is not Marl and class is not B"),
        ("parcels with a discount over 10%", "rows, where discount is greater than 0.1"),
        ("delayed parcels by hub", "number of rows by hub, largest first, where delay_min is greater than 0"),
        ("average delay by hub", "mean of delay_min by hub, largest first"),
        ("how many parcels have an unknown seal", "number of rows, where seal is ?"),
        ("how many parcels have the highest urgency", "number of rows, where urgency is high"),
        ("parcels in US or IN with class A", "rows, where country is US or IN and class is A"),
        ("average fee with and without lost", "mean of fee by lost"),
        ("percentage of parcels in Marl lost", "percentage of rows where lost is True, where hub is Marl"),
        ("share of parcels by class in Marl", "number of rows by class, with share of count in its total"),
        ("is Marl the hub with the highest average fee", "mean of fee by hub, largest first, first one"),
        ("average fee by hub, min 5 parcels", "mean of fee and number of rows by hub, by mean_fee largest first"),
    ],
)
def test_conditions_are_of_what_their_words_say(question: str, reading: str) -> None:
    meant = read(question, PARCELS)
    assert isinstance(meant, Answered), meant
    assert say_plan(meant.winner.plan).startswith(reading)


@pytest.mark.parametrize("question", ["which hub lost the most better", "fee by hub at least 0.5 parcels"])
def test_words_that_change_what_is_asked_are_not_left_out(question: str) -> None:
    assert not isinstance(read(question, PARCELS), Answered)
