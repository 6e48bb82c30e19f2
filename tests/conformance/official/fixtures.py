"""The tools that the official suites ask for, as far as a registry can hold them, approved in one.

Approved tools are all that there is to serve: their resources and prompts come with them. So a prompt that a scenario
asks for is a tool of that name, and an address that it reads is the source of a tool.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jupyter_mcpgen.model.tool import FIGURES
from jupyter_mcpgen.registry.store import Registry
from tests.conformance.official.relay import StandIn
from tests.small_tools import SmallTool

_EVERY_WORD_OF_SCHEMAS: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


FIXTURES = (
    SmallTool("test_simple_text", "return 'A plain text.'"),
    SmallTool(
        "test_image_content",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nreturn 'A figure beside this text.'",
        capabilities=(FIGURES, "cap:python.matplotlib"),
    ),
    SmallTool("test_error_handling", "raise ValueError('This tool always fails.')"),
    SmallTool("test_tool_with_progress", "import time\ntime.sleep(3.6)\nreturn 'A long way.'"),
    SmallTool("test_logging_tool", "print('a line')\nreturn 'It printed.'"),
    SmallTool("test_trigger_tool_change", "return 'A person changed the tools.'"),
    SmallTool("test_trigger_prompt_change", "return 'A person changed the prompts.'"),
    SmallTool("test_simple_prompt", "return 'asked'"),
    SmallTool(
        "test_prompt_with_arguments",
        "return arg1 + arg2",
        {
            "type": "object",
            "properties": {
                "arg1": {"type": "string", "enum": ["testValue1", "otherValue"]},
                "arg2": {"type": "string"},
            },
        },
    ),
    SmallTool("json_schema_2020_12_tool", "return name", _EVERY_WORD_OF_SCHEMAS),
    SmallTool("static_text", "return 'a source'"),
    SmallTool("template_123", "return 'a source'"),
)

WORDS = {
    "test://static-text": "mcpgen://tools/static_text/source",
    "test://watched-resource": "mcpgen://tools/static_text/card",
    "test://template/123/data": "mcpgen://tools/template_123/source",
    '"user_name"': '"consent"',
}
"""The suites' addresses, and those under which a registry has such a thing; and what the question is called."""
OFFER = StandIn(
    "dynamic_register_tool", {"name": "asks_first", "source_code": "def asks_first(step: int):\n    return step + 1"}
)
"""Offers a tool, for which the person is asked in the client where the setting allows that."""
STAND_INS = {
    "test_elicitation": OFFER,
    "test_input_required_result_elicitation": OFFER,
    "test_input_required_result_request_state": OFFER,
    "test_input_required_result_tampered_state": OFFER,
    "test_input_required_result_capabilities": OFFER,
}
"""The suites' tools that ask the person something."""
ASKING = {"MCPGEN_SERVER__ELICITATION": "true"}


def changes(registry: Registry) -> Callable[[], None]:
    """Return what a person does at another place when a scenario wants the lists to change."""
    extra = SmallTool("changes_with_each_act", "return 'there'")

    def act() -> None:
        if any(tool.name == extra.name for tool in registry.active()):
            registry.unpublish(extra.name, "ada")
        elif extra.name in registry.names():
            registry.rollback(extra.name, "1.0.0", "ada")
        else:
            extra.promote(registry)

    return act
