"""Which of two columns is meant that the same words mention."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.schema.mentions import column_mentions
from jupyter_mcpgen.nl.text.tokens import tokenize
from tests.unit.nl.schema.tables import schema

SAILORS = ["Ida", "Ada", "Eva", "Uma", "Ina"] * 8
NUMBERS = [31, 14, 15, 92, 65] * 8
TABLE = schema(
    "moorings",
    fee=[4.5, 5.5, 6.5, 8.5] * 10,
    average_fee=[4.5, 6.5, 6.5, 8.5] * 10,
    budget_fee=[4.5, 7.5, 6.5, 8.5] * 10,
    actual_load=[1, 2, 3, 4] * 10,
    target_load=[2, 2, 3, 4] * 10,
    sailor_id=NUMBERS,
    sailor_name=SAILORS,
    agent_id=[n % 7 + 100 for n in range(40)],
    agent_name=["Moe", "Joe"] * 20,
)


def cheapest(words: str) -> tuple[str, float]:
    """Return the column that a text means, and how much more the next one costs."""
    tokens = tokenize(words)
    found = sorted(
        (one.cost, one.column) for one in column_mentions(tokens, TABLE) if (one.first, one.last) == (0, len(tokens))
    )
    return found[0][1], (found[1][0] if len(found) > 1 else 1.0) - found[0][0]


@pytest.mark.parametrize(
    ("words", "column"),
    [
        ("fee", "fee"),
        ("fees", "fee"),
        ("average fee", "average_fee"),
        ("budget fee", "budget_fee"),
        ("load", "actual_load"),
        ("target load", "target_load"),
    ],
)
def test_a_measure_without_more_is_the_plain_one(words: str, column: str) -> None:
    found, ahead = cheapest(words)

    assert found == column
    assert ahead > 0.15


@pytest.mark.parametrize(
    ("words", "column"),
    [("sailors", "sailor_name"), ("sailor id", "sailor_id"), ("agents", "agent_id"), ("agent name", "agent_name")],
)
def test_a_thing_is_meant_by_its_name_only_where_that_tells_things_apart(words: str, column: str) -> None:
    found, ahead = cheapest(words)

    assert found == column
    assert ahead > 0.06
