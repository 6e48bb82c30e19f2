"""The tools that the official suites ask for, as far as a registry can hold them, approved in one.

Approved tools are all that there is to serve: their resources and prompts come with them. So a prompt that a scenario
asks for is a tool of that name, and an address that it reads is the source of a tool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from textwrap import indent
from typing import Any

from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.tool import FIGURES
from jupyter_mcpgen.registry.store import Registry
from tests.builders import approval, approved, draft, spec

_TEXT = {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}
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


@dataclass(frozen=True)
class Fixture:
    """One tool: its name, its code, what it takes and what it may do."""

    name: str
    body: str
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    capabilities: tuple[str, ...] = ()

    def promote(self, registry: Registry) -> None:
        """Have a person approve the tool."""
        names = tuple(self.schema["properties"])
        contract = spec(
            self.name,
            description=f"Does what a scenario asks of `{self.name}`.",
            input_schema=dict(self.schema),
            output_schema=_TEXT,
            parameters=tuple(ToolParameter(name=name, type="str", description=name) for name in names),
        )
        taken = ", ".join(f"{name}: str" for name in names)
        code = f'def {self.name}({taken}) -> str:\n    """Do it."""\n{indent(self.body, "    ")}\n'
        made = draft(
            self.name,
            f"fixture-{self.name}",
            contract=contract,
            capabilities=self.capabilities,
            files={"tool.py": code},
        )
        registry.stage(*made.parts)
        registry.promote(made.tool_id, approval(made), approved())


FIXTURES = (
    Fixture("test_simple_text", "return 'A plain text.'"),
    Fixture(
        "test_image_content",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nreturn 'A figure beside this text.'",
        capabilities=(FIGURES, "cap:python.matplotlib"),
    ),
    Fixture("test_error_handling", "raise ValueError('This tool always fails.')"),
    Fixture("test_tool_with_progress", "import time\ntime.sleep(3.6)\nreturn 'A long way.'"),
    Fixture("test_logging_tool", "print('a line')\nreturn 'It printed.'"),
    Fixture("test_trigger_tool_change", "return 'A person changed the tools.'"),
    Fixture("test_trigger_prompt_change", "return 'A person changed the prompts.'"),
    Fixture("test_simple_prompt", "return 'asked'"),
    Fixture(
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
    Fixture("json_schema_2020_12_tool", "return name", _EVERY_WORD_OF_SCHEMAS),
    Fixture("static_text", "return 'a source'"),
    Fixture("template_123", "return 'a source'"),
)

ADDRESSES = {
    "test://static-text": "mcpgen://tools/static_text/source",
    "test://watched-resource": "mcpgen://tools/static_text/card",
    "test://template/123/data": "mcpgen://tools/template_123/source",
}
"""The suites' addresses, and those under which a registry has such a thing."""


def changes(registry: Registry) -> Callable[[], None]:
    """Return what a person does at another place when a scenario wants the lists to change."""
    extra = Fixture("changes_with_each_act", "return 'there'")

    def act() -> None:
        if any(tool.name == extra.name for tool in registry.active()):
            registry.unpublish(extra.name, "ada")
        elif extra.name in registry.names():
            registry.rollback(extra.name, "1.0.0", "ada")
        else:
            extra.promote(registry)

    return act
