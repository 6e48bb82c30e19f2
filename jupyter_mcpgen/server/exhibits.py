"""What an approved tool offers besides calls: its source, card and chart as resources, and a prompt that calls it."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fastmcp.exceptions import FastMCPError, PromptError, ResourceError, ValidationError
from fastmcp.prompts.base import Prompt, PromptArgument
from fastmcp.resources.base import Resource
from fastmcp.resources.template import ResourceTemplate
from pydantic import PrivateAttr

from jupyter_mcpgen.errors import did_you_mean
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.plan.visible import fenced, unobeyed
from jupyter_mcpgen.server.utf8 import sendable

TOOLS = "mcpgen://tools"
_ADDRESS = re.compile(rf"{TOOLS}/(?P<name>[a-z_][a-z0-9_]*)/(?P<part>source|card|chart)")


class Part(StrEnum):
    """What there is to read of a tool."""

    SOURCE = "source"
    CARD = "card"
    CHART = "chart"


_TYPES = {
    Part.SOURCE: "text/x-python",
    Part.CARD: "text/markdown",
    Part.CHART: "application/vnd.vegalite.v6+json",
}
_WHAT = {
    Part.SOURCE: "The approved code of {}.",
    Part.CARD: "The card of {}: the answer that was approved, with its evidence.",
    Part.CHART: "The chart of {}, as Vega-Lite, where its answer has one.",
}


@dataclass(frozen=True)
class Exhibit:
    """What is to read of one tool whose files are as approved; not every answer has a chart."""

    source: str
    card: str
    chart: Mapping[str, Any] | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """What there is of it."""
        return tuple(part for part in Part if part is not Part.CHART or self.chart is not None)


Show = Callable[[str, type[FastMCPError]], Awaitable[Exhibit]]
"""Reads a tool afresh; raises the error for one that is not as approved."""


class ToolResource(Resource):
    """One part of a tool, read when it is asked for."""

    _tool: str = PrivateAttr()
    _part: Part = PrivateAttr()
    _show: Show = PrivateAttr()

    @classmethod
    def of(cls, tool: str, part: Part, show: Show) -> ToolResource:
        """Build the resource."""
        resource = cls(
            uri=address(tool, part),
            name=f"{tool}_{part}",
            description=_WHAT[part].format(f"`{tool}`"),
            mime_type=_TYPES[part],
        )
        resource._tool, resource._part, resource._show = tool, part, show
        return resource

    async def read(self) -> str:
        """Return the part as text."""
        exhibit = await self._show(self._tool, ResourceError)
        match self._part:
            case Part.SOURCE:
                return exhibit.source  # the approved bytes, nothing taken out
            case Part.CARD:
                return unobeyed(sendable(exhibit.card))
            case Part.CHART:
                if exhibit.chart is None:
                    raise ResourceError(f"`{self._tool}` has no chart. Read {address(self._tool, Part.CARD)} instead.")
                return json.dumps(sendable(dict(exhibit.chart)), ensure_ascii=False)


class ToolPrompt(Prompt):
    """Asks the client's model to call a tool, with the parameters as arguments."""

    _spec: ToolSpec = PrivateAttr()
    _show: Show = PrivateAttr()

    @classmethod
    def of(cls, spec: ToolSpec, show: Show) -> ToolPrompt:
        """Build the prompt of a tool."""
        required = spec.input_schema.get("required", ())
        prompt = cls(
            name=spec.tool_name,
            description=f"Call `{spec.tool_name}`: {spec.description}",
            arguments=[
                PromptArgument(name=name, description=schema.get("description"), required=name in required)
                for name, schema in spec.input_schema.get("properties", {}).items()
            ],
        )
        prompt._spec, prompt._show = spec, show
        return prompt

    async def render(self, arguments: dict[str, Any] | None = None) -> str:
        """Return what to say to the model; the tool is compared with its approval first."""
        name, given = self._spec.tool_name, {key: value for key, value in (arguments or {}).items() if value != ""}
        known = [argument.name for argument in self.arguments or ()]
        unknown = next((key for key in given if key not in known), None)
        if unknown is not None:
            raise ValidationError(
                f"The prompt `{name}` has no argument `{unknown[:64]}`.{did_you_mean(unknown, known)}"
            )
        missing = next((each.name for each in self.arguments or () if each.required and each.name not in given), None)
        if missing is not None:
            raise ValidationError(f"The prompt `{name}` needs the argument `{missing}`.")
        await self._show(name, PromptError)
        properties = self._spec.input_schema["properties"] if given else {}
        values = {key: _value(value, properties[key]) for key, value in given.items()}
        block = fenced(json.dumps(sendable(values), ensure_ascii=False, indent=2), "json")
        return (
            f"Call the tool `{name}` with these arguments, leave the others at their defaults, and answer from its "
            f"result.\n\n{block}"
        )


def address(tool: str, part: Part) -> str:
    """Return the address of a part of a tool."""
    return f"{TOOLS}/{tool}/{part}"


TEMPLATES = {address("{name}", part): part for part in Part}
"""The addresses of what every approved tool has, with a place for its name."""


def named_in(uri: str) -> tuple[str, Part] | None:
    """Return the tool and the part that an address names, if it names one."""
    found = _ADDRESS.fullmatch(uri)
    return None if found is None else (found["name"], Part(found["part"]))


def templates() -> list[ResourceTemplate]:
    """Return what is listed of these addresses."""
    names = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    return [
        ResourceTemplate(
            uri_template=template,
            name=f"tool_{part}",
            description=_WHAT[part].format("an approved tool"),
            mime_type=_TYPES[part],
            parameters=names,
        )
        for template, part in TEMPLATES.items()
    ]


def _value(given: Any, schema: Mapping[str, Any]) -> Any:
    """Return an argument, which clients send as text, as a value of the parameter's type where it can be read so."""
    if not isinstance(given, str) or schema.get("type") == "string":
        return given
    try:
        return json.loads(given)
    except ValueError:
        return given
