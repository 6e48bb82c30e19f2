"""Whatever is asked of whatever table, the small planner raises nothing, tells readings apart and swallows no word."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.door import understand
from jupyter_mcpgen.nl.lexicon.doing import phrases_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.english import say_plan
from tests.laws import law
from tests.unit.nl.questions import Pair, pairs, table

FIRST_AND_LAST = ["0001-01-01", "9999-12-31", "2023-05-01"]
HOSTILE = (
    profile(
        "contracts",
        pd.DataFrame(
            {
                "contract_id": range(12),
                "signed_on": pd.Series(FIRST_AND_LAST * 4).astype("datetime64[us]"),
                "ended_on": pd.Series([None] * 12, dtype="datetime64[us]"),
                "fee_eur": [1.5, -2.0, None] * 4,
                "town": ["Aln", "Bury", None] * 4,
                "active": [True, False, None] * 4,
            }
        ),
    ),
    profile("blank", pd.DataFrame({"name": pd.Series([None] * 4, dtype=object), "amount": [float("nan")] * 4})),
    profile("empty", pd.DataFrame({"town": pd.Series([], dtype=object), "day": pd.Series([], dtype="datetime64[us]")})),
    profile(
        "odd",
        pd.DataFrame({"year": [1, 9999, 2024], "%": [1, 2, 3], "": list("abc"), "#": [0, 0, 0], "the": [1.5, 2, 3]}),
    ),
)
NUMBERS = (
    "0",
    "1",
    "10",
    "1000",
    "5 %",
    "9999",
    "9999-12-31",
    "9999-12",
    "January 2024",
    "in the last",
    "in the latest",
    '"x"',
)


def words_of(known: Profile) -> st.SearchStrategy[str]:
    """Words that do something in a question, columns, values and numbers."""
    phrases = sorted({one.said for some in phrases_of("en").values() for one in some})
    values = [str(value) for column in known.columns for value in column.values[:5]]
    return st.sampled_from([*(phrase.replace("!", "") for phrase in phrases), *known.schema_.names, *values, *NUMBERS])


def questions(known: Profile) -> st.SearchStrategy[tuple[Profile, str]]:
    """Rows of such words, each with its table."""
    return st.lists(words_of(known), max_size=10).map(lambda words: (known, " ".join(words)))


TABLES = (*HOSTILE, *map(table, ("sales", "employees", "visits")))


@law(100)
@given(st.sampled_from(TABLES).flatmap(questions))
def test_no_row_of_known_words_raises_and_no_two_readings_are_alike(case: tuple[Profile, str]) -> None:
    known, question = case

    match understand(question, known):
        case Answered(winner, alternatives):
            assert used_columns(winner.plan) <= set(known.schema_.names)
            labels = [chip.label for chip in alternatives]
            assert len(set(labels)) == len(labels)
            assert "" not in labels
        case Asked(_, options):
            said = [say_plan(option.plan) for option in options]
            assert len(set(said)) == len(said)
        case Refused(message):
            assert message


@law(60)
@given(st.sampled_from(TABLES), st.text(max_size=120))
def test_no_text_raises(known: Profile, text: str) -> None:
    assert isinstance(understand(text, known), Answered | Asked | Refused)


@law(60)
@given(
    st.sampled_from([pair for pair in pairs() if pair.language == "en"]),
    st.sampled_from(["zyxwv", "qwrtp", "blorptastic"]),
    st.integers(0, 20),
)
def test_an_unknown_word_is_never_swallowed(pair: Pair, word: str, place: int) -> None:
    words = pair.question.split()
    words.insert(min(place, len(words)), word)

    match understand(" ".join(words), table(pair.table)):
        case Answered(winner):
            assert any(f"“{word}”" in note for note in winner.assumptions) or word in say_plan(winner.plan)
        case Asked(_, options):
            noted = [note for option in options for note in option.assumptions]
            assert any(f"“{word}”" in note for note in noted) or any(word in say_plan(one.plan) for one in options)
        case Refused():
            pass


@pytest.mark.parametrize("known", HOSTILE, ids=lambda known: known.name)
@pytest.mark.parametrize("question", ["rows in the last 30 days", "how many in the latest year", "total by month", ""])
def test_tables_with_nothing_and_ends_of_the_calendar_raise_nothing(known: Profile, question: str) -> None:
    assert isinstance(understand(question, known), Answered | Asked | Refused)
