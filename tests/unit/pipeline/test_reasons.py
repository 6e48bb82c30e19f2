"""The words of a rejection are read as what they find wrong, against the plan and the table of the answer."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.feedback import Reason
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.request import DataKind, DataRef, Request
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.reasons import read_objection
from jupyter_mcpgen.pipeline.refine import refine_by_planner

LANDINGS = pd.DataFrame(
    {
        "harbour": ["Ost", "West", "Ost", "Nord", "West", "Nord"],
        "vessel": ["trawler", "ferry", "ferry", "trawler", "skiff", "skiff"],
        "catch_kg": [30.5, 41.0, 52.5, 63.0, 11.0, 8.5],
        "crew": [2, 3, 4, 5, 2, 9],
        "season": [2019, 2020, 2021, 2022, 2021, 2022],
    }
)
TABLE = profile("landings", LANDINGS)
DATA = DataRef(kind=DataKind.FRAME, name="landings", path="landings.parquet")
QUESTION = "total catch_kg by harbour"
SUM = "sum of catch_kg by harbour, largest first"


def request(question: str = QUESTION) -> Request:
    return Request(request_id="r1", question=question, data=DATA, asked_at="2026-01-22T10:00:00Z")


def answered(language: str = "en", question: str = QUESTION) -> Intent:
    intent = EmbeddedAuthor(language).understand(request(question), TABLE)
    assert isinstance(intent, Intent)
    return intent


@pytest.mark.parametrize(
    ("words", "reasons"),
    [
        ("no, wrong column", ["COLUMN_MISMATCH"]),
        ("it should be vessel, not harbour", ["COLUMN_MISMATCH"]),
        ("use crew", ["COLUMN_MISMATCH"]),
        ("I wanted the median, not the sum", ["WRONG_METRIC"]),
        ("wrong metric", ["WRONG_METRIC"]),
        ("missing filter for season > 2020", ["MISSING_FILTER"]),
        ("only ferries", ["MISSING_FILTER"]),
        ("only vessel skiff", ["MISSING_FILTER"]),
        ("where crew is over 3", ["MISSING_FILTER"]),
        ("output format should be JSON not markdown", ["OUTPUT_FORMAT"]),
        ("show it as a pie chart", ["OUTPUT_FORMAT"]),
        ("as a table", ["OUTPUT_FORMAT"]),
        ("the average crew", ["COLUMN_MISMATCH", "WRONG_METRIC"]),
        ("a column chart please", ["OUTPUT_FORMAT"]),
        ("I do not need this any more", ["OTHER"]),
        ("the harbour is wrong", ["OTHER"]),
        ("that sum is odd", ["OTHER"]),
    ],
)
def test_words_become_the_codes_of_what_they_find_wrong(words: str, reasons: list[str]) -> None:
    objection = read_objection(words, answered(), TABLE, "en")

    assert [reason.value for reason in objection.reasons] == reasons


@pytest.mark.parametrize(
    ("words", "reasons"),
    [
        ("lieber der Median", ["WRONG_METRIC"]),
        ("vessel statt harbour", ["COLUMN_MISMATCH"]),
        ("falsche Spalte", ["COLUMN_MISMATCH"]),
        ("als Tabelle", ["OUTPUT_FORMAT"]),
        ("brauche ich nicht", ["OTHER"]),
    ],
)
def test_the_codes_are_read_in_the_language_of_the_planner(words: str, reasons: list[str]) -> None:
    intent = answered("de", "Summe catch_kg pro harbour")

    assert [reason.value for reason in read_objection(words, intent, TABLE, "de").reasons] == reasons


@pytest.mark.parametrize(
    ("words", "reading"),
    [
        ("it should be vessel, not harbour", "sum of catch_kg by vessel, largest first"),
        ("wrong column: should be vessel not harbour", "sum of catch_kg by vessel, largest first"),
        ("wrong column: crew", "sum of crew by harbour, largest first"),
        ("crew by harbour", "sum of crew by harbour, largest first"),
        ("it should be the average", "mean of catch_kg by harbour, largest first"),
        ("I wanted the median, not the sum", "median of catch_kg by harbour, largest first"),
        ("missing filter for season > 2020", f"{SUM}, where season is greater than 2020"),
        ("missing filter: only ferries", f"{SUM}, where vessel is ferry"),
        ("should have left out skiffs: without skiffs", f"{SUM}, where vessel is not skiff"),
    ],
)
def test_a_specific_reason_changes_what_it_names_and_keeps_the_rest(words: str, reading: str) -> None:
    refined = refined_of(words)

    assert refined is not None
    assert refined.reading == reading


@pytest.mark.parametrize(
    "words",
    [
        "wrong column",
        "wrong metric",
        "should have excluded ferries",  # a word that is not known may turn the condition round
        "output format should be JSON not markdown",
        "vessel or crew or season, I am not sure",
    ],
)
def test_words_that_do_not_say_just_one_change_make_no_question(words: str) -> None:
    assert refined_of(words) is None


def test_a_reason_about_the_chart_changes_the_chart_alone() -> None:
    refined = refined_of("wrong format: show it as a pie chart")

    assert refined is not None
    assert refined.plan.chart is not None
    assert (refined.plan.chart.kind.value, refined.plan.steps) == ("pie", answered().plan.steps)


def refined_of(words: str) -> Intent | None:
    intent = answered()
    objection = read_objection(words, intent, TABLE, "en")
    assert objection.reasons != (Reason.OTHER,)
    return refine_by_planner(objection, request(), intent, Material(DATA, LANDINGS, TABLE, "0"), EmbeddedAuthor())
