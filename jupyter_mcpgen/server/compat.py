"""The only module that touches private names of FastMCP and of the MCP SDK.

FastMCP 4.1 announces a changed list only inside a request, and looks a tool's schema up by listing the whole
catalogue. Both are put right here. `tests/unit/server/test_compat.py` fails when one of the names goes away:
`FastMCP._mcp_server`, `ServerSession._connection`. What FastMCP lacks stands here too: it lets no client subscribe to
a resource.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import anyio
from fastmcp import FastMCP
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)

logger = logging.getLogger(__name__)

FIRST_MODERN_VERSION = "2026-07-28"
PATIENCE_SECONDS = 1.0
SchemaOf = Callable[[str], dict[str, Any] | None]


class Announcer:
    """Tells every connected client, of both protocol eras, that the lists of the server are different ones now."""

    def __init__(self) -> None:
        self._listeners = InMemorySubscriptionBus()
        self._legacy: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._subscribed: weakref.WeakKeyDictionary[Connection, set[str]] = weakref.WeakKeyDictionary()

    async def announce(self, addresses: Sequence[str]) -> None:
        """Say that tools, resources and prompts changed, and to whoever subscribed what is another thing to read now.

        A client that does not read is left behind after a second.
        """
        lists: list[ServerEvent] = [ToolsListChanged(), ResourcesListChanged(), PromptsListChanged()]
        for event in (*lists, *(ResourceUpdated(uri=address) for address in addresses)):
            await self._listeners.publish(event)
        async with anyio.create_task_group() as tasks:
            for connection in list(self._legacy):
                wanted = self._subscribed.get(connection, set())
                tasks.start_soon(_notify, connection, [address for address in addresses if address in wanted])

    def attach(self, app: FastMCP, schema_of: SchemaOf) -> None:
        """Install the corrections; has to happen before the app serves anybody.

        `schema_of` must return the listed schema of every tool: the SDK checks `Mcp-Param-*` headers against it.
        """
        low = app._mcp_server
        low.add_request_handler(
            "subscriptions/listen", SubscriptionsListenRequestParams, ListenHandler(self._listeners)
        )

        async def subscribe(ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams) -> EmptyResult:
            # Only what there is: a client could else have us keep any number of addresses.
            if await app.get_resource(params.uri) is None:
                raise MCPError(code=INVALID_PARAMS, message=f"Resource not found: '{params.uri}'")
            self._subscribed.setdefault(ctx.session._connection, set()).add(params.uri)
            return EmptyResult()

        async def unsubscribe(ctx: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams) -> EmptyResult:
            self._subscribed.get(ctx.session._connection, set()).discard(params.uri)
            return EmptyResult()

        low.add_request_handler("resources/subscribe", SubscribeRequestParams, subscribe)
        low.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, unsubscribe)
        low.middleware.append(self._remember)
        low.get_tool_input_schema = schema_of

    async def _remember(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        connection = ctx.session._connection
        # ISO dates compare as text; modern clients listen through the bus instead.
        if connection.has_standalone_channel and ctx.protocol_version < FIRST_MODERN_VERSION:
            self._legacy.add(connection)
        return await call_next(ctx)


async def _notify(connection: Connection, addresses: Sequence[str]) -> None:
    with anyio.move_on_after(PATIENCE_SECONDS):
        try:
            await connection.send_tool_list_changed()
            await connection.send_resource_list_changed()
            await connection.send_prompt_list_changed()
            for address in addresses:
                await connection.send_resource_updated(address)
        except Exception:  # one client's broken stream must not keep the others from hearing
            logger.warning("A client could not be told that the tools changed.", exc_info=True)
