"""A refusal quotes what was typed, the columns and the values, and no word that a reader put in for a while."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.reading import Refused
from jupyter_mcpgen.nl.understand import understand
from tests.unit.nl.questions import table


@pytest.mark.parametrize(
    ("name", "question", "unsaid"),
    [
        ("pump_hours", "moving average of litres over 3 readings after 2024-03-15", ("`by`", "`month`")),
        ("pump_hours", "3 month moving average of litres after 2024-03-15", ("`by`",)),
        ("pump_hours", "average days from read to zorped", ("qzx",)),
        ("paving_jobs", "average days from ordered to paid zorpish", ("qzx",)),
        ("claims_2023", "claims settled within 30 days zorpish", ("qzx",)),
    ],
)
def test_a_refusal_quotes_no_word_that_nobody_typed(name: str, question: str, unsaid: tuple[str, ...]) -> None:
    meant = understand(question, table(name))

    assert isinstance(meant, Refused)
    assert [word for word in unsaid if word in meant.message] == []
    assert meant.message.startswith(("I could not read", "The built-in planner", "I can compute", "`"))
