"""Malformed JSON is corrected without a word more or less, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcpgen.authors.corrected_json import Corrector
from tests.fakes.model import ScriptedModel


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("parameters", "[{name: test}]", [{"name": "test"}]),
        ("capabilities", "['cap:python.numpy']", ["cap:python.numpy"]),
        ("parameters", '[{"name": "a", "required": True},]', [{"name": "a", "required": True}]),
        ("returns", "{'type': 'number', 'description': 'The sum'", {"type": "number", "description": "The sum"}),
    ],
)
def test_quotes_commas_and_brackets_are_corrected_by_rules(field: str, text: str, value: Any) -> None:
    corrected = Corrector().correct(field, text, "a flaw")

    assert corrected is not None
    assert (corrected.value, corrected.original) == (value, text)


@pytest.mark.parametrize("text", ["[{]]{{", "", "cap:python.numpy", '{"name": "a list was due"}'])
def test_what_is_beyond_that_is_left_as_it_is(text: str) -> None:
    assert Corrector().correct("parameters", text, "a flaw") is None


def test_the_model_is_asked_once_and_sees_only_the_text() -> None:
    model = ScriptedModel({"json": [{"corrected": '[{"name": "speed"}]'}]})

    corrected = Corrector(lambda: model).correct("parameters", "name is speed", "Expecting value")

    assert corrected is None, "a word is missing"
    (prompt,) = model.asked
    assert "`parameters`" in prompt.messages[0].content
    assert "Expecting value" in prompt.messages[0].content
    assert "name is speed" in prompt.messages[1].content


def test_a_correction_of_the_model_counts_where_it_keeps_every_word() -> None:
    model = ScriptedModel({"json": [{"corrected": '["cap:scipy", "cap:numpy"]'}]})

    corrected = Corrector(lambda: model).correct("capabilities", "cap:scipy; cap:numpy", "Expecting value")

    assert corrected is not None
    assert corrected.value == ["cap:scipy", "cap:numpy"]
