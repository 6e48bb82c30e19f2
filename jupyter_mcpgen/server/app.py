"""Puts the MCP application together: the shelf's tools, the discovery tool, announcements, guard and token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastmcp import FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.server.http import StarletteWithLifespan
from fastmcp.tools import Tool, ToolResult
from mcp.server.request_state import RequestStateSecurity
from mcp_types import TextContent, ToolAnnotations
from pydantic import PrivateAttr

from jupyter_mcpgen import __version__
from jupyter_mcpgen.server.compat import Announcer
from jupyter_mcpgen.server.connect import NAME
from jupyter_mcpgen.server.family import PROGRESS_SECONDS, FamilyTool
from jupyter_mcpgen.server.greeting import INSTRUCTIONS
from jupyter_mcpgen.server.listening import PATH
from jupyter_mcpgen.server.provider import Shelf, ShelfProvider
from jupyter_mcpgen.server.slots import Slots
from jupyter_mcpgen.server.unknown import UnknownToolAdvice
from jupyter_mcpgen.tools.offer import Offer

LIGHT_CALLS = 16
WAITING_CALLS = 64
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class ListAvailableTools(Tool):
    """The discovery tool: one line per active tool, and a word about each that is not served."""

    _shelf: ShelfProvider = PrivateAttr()

    @classmethod
    def over(cls, shelf: ShelfProvider) -> ListAvailableTools:
        """Build the tool over a provider."""
        tool = cls(
            name="list_available_tools",
            description=_LISTING_PAGE,
            parameters={"type": "object", "properties": {}, "additionalProperties": False},
            output_schema=_LISTING_SCHEMA,
            annotations=ToolAnnotations(
                read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
            ),
        )
        tool._shelf = shelf
        return tool

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


def build_app(
    shelf: Shelf,
    offers: Sequence[Offer[Any]] = (),
    *,
    state_key: bytes,
    auth: AuthProvider | None = None,
    concurrent_calls: int | None = None,
    progress_seconds: float = PROGRESS_SECONDS,
) -> FastMCP:
    """Build the application over a shelf and the built-in tools that are offered besides.

    `state_key` (32 random bytes, kept outside the registry) seals what clients carry between the rounds of a call.
    """
    announcer = Announcer()
    provider = ShelfProvider(shelf, announcer.announce, concurrent_calls)
    # Looking after sessions and files must not wait behind what runs in them.
    light = Slots(LIGHT_CALLS)
    waiting = Slots(WAITING_CALLS)

    def slots_of(offer: Offer[Any]) -> Slots:
        return provider.slots if offer.runs_code else waiting if offer.waits else light

    built_in = [FamilyTool.of(offer, slots_of(offer), provider.reload, progress_seconds) for offer in offers]
    own = {tool.name: tool for tool in (ListAvailableTools.over(provider), *built_in)}
    app = FastMCP(
        name=NAME,
        version=__version__,
        instructions=INSTRUCTIONS,
        tools=list(own.values()),
        providers=[provider],
        middleware=[UnknownToolAdvice(lambda: (*own, *provider.catalogue.tools))],
        auth=auth,
        # An unforeseen exception is logged in full and told to the client in general terms only.
        mask_error_details=True,
        # What was approved is what is listed, byte for byte.
        dereference_schemas=False,
        request_state_security=RequestStateSecurity(keys=[state_key]),
    )

    def schema_of(name: str) -> dict[str, Any] | None:
        tool = own.get(name)
        return tool.parameters if tool else provider.schema_of(name)

    announcer.attach(app, schema_of)
    return app


def http_application(app: FastMCP, host: str) -> StarletteWithLifespan:
    """Return the ASGI application; the only way to HTTP, and never without the host and origin guard or a token."""
    if app.auth is None:
        raise ValueError("An HTTP server without a token verifier would run tools for every page in the browser.")
    return app.http_app(
        path=PATH,
        transport="http",
        # Said outright, because FastMCP would else take them from `FASTMCP_*` variables or a `.env` file.
        stateless_http=False,
        json_response=False,
        host_origin_protection=True,
        allowed_hosts=[] if host in LOOPBACK else [host],
    )


_LISTING_PAGE = """\
List all registered MCP tools with descriptions.

WHEN TO USE
- First, before code is written: a person may have approved a tool that answers the question.
- Again after a tool was not found or is not served: tools come and go while the server runs.

WHAT COMES BACK
- `tools`: name, version and description of each approved tool. Call it by its name; `tools/list` has its parameters.
- `warnings`: approved tools that are not served, each with the reason.

PITFALLS
- The built-in tools that run code are not in it, they are in `tools/list` only.
- A tool that is not here cannot be made from here: a person asks for it and approves it in a notebook or a terminal.

EXAMPLES
- {}"""
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
