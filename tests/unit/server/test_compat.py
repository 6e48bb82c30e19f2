"""The private names we rely on exist and mean what we take them to mean."""

from __future__ import annotations

import asyncio
import inspect
import re
from pathlib import Path

from fastmcp import Client, FastMCP
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession

import jupyter_mcpgen.server
from jupyter_mcpgen.server.compat import Announcer


def test_the_private_names_are_still_there():
    low = FastMCP(name="contract")._mcp_server

    assert isinstance(low, Server)
    assert isinstance(low.middleware, list)
    assert hasattr(low, "get_tool_input_schema")
    assert "_connection" in inspect.getsource(ServerSession.__init__)


def test_schemas_are_looked_up_where_we_say_and_not_by_listing_everything():
    app = FastMCP(name="contract")

    def schema_of(_: str) -> None:
        return None

    Announcer().attach(app, schema_of)
    assert app._mcp_server.get_tool_input_schema is schema_of


def test_no_other_module_touches_them():
    package = Path(jupyter_mcpgen.server.__file__).parent
    offenders = [
        path.name
        for path in package.glob("*.py")
        if path.name != "compat.py" and re.search(r"\._mcp_server|\._connection|_on_call_tool", path.read_text())
    ]

    assert offenders == []


def test_fastmcp_still_promises_no_announcements_by_itself():
    """When this fails, FastMCP has learned what `Announcer` does, and `Announcer` can go."""

    async def capability(app: FastMCP) -> bool | None:
        async with Client(app) as client:
            return client.server_capabilities.tools.list_changed

    bare, ours = FastMCP(name="bare"), FastMCP(name="ours")
    Announcer().attach(ours, lambda _: None)

    assert [asyncio.run(capability(app)) for app in (bare, ours)] == [False, True]


def test_fastmcp_still_lets_nobody_subscribe_to_a_resource():
    """When this fails, FastMCP has learned to, and the two handlers of `Announcer` can go."""

    async def capability(app: FastMCP) -> bool | None:
        async with Client(app) as client:
            return client.server_capabilities.resources.subscribe

    bare, ours = FastMCP(name="bare"), FastMCP(name="ours")
    Announcer().attach(ours, lambda _: None)

    assert [asyncio.run(capability(app)) for app in (bare, ours)] == [False, True]
