"""A refusal names words that were typed, and denies nothing that can be computed."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.reading import Answered, Refused
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.nl.words.lexicon import load_lexicon

FIGURES = {"sales": [1.0, 2.0, 3.0, 4.0, 5.0], "cost": [1.0, 1.0, 2.0, 2.0, 3.0], "region": ["a", "b", "a", "c", "b"]}
DATED = profile("shop", pd.DataFrame({**FIGURES, "day": pd.date_range("2024-01-01", periods=5, freq="20D")}))
DATELESS = profile("shop", pd.DataFrame(FIGURES))


@pytest.mark.parametrize("question", ["running total of sales", "growth of sales", "the change in sales"])
def test_periods_of_a_table_without_dates_are_refused_by_what_it_lacks_and_no_word_that_nobody_typed(
    question: str,
) -> None:
    match understand(question, DATELESS):
        case Refused(message):
            assert f"“{question}”" in message
            assert "no column of `shop` holds dates" in message
            assert "month" not in message
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    ("question", "lacking"),
    [
        ("95% confidence interval of the median sales", "a confidence interval of another figure than a mean"),
        ("t-test of sales by region with a confidence interval", "a confidence interval of another figure than a mean"),
        ("Kruskal-Wallis of sales by region with Dunn's test", "Dunn's test"),
    ],
)
def test_what_no_plan_says_beside_what_one_does_is_recorded_as_lacking(question: str, lacking: str) -> None:
    match understand(question, DATED):
        case Refused(missing_capabilities=missing):
            assert missing == (lacking,)
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("share of sales", ("I can compute a share of a total", "“share of”")),
        ("ratio of sales", ("I can compute arithmetic between columns", "“ratio of”")),
        ("moving average of sales by day", ("I can compute moving averages", "“moving average”")),
    ],
)
def test_what_can_be_computed_and_is_not_read_as_it_is_asked_for_is_not_denied(
    question: str, said: tuple[str, ...]
) -> None:
    match understand(question, DATED):
        case Refused(message, missing_capabilities=missing):
            assert [part for part in said if part not in message] == []
            assert "cannot compute" not in message
            assert "asks for it" in missing[0]
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize("example", sorted(load_lexicon("en").asked_otherwise.values()))
def test_every_example_of_how_to_ask_is_answered(example: str) -> None:
    assert isinstance(understand(example, DATED), Answered)


def test_examples_are_of_capabilities_that_a_refusal_names() -> None:
    lexicon = load_lexicon("en")
    named = {getattr(meaning, "capability", None) for found in lexicon.phrases.values() for meaning in found}

    assert set(lexicon.asked_otherwise) <= named


BENCHES = profile(
    "benches",
    pd.DataFrame(
        {
            "bench": ["b1", "b2", "b3", "b4", "b5", "b6"],
            "park": ["Elm", "Elm", "Oak", "Oak", "Ash", "Ash"],
            "painted_price": [10.5, 20.5, 30.0, 41.0, 52.5, 61.0],
        }
    ),
)


def test_a_question_whose_meaning_is_not_sure_is_refused_by_the_words_that_are_doubtful() -> None:
    match understand("how many benches painted", BENCHES):
        case Refused(message):
            assert "I am not sure what “painted” means here." in message
        case other:
            pytest.fail(str(other))


def test_doubtful_words_that_nobody_typed_are_not_quoted() -> None:
    panel = profile(
        "panel",
        pd.DataFrame({"Q1 Pay is fair": ["Agree", "Neutral", "Disagree"] * 2, "site": ["N", "S", "N", "S", "N", "S"]}),
    )

    match understand("Q1 by site", panel):
        case Refused(message):
            assert "I am not sure what this question means here." in message
            assert "q 1" not in message
        case other:
            pytest.fail(str(other))


def test_no_refusal_ends_in_words_that_every_refusal_would_have() -> None:
    questions = [
        "running total of sales",
        "share of sales",
        "95% confidence interval of the median sales",
        "zorp by region",
    ]

    said = [understand(question, DATELESS) for question in questions]

    assert [meant for meant in said if not isinstance(meant, Refused) or "nothing was computed" in meant.message] == []
