"""A real server over a registry with one approved tool, and clients of both eras over both transports."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import get_default_environment, stdio_client
from mcp.client.streamable_http import streamable_http_client

from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.runtime import build
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.settings import load_settings
from tests.small_tools import SmallTool

SOON = 60.0
WAYS = [(era, transport) for era in ("legacy", "auto") for transport in ("http", "stdio")]
DISCOVERY = ("list_available_tools", "search_tools", "call_tool")


@dataclass(frozen=True)
class Served:
    """A running server, its registry and state, and the environment that a client starts another one with."""

    status: launch.ServerStatus
    registry: Path
    state: Path
    environment: dict[str, str]
    program: tuple[str, ...] = launch.PROGRAM

    @contextlib.asynccontextmanager
    async def client(self, era: str, transport: str, **options: Any) -> AsyncIterator[Client]:
        """Connect a client that caches nothing."""
        async with contextlib.AsyncExitStack() as stack:
            way = await stack.enter_async_context(self._http()) if transport == "http" else self._stdio()
            yield await stack.enter_async_context(Client(way, mode=era, cache=None, **options))

    @contextlib.asynccontextmanager
    async def _http(self) -> AsyncIterator[Any]:
        headers = {"Authorization": f"Bearer {self.status.token.get_secret_value()}"}
        async with httpx2.AsyncClient(headers=headers, timeout=SOON) as http:
            yield streamable_http_client(self.status.url, http_client=http)

    def _stdio(self) -> Any:
        options = ["--stdio", "--registry", str(self.registry), "--state", str(self.state)]
        arguments = [*self.program[1:], *options]
        environment = {**get_default_environment(), **self.environment}
        return stdio_client(StdioServerParameters(command=sys.executable, args=arguments, env=environment))


@contextlib.contextmanager
def serving(folder: Path, tools: Iterable[SmallTool], settings: Mapping[str, str] | None = None) -> Iterator[Served]:
    """Serve approved tools with the product's own server; everything of it lies in the folder."""
    places = {"JUPYTER_DATA_DIR": "jupyter", "JUPYTER_CONFIG_DIR": "config", "MCPGEN_REGISTRY__PATH": "registry"}
    environment = {**(settings or {}), **{name: str(folder / place) for name, place in places.items()}}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        registry = person()
        for tool in tools:
            tool.promote(registry)
        status = launch.start(registry.root, folder=folder / "state")
        try:
            yield Served(status, registry.root, folder / "state", environment)
        finally:
            launch.stop(folder / "state")


def person() -> Registry:
    """Return the registry as the person has it, in a process beside every server."""
    return build(load_settings().values).registry
