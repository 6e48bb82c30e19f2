"""The servers that are measured: ours over tools that do nothing, and a bare FastMCP server as the reference.

`python -m benchmarks.servers bare stdio|PORT` runs the bare one, `… ours OPTIONS` ours.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

import jupyter_mcpgen.server.schemas  # noqa: F401  before the MCP client, which imports `jsonschema` in full
from benchmarks.place import Place
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.tool import PromotedTool, annotations_for
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.server.data_folders import remember
from jupyter_mcpgen.server.exhibits import Exhibit

PROGRAM = (sys.executable, "-m", "benchmarks.servers")


class NoopShelf:
    """Tools that do nothing, one per line of a file, so that only the server's own work is measured."""

    def __init__(self, root: Path) -> None:
        self.folder = root

    def mark(self) -> object:
        """Tell one state of the index from the next."""
        return (self.folder / "metadata.json").stat().st_mtime_ns

    def active(self) -> tuple[PromotedTool, ...]:
        """Return one tool per name in the index."""
        return tuple(_tool(name) for name in (self.folder / "metadata.json").read_text(encoding="utf-8").split())

    def refused(self) -> Mapping[str, str]:
        """Refuse nothing."""
        return {}

    def exhibit(self, name: str) -> Exhibit:
        """Return a source that does nothing."""
        return Exhibit(source="", card="")

    def call_tool(self, name: str, arguments: Mapping[str, Any], cancellation: object) -> ToolAnswer:
        """Do nothing."""
        return ToolAnswer(text="0", structured={"result": 0.0})


def noop_registry(place: Place, tools: int) -> Path:
    """Make a folder that `NoopShelf` reads: `noop0`, `noop1` and so on."""
    root = place.new_folder("registry")
    (root / "metadata.json").write_text("\n".join(f"noop{number}" for number in range(tools)), encoding="utf-8")
    return root


@contextlib.contextmanager
def bare_http(place: Place) -> Iterator[str]:
    """Run the bare server and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([*PROGRAM, "bare", str(port)], env=place.environment, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def our_http(place: Place, registry: Path, program: tuple[str, ...] = launch.PROGRAM) -> Iterator[launch.ServerStatus]:
    """Run our server over a registry; the table of the place is open to clients."""
    state = _state(place)
    try:
        yield launch.start(registry, folder=state, program=program)
    finally:
        launch.stop(state)


def _state(place: Place) -> Path:
    state = place.new_folder("state")
    remember(state, file=place.table)
    return state


@contextlib.asynccontextmanager
async def over_http(url: str, token: str = "none") -> AsyncIterator[Client]:  # noqa: S107  the bare server takes any
    """Connect a modern client."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), cache=None) as client,
    ):
        yield client


def over_stdio(place: Place, command: tuple[str, ...]) -> Client:
    """Connect a modern client to a server that it starts itself."""
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]), env=place.environment)
    return Client(stdio_client(parameters), cache=None)


def our_stdio(place: Place, registry: Path, program: tuple[str, ...] = launch.PROGRAM) -> Client:
    """Connect to our server over stdio."""
    options = ("--stdio", "--registry", str(registry), "--state", str(_state(place)))
    return over_stdio(place, (*program, *options))


def _tool(name: str) -> PromotedTool:
    number = {"type": "number", "description": "a number"}
    spec = ToolSpec(
        tool_name=name,
        description="Does nothing, for measuring.",
        input_schema={"type": "object", "properties": {"x": number}, "required": ["x"]},
        output_schema={"type": "object", "properties": {"result": number}, "required": ["result"]},
        parameters=(),
        when_to_use="To measure.",
        what_it_does="Nothing.",
        returns="Zero.",
        prerequisites="None.",
    )
    return PromotedTool(
        name=name,
        version="1.0.0",
        tool_id=name,
        path=Path(name),
        spec=spec,
        spec_hash="",
        code_hash="",
        fingerprint=name,
        annotations=annotations_for(()),
        capabilities=(),
        dependencies=(),
        promoted_at="",
        created_by="",
    )


def _serve_bare(door: str) -> None:
    """Run a FastMCP server with one decorated tool, no token and no guard."""
    from fastmcp import FastMCP  # deferred: only this process needs it

    app = FastMCP(name="bare")

    @app.tool
    async def noop(x: float) -> dict[str, float]:
        return {"result": 0.0}

    if door == "stdio":
        app.run("stdio", show_banner=False, log_level="WARNING")
    else:
        app.run("http", host="127.0.0.1", port=int(door), show_banner=False, uvicorn_config={"log_level": "warning"})


@contextlib.contextmanager
def _open_served(registry: Path | None, state: Path) -> Iterator[Any]:
    from jupyter_mcpgen.server.serve import Served  # deferred: only this process needs it

    assert registry is not None
    yield Served(NoopShelf(registry))


def main(arguments: list[str]) -> int:
    """Be one of the servers."""
    match arguments:
        case ["bare", door]:
            _serve_bare(door)
        case ["ours", *rest]:
            from jupyter_mcpgen.server import serve  # deferred: only this process needs it

            return serve.main(rest, _open_served)
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return os.EX_USAGE
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
