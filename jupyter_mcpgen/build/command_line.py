"""The parameters of a tool as arguments of a command, written as Python for `argparse`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.build.templating import one_line
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, ToolParameter, ToolSpec

_TYPES = {"integer": "int", "number": "float"}
_FORMAT = "format"


@dataclass(frozen=True)
class CommandLine:
    """One call of `add_argument` per parameter, and what the option is called that says how the result is written."""

    arguments: tuple[str, ...]
    written_as: str
    reads_json: bool


def command_line(spec: ToolSpec) -> CommandLine:
    """Return how a tool is called from a command line."""
    schemas: Mapping[str, Mapping[str, Any]] = spec.input_schema.get("properties", {})
    lines = [_argument(each, schemas.get(each.name, {})) for each in spec.parameters]
    names, option = {each.name for each in spec.parameters}, _FORMAT
    while option in names:
        option = f"output_{option}"
    return CommandLine(tuple(lines), option, any("json.loads" in line for line in lines))


def _argument(parameter: ToolParameter, schema: Mapping[str, Any]) -> str:
    told = repr(one_line(parameter.description).replace("%", "%%"))
    if parameter.name in DATA_PARAMETERS and parameter.required:
        return f"parser.add_argument({parameter.name!r}, help={told})"
    option = f"--{parameter.name.replace('_', '-')}"
    needed = "required=True" if parameter.required else "default=argparse.SUPPRESS"
    parts = [repr(option), f"dest={parameter.name!r}", *_reading(schema), needed, f"help={told}"]
    return f"parser.add_argument({', '.join(parts)})"


def _reading(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield how the text of an argument is read, by the schema of its parameter."""
    match schema:
        case {"type": "string" | ["string", "null"]}:
            return
        case {"type": "boolean"}:
            yield "action=argparse.BooleanOptionalAction"
        case {"type": "integer" | "number" as kind}:
            yield f"type={_TYPES[kind]}"
        case {"type": "array", "items": {"type": "string"}}:
            yield "nargs='*'"
        case {"type": "array", "items": {"type": "integer" | "number" as kind}}:
            yield "nargs='*'"
            yield f"type={_TYPES[kind]}"
        case _:
            yield "type=json.loads"
            yield "metavar='JSON'"
