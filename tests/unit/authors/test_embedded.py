"""The author that needs no model."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.authors.author import Author
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.model.intent import Operation
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import DataKind, DataRef, Request

ROWS = pd.DataFrame(
    {
        "state": ["CA", "TX", "NY", "CA", "TX"],
        "severity": [3, 2, 4, 1, 3],
        "weather": ["Clear", "Rain", "Snow", "Clear", "Fog"],
    }
)


@pytest.fixture(scope="module")
def accidents() -> Profile:
    """Return the profile of seed 000's five rows."""
    return profile("accidents", ROWS)


def request(question: str) -> Request:
    data = DataRef(kind=DataKind.FRAME, name="accidents", path="accidents.parquet")
    return Request(request_id="r", question=question, data=data, asked_at="2026-01-22T10:00:00+00:00")


def test_an_intent_has_the_seeds_fields(accidents: Profile) -> None:
    author: Author = EmbeddedAuthor()

    intent = author.understand(request("average severity by weather"), accidents)

    assert (intent.operation, intent.columns, intent.metrics, intent.input) == (
        Operation.GROUPBY_AGGREGATE,
        ("severity", "weather"),
        ("mean of severity",),
        "accidents.parquet",
    )
    assert intent.reading.startswith("mean of severity by weather")


def test_the_same_question_gives_the_same_tool_to_the_byte(accidents: Profile) -> None:
    packages = []
    for _ in range(2):
        author = EmbeddedAuthor()
        intent = author.understand(request("count by state"), accidents)
        packages.append(author.write(author.specify(intent, frozenset())))

    assert packages[0] == packages[1]


def test_a_persons_own_name_is_taken_as_it_is(accidents: Profile) -> None:
    author = EmbeddedAuthor()
    intent = author.understand(request("count by state"), accidents)

    assert author.specify(intent, {"accidents_by_state"}, "by_state").spec.tool_name == "by_state"
    assert author.specify(intent, {"count_by_group"}).spec.tool_name == "count_by_group_state"


@pytest.mark.parametrize(("question", "words"), [("", "There is no question"), ("zorp of gleeb", "`gleeb`")])
def test_what_cannot_be_read_is_refused_in_words(accidents: Profile, question: str, words: str) -> None:
    with pytest.raises(NotUnderstood, match=words):
        EmbeddedAuthor().understand(request(question), accidents)


@pytest.mark.parametrize(("question", "word"), [("count by country", "country"), ("average zorp by state", "zorp")])
def test_what_can_be_read_in_part_is_refused_with_the_nearest_to_pick(
    accidents: Profile, question: str, word: str
) -> None:
    asked = EmbeddedAuthor().understand(request(question), accidents)

    assert isinstance(asked, OpenQuestion)
    assert f"`{word}` is not a column or value" in asked.refusal
    (nearest,) = asked.intents
    assert nearest.assumptions[0] == f"“{word}” could not be read and is left out."


def test_what_nothing_here_computes_is_named_as_missing(accidents: Profile) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        EmbeddedAuthor().understand(request("cluster the crashes by severity"), accidents)

    assert refusal.value.missing == ("clusters",)
