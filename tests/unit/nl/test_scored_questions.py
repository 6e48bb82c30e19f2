"""How many questions are answered, and how few of them wrongly: a floor and a ceiling over a sample of the pairs."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pandas as pd
import pytest

from benchmarks.answers import fingerprint, is_alike
from benchmarks.questions import Judged, Outcome, answers, judged
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.nl.door import understand
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import frame, pairs, table

EVERY = 12
"""Of the English pairs every twelfth is asked, of the German ones all."""
TOTALS = pd.DataFrame({"town": ["Aln", "Bury", "Crail"], "total": [3.0, 4.5, 2.5]})


@cache
def sample(language: str = "en") -> tuple[Judged, ...]:
    """Return what comes of some questions of a language."""
    asked = sorted((pair for pair in pairs() if pair.language == language), key=lambda pair: pair.table)
    return tuple(judged(asked[:: EVERY if language == "en" else 1]))


@pytest.mark.parametrize(("language", "least_right", "most_wrong"), [("en", 0.57, 0.045), ("de", 0.87, 0.085)])
def test_questions_are_answered_and_seldom_wrongly(language: str, least_right: float, most_wrong: float) -> None:
    came = Counter(one.outcome for one in sample(language))

    assert came[Outcome.RIGHT] >= least_right * len(sample(language))
    assert came[Outcome.WRONG] <= most_wrong * len(sample(language))


def test_the_answers_that_are_kept_are_those_of_the_expected_readings() -> None:
    as_expected = [one.pair for one in sample() if one.said == one.pair.reading][::EVERY]
    assert len(as_expected) > EVERY

    for pair in as_expected:
        meant = understand(pair.question, table(pair.table))
        assert isinstance(meant, Answered)
        assert say_plan(meant.winner.plan) == pair.reading
        engine = Engine(frame(pair.table))
        try:
            assert fingerprint(engine.table(meant.winner.plan)) == answers()[pair.table, pair.question], pair.question
        finally:
            engine.close()


@pytest.mark.parametrize(
    "answer",
    [
        TOTALS[::-1],
        TOTALS.assign(rows=[1, 2, 3])[["rows", "total", "town"]],
        TOTALS.assign(total=TOTALS["total"] / 100),
    ],
    ids=["another order", "further columns", "parts of one for percentages"],
)
def test_another_form_of_an_answer_is_the_same_answer(answer: pd.DataFrame) -> None:
    assert is_alike(answer, fingerprint(TOTALS))


@pytest.mark.parametrize(
    "answer",
    [
        TOTALS[:2],
        TOTALS[["town"]],
        TOTALS.assign(total=[4.5, 3.0, 2.5]),
        TOTALS.assign(total=[3.0, 4.5, 2.6]),
        pd.concat([TOTALS[:2], TOTALS[:1]]),
    ],
    ids=["a row less", "no figure", "figures of other rows", "another figure", "a row twice"],
)
def test_another_answer_is_not(answer: pd.DataFrame) -> None:
    assert not is_alike(answer, fingerprint(TOTALS))
