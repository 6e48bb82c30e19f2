"""A result that says nothing is no answer: it is refused with what left nothing, and the nearest can be picked."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.errors import FoundNothing
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import shown

FERRIES = pd.DataFrame(
    {
        "harbour": ["Skagen", "Skagen", "Molde", "Molde", "Vigo"],
        "boat": ["Anna", "Berta", "Anna", "Carla", "Berta"],
        "passengers": [120, 80, 60, 90, 40],
        "fare": [9.5, None, None, None, None],
        "sailed": pd.to_datetime(["2023-01-04", "2023-05-06", "2024-02-01", "2024-03-09", "2024-07-30"]),
    }
)


def refusal(runtime: Runtime, question: str) -> FoundNothing:
    with pytest.raises(FoundNothing) as caught:
        runtime.ask(question, runtime.reference("ferries", FERRIES))
    assert runtime.registry.staged() == ()
    return caught.value


@pytest.mark.every_run("passengers above 500 by harbour-No groups", "how many ferries in 2031")
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("total passengers in 2031", "`sailed` goes from 2023-01-04 to 2024-07-30"),
        ("total passengers by boat in 2031", "`sailed` goes from 2023-01-04 to 2024-07-30"),
        ("how many ferries in 2031", "`sailed` goes from 2023-01-04 to 2024-07-30"),
        ("passengers above 500 by harbour", "No group of `ferries` matches: sum_passengers is greater than 500"),
        ("average passengers where passengers above 500", "`passengers` goes from 40 to 120"),
        ("total passengers of Carla in Vigo", "matches all of this together"),
        ("average fare in Molde", "`fare` has no value"),
        ("total fare in Vigo", "`fare` has no value"),
    ],
)
def test_what_left_nothing_is_named(runtime: Runtime, question: str, said: str) -> None:
    assert said in str(refusal(runtime, question))


def test_the_nearest_that_has_an_answer_can_be_picked(runtime: Runtime) -> None:
    refused = refusal(runtime, "total passengers of Carla in Vigo")

    card = runtime.pick(refused.question_id, runtime.question(refused.question_id).options[0].label)

    assert card.sound
    assert card.table.total_rows == 1
    assert card.table.rows[0][0] in (90, 40)


def test_a_question_that_some_rows_answer_is_answered(runtime: Runtime) -> None:
    card = shown(runtime, runtime.compute("total passengers of Carla in Molde", runtime.reference("ferries", FERRIES)))

    assert card.table.rows == ((90,),)


def test_a_group_without_a_value_has_no_sum(runtime: Runtime) -> None:
    card = shown(runtime, runtime.compute("total fare by harbour", runtime.reference("ferries", FERRIES)))

    assert is_sound(card.evidence)
    assert dict(card.table.rows) == {"Skagen": 9.5, "Molde": None, "Vigo": None}
