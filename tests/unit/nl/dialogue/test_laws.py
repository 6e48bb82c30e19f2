"""Laws of follow-ups: what is said twice changes nothing more, and any words after an answer are heeded or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.nl.dialogue.followup import UNCHANGED
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.plan import Plan
from tests.laws import law
from tests.unit.nl.dialogue.talks import first, then

_WORDS = (
    "now", "only", "without", "by", "also", "instead", "top", "2", "harbour", "Wells", "month", "charge", "hours", "in",
    "2023", "the", "average", "and", "sort", "as", "pie", "share", "open", "not", "above", "50", "all", "them", "how",
    "many", "compare", "with", "March", "reverse", "kayak", "or", "cumulative", "?",
)  # fmt: skip
_QUESTIONS = (
    "total charge by harbour",
    "hires where state is open",
    "average charge",
    "correlation of charge and hours",
)


def changed(plan: Plan, words: str) -> Plan:
    """Return the plan that follows."""
    match then(plan, words):
        case Answered(winner):
            return winner.plan
        case other:
            pytest.fail(f"{words}: {other}")


@pytest.mark.parametrize(
    "words",
    [
        "by month instead", "only Wells", "without the cancelled ones", "just 2023", "the average instead", "top 2",
        "as a pie chart", "as a table", "in percent", "sort by harbour", "the same for hours", "also by state",
    ],
)  # fmt: skip
def test_what_is_said_again_changes_nothing(words: str) -> None:
    once = changed(first("total charge by harbour"), words)

    match then(once, words):
        case Answered(winner):
            assert winner.plan == once
            assert UNCHANGED in winner.assumptions
        case other:
            pytest.fail(str(other))


@law(200)
@given(st.sampled_from(_QUESTIONS), st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6))
def test_any_words_after_an_answer_are_answered_asked_back_or_refused(question: str, words: list[str]) -> None:
    assert isinstance(then(first(question), " ".join(words)), Answered | Asked | Refused)
