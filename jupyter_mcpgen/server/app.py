"""Puts the MCP application together: the shelf, built-in tools and their guides, announcements, guard and token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastmcp import FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.server.http import StarletteWithLifespan
from mcp.server.request_state import RequestStateSecurity
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from jupyter_mcpgen import __version__
from jupyter_mcpgen.server.calling import PROGRESS_SECONDS
from jupyter_mcpgen.server.compat import Announcer
from jupyter_mcpgen.server.completion import completing
from jupyter_mcpgen.server.connect import NAME
from jupyter_mcpgen.server.discovery import CallByName, ListAvailableTools, ToolSearch
from jupyter_mcpgen.server.family import FamilyTool
from jupyter_mcpgen.server.greeting import INSTRUCTIONS
from jupyter_mcpgen.server.guides import Guides
from jupyter_mcpgen.server.listening import HEALTH, PATH
from jupyter_mcpgen.server.provider import Shelf, ShelfProvider
from jupyter_mcpgen.server.slots import Slots
from jupyter_mcpgen.server.unknown import UnknownToolAdvice
from jupyter_mcpgen.settings import SEARCH_BEYOND
from jupyter_mcpgen.tools.offer import Offer

LIGHT_CALLS = 16
WAITING_CALLS = 64
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def build_app(
    shelf: Shelf,
    offers: Sequence[Offer[Any]] = (),
    *,
    state_key: bytes,
    auth: AuthProvider | None = None,
    concurrent_calls: int | None = None,
    progress_seconds: float = PROGRESS_SECONDS,
    search_beyond: int = SEARCH_BEYOND,
) -> FastMCP:
    """Build the application over a shelf and the built-in tools that are offered besides.

    With more approved tools than `search_beyond` the lists name none of them, and clients search.
    `state_key` (32 random bytes, kept outside the registry) seals what clients carry between the rounds of a call.
    """
    announcer = Announcer()
    provider = ShelfProvider(shelf, announcer.announce, concurrent_calls, search_beyond, progress_seconds)
    # Looking after sessions and files must not wait behind what runs in them.
    light = Slots(LIGHT_CALLS)
    waiting = Slots(WAITING_CALLS)

    def slots_of(offer: Offer[Any]) -> Slots:
        return provider.slots if offer.runs_code else waiting if offer.waits else light

    def served(offer: Offer[Any]) -> FamilyTool:
        return FamilyTool.of(offer, slots_of(offer), provider.reload, progress_seconds)

    listing, by_name = ListAvailableTools.over(provider), CallByName.made()
    built_in = [served(offer) for offer in offers]
    searching = served(ToolSearch(provider, [listing, *built_in]).offer)
    own = {tool.name: tool for tool in (listing, searching, by_name, *built_in)}
    guides = Guides({name: tool.guide for name, tool in own.items()})
    app = FastMCP(
        name=NAME,
        version=__version__,
        instructions=INSTRUCTIONS,
        tools=list(own.values()),
        providers=[provider, guides],
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

    app.add_completion_handler(completing(provider.spec_of, (provider.names_in, guides.names_in)))
    announcer.attach(app, schema_of)
    app.custom_route(HEALTH, methods=["GET"], include_in_schema=False)(_health)
    return app


async def _health(_: Request) -> Response:
    """Say that the server is alive and which version it is, and nothing else: whoever asks has no token."""
    return JSONResponse({"status": "alive", "version": f"{NAME} {__version__}"})


def http_application(app: FastMCP, host: str, *, stateless: bool = False) -> StarletteWithLifespan:
    """Return the ASGI application; the only way to HTTP, and never without the host and origin guard or a token.

    A `stateless` one keeps no sessions of the older protocol, so that each request may come to another server.
    """
    if app.auth is None:
        raise ValueError("An HTTP server without a token verifier would run tools for every page in the browser.")
    return app.http_app(
        path=PATH,
        transport="http",
        # Said outright, because FastMCP would else take them from `FASTMCP_*` variables or a `.env` file.
        stateless_http=stateless,
        json_response=False,
        host_origin_protection=True,
        allowed_hosts=[] if host in LOOPBACK else [host],
    )
