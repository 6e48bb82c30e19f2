"""What a question is refused with that could not be read: its words, what is near, and how to ask instead."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.door import nearest_answer, understand
from jupyter_mcpgen.nl.reading import Answered, Refused
from jupyter_mcpgen.nl.text.tokens import MAX_TOKENS
from jupyter_mcpgen.plan.english import say_plan

ROWS = 48
KILNS = profile(
    "firings",
    pd.DataFrame(
        {
            "firing_no": range(900, 900 + ROWS),
            "fired_on": pd.date_range("2023-02-01", periods=ROWS, freq="6D"),
            "kiln": ["Ash", "Birch", "Cedar"] * 16,
            "glaze": ["matt", "clear", "salt", "ash blue"] * 12,
            "peak_celsius": [1040.0, 1220.0, 1180.0, 1260.0] * 12,
            "pots": [12, 30, 21, 8] * 12,
            "cracked_pots": [0, 2, 1, 3] * 12,
        }
    ),
)


def refused(question: str) -> Refused:
    meant = understand(question, KILNS)
    assert isinstance(meant, Refused), meant
    return meant


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("", "There is no question. Ask for example"),
        ("average pots by kilm owner", "`owner` is not a column or value of `firings`."),
        ("total postage by kiln", "`postage` is not a column or value of `firings`."),
        (
            "average pots in pottery",
            "There is no table `pottery` here, and no column or value of `firings` is called so.",
        ),
        ("average fired_on by kiln", "`fired_on` is a date, so it has no mean."),
        ("sum of glaze", "`glaze` is text, so it has no sum."),
        ("forecast of pots for next spring", "cannot compute a forecast yet (“forecast”)"),
        ("cluster the firings by pots", "cannot compute clusters yet (“cluster”)"),
        ("run an ANOVA", "“ANOVA”: which number and groups? Number columns: `peak_celsius`, `pots`, `cracked_pots`."),
        ("hello there", "Name what to compute, of which column, and by what"),
        (" ".join(["pots"] * (MAX_TOKENS + 5)), "This question is too long: ask one thing at a time."),
    ],
)
def test_a_refusal_says_which_words_and_what_to_do(question: str, said: str) -> None:
    assert said in refused(question).message


def test_what_no_plan_can_say_is_recorded_and_nothing_is_offered_in_its_place() -> None:
    meant = refused("logistic regression of cracked pots on peak celsius")

    assert meant.missing_capabilities == ("a logistic regression",)
    assert nearest_answer(meant, KILNS.schema_) is None


def test_the_nearest_says_which_words_it_leaves_out() -> None:
    meant = refused("average pots by kiln zorbified")
    nearest = nearest_answer(meant, KILNS.schema_)

    assert meant.words == ("zorbified",)
    assert nearest is not None
    assert say_plan(nearest.plan) == "mean of pots by kiln, largest first"
    assert nearest.assumptions == ("“zorbified” could not be read and is left out.",)


def test_a_word_that_is_hardly_a_column_is_named_with_the_column_that_it_is_like() -> None:
    ovens = profile(
        "ovens", pd.DataFrame({"oven": ["A", "B", "C"] * 9, "most_severe_crack": ["hairline", "deep", "none"] * 9})
    )

    meant = understand("analyze ovens by severity", ovens)

    assert isinstance(meant, Refused)
    assert "`severity` is not a column or value of `ovens`; the nearest column is `most_severe_crack`." in meant.message


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("firings sorted by pots", "rows, by pots smallest first"),
        ("sort the rows by pots descending", "rows, by pots largest first"),
        ("top 2 kilns by firing count", "number of rows by kiln, largest first, first 2"),
        ("ANOVA of pots by kiln, then perform a Tukey HSD test", "ANOVA of pots by kiln, with Tukey's HSD"),
        ('number of firings by kiln in "firings"', "number of rows by kiln, largest first"),
    ],
)
def test_what_stands_beside_it_is_answered(question: str, reading: str) -> None:
    meant = understand(question, KILNS)

    assert isinstance(meant, Answered), meant
    assert say_plan(meant.winner.plan) == reading
