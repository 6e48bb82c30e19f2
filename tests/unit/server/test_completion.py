"""A person who fills in a prompt or an address is offered what fits, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types import CompletionArgument, PromptReference, ResourceTemplateReference

from jupyter_mcpgen.server.completion import completing, values_of
from tests import builders

TEMPLATE = "mcpgen://tools/{name}/card"
CONTRACT = builders.spec(
    "count_moths",
    input_schema={
        "type": "object",
        "properties": {
            "order": {"type": "string", "enum": ["rising", "falling", "Random"]},
            "traps": {"type": "integer", "default": 12},
        },
    },
)


def completed(about: PromptReference | ResourceTemplateReference, argument: str, begun: str = "") -> Any:
    complete = completing(
        {"count_moths": CONTRACT}.get, (lambda uri: ["count_moths", "cut"] if uri == TEMPLATE else [], lambda _: [])
    )
    return complete(about, CompletionArgument(name=argument, value=begun), None)


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"enum": ["a", 2, None]}, ["a", "2", "null"]),
        ({"type": "boolean", "default": True}, ["true", "false"]),
        ({"type": "string", "default": "Größe"}, ["Größe"]),
        ({"type": "array", "default": ["ä"]}, ['["ä"]']),
        ({"type": "string", "default": None}, []),
        ({"type": "string"}, []),
        (True, []),
    ],
)
def test_the_possible_values_are_offered_or_else_the_usual_one(schema: Any, values: list[str]) -> None:
    assert values_of(schema) == values


def test_an_argument_of_a_prompt_is_completed_from_the_contract_whatever_the_case() -> None:
    prompt = PromptReference(type="ref/prompt", name="count_moths")

    assert completed(prompt, "order") == ["Random", "falling", "rising"]
    assert completed(prompt, "order", "R") == ["Random", "rising"]
    assert completed(prompt, "traps", "1") == ["12"]
    assert completed(prompt, "wings") == []


def test_nothing_is_offered_for_a_prompt_that_is_not_there() -> None:
    assert completed(PromptReference(type="ref/prompt", name="count_bats"), "order") == []


def test_a_place_in_an_address_is_completed_with_names() -> None:
    def at(uri: str) -> ResourceTemplateReference:
        return ResourceTemplateReference(type="ref/resource", uri=uri)

    assert completed(at(TEMPLATE), "name", "cu") == ["cut"]
    assert completed(at(TEMPLATE), "other") == []
    assert completed(at("file:///{name}"), "name") == []
