"""Finding and reaching tools without a list of all: `list_available_tools`, `search_tools`, `call_tool`."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastmcp.exceptions import ToolError
from fastmcp.server.dependencies import get_context
from fastmcp.server.transforms.search import serialize_tools_for_output_markdown
from fastmcp.tools import Tool, ToolResult
from mcp_types import TextContent
from pydantic import Field, PrivateAttr

from jupyter_mcpgen.errors import ToolFailed
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.registry.full_text import WordIndex, Words, words_of_parameters
from jupyter_mcpgen.server.family import BuiltIn, hints_of
from jupyter_mcpgen.server.provider import Catalogue, ShelfProvider
from jupyter_mcpgen.server.utf8 import sendable
from jupyter_mcpgen.tools.offer import (
    REACHES_OUT,
    READS,
    Caller,
    Offer,
    Reply,
    described,
    guide_of,
    parsed,
    plain_schema,
)

LISTING, SEARCH, CALL = "list_available_tools", "search_tools", "call_tool"
MOST_FOUND = 20


class ListAvailableTools(BuiltIn):
    """The discovery tool: one line per active tool, and a word about each that is not served."""

    _shelf: ShelfProvider = PrivateAttr()

    @classmethod
    def over(cls, shelf: ShelfProvider) -> ListAvailableTools:
        """Build the tool over a provider."""
        tool = cls(
            name=LISTING,
            description=described(LISTING),
            parameters={"type": "object", "properties": {}},
            annotations=hints_of(READS),
        )
        tool._shelf = shelf
        return tool

    def guide(self) -> str:
        """Return all there is to read about the tool."""
        return guide_of(LISTING, self.description or "", _LISTING_SCHEMA)

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """List what is served right now."""
        catalogue = self._shelf.catalogue
        active = [tool.promoted for tool in catalogue.tools.values()]
        lines = [f"- **{tool.name}** (v{tool.version}): {tool.spec.description}" for tool in active]
        warnings = [*catalogue.refused.values(), *((catalogue.trouble,) if catalogue.trouble else ())]
        if not lines:
            lines.append("There are no tools yet. Ask a question in a notebook and approve the answer.")
        text = "\n".join([*lines, *(f"\nNot served: {warning}" for warning in warnings)])
        return ToolResult(
            content=[TextContent(type="text", text=text)],
            structured_content={
                "tools": [
                    {"name": tool.name, "version": tool.version, "description": tool.spec.description}
                    for tool in active
                ],
                "warnings": warnings,
            },
        )


class SearchTools(Record):
    """What `search_tools` takes."""

    query: str = Field(description="words to look for in names, descriptions and parameters")
    limit: int = Field(default=5, ge=1, le=MOST_FOUND, description="most tools to return")


class FoundTool(Record):
    """A tool as a client has to know it to call it."""

    name: str
    description: str
    input_schema: dict[str, Any]


class FoundTools(Record):
    """The tools that fit best, the best one first."""

    tools: tuple[FoundTool, ...]
    found: int = Field(description="how many tools have a word of the query")


class ToolSearch:
    """Searches the approved tools that there are now and the built-in ones; indexed again only after a change."""

    def __init__(self, provider: ShelfProvider, built_in: Sequence[Tool]) -> None:
        self._provider = provider
        self._built_in = built_in
        self._making = threading.Lock()
        self._made: tuple[Catalogue, WordIndex] | None = None

    @property
    def offer(self) -> Offer[SearchTools]:
        """The tool that searches."""
        return Offer(SEARCH, SearchTools, FoundTools, READS, self.find)

    @property
    def index(self) -> WordIndex:
        """The words of the tools that there are now."""
        return self._current()[1]

    def find(self, asked: SearchTools, _: Caller) -> Reply:
        """Return the tools that fit best."""
        catalogue, index = self._current()
        names, found = index.find(asked.query, asked.limit)
        known = {tool.name: tool for tool in self._built_in} | dict(catalogue.tools)
        tools = [known[name] for name in names]
        record = FoundTools(
            tools=tuple(
                FoundTool(name=tool.name, description=tool.description or "", input_schema=tool.parameters)
                for tool in tools
            ),
            found=found,
        )
        return Reply(serialize_tools_for_output_markdown(tools) if tools else _NOTHING, record)

    def _current(self) -> tuple[Catalogue, WordIndex]:
        with self._making:
            catalogue = self._provider.catalogue
            if self._made is None or not self._made[0].same_tools(catalogue):
                self._made = catalogue, WordIndex(map(_words_of, (*self._built_in, *catalogue.tools.values())))
            return self._made


def _words_of(tool: Tool) -> Words:
    return Words(tool.name, tool.description or "", words_of_parameters(tool.parameters))


class CallTool(Record):
    """What `call_tool` takes."""

    name: str = Field(description="the name of the tool")
    arguments: Annotated[Mapping[str, Any], Field(description="its arguments")] = {}


class CallByName(BuiltIn):
    """Calls another tool the way a client calls it: through the same checks, places and sandbox."""

    @classmethod
    def made(cls) -> CallByName:
        """Build the tool; what it calls may do anything that a tool may do."""
        return cls(
            name=CALL,
            description=described(CALL),
            parameters=plain_schema(CallTool.model_json_schema()),
            annotations=hints_of(REACHES_OUT),
        )

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Call the tool and return its answer as it is."""
        try:
            asked = parsed(CALL, CallTool, arguments)
        except ToolFailed as error:
            raise ToolError(sendable(str(error))) from error
        if asked.name == CALL:
            raise ToolError(f"`{CALL}` cannot call itself. Name the tool to call.")
        return await get_context().fastmcp.call_tool(asked.name, dict(asked.arguments))


_NOTHING = "No tool has any of these words. Try others, or `list_available_tools`."
_LISTING_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "tools": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "version": {"type": "string"},
                    "description": {"type": "string"},
                },
                "required": ["name", "version", "description"],
            },
        },
        "warnings": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["tools", "warnings"],
}
