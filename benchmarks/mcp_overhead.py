"""What the MCP server adds to a call that does nothing, and how long a promotion takes to reach clients.

Every figure of the product stands beside the same work on a bare FastMCP server, measured in the same run.
`python benchmarks/mcp_overhead.py` prints one JSON object; times are milliseconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.tool import PromotedTool, annotations_for
from jupyter_mcpgen.server import launch

CALLS = 200
PROMOTIONS = 20


class NoopShelf:
    """Tools that do nothing: one per line of a file, so that only the server's own work is measured."""

    def __init__(self, root: Path) -> None:
        self.folder = root

    def active(self) -> tuple[PromotedTool, ...]:
        """Return one tool per name in the index."""
        return tuple(_tool(name) for name in (self.folder / "metadata.json").read_text().split())

    def refused(self) -> Mapping[str, str]:
        """Refuse nothing."""
        return {}

    def call_tool(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Do nothing."""
        return ToolAnswer(text="0", structured={"result": 0.0})


def write_index(root: Path, names: list[str]) -> None:
    """Replace the index in one step."""
    draft = root / ".index.tmp"
    draft.write_text("\n".join(names))
    draft.replace(root / "metadata.json")


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


def serve_bare(transport: str, port: int) -> None:
    """Run a FastMCP server with one decorated tool, no token and no guard."""
    from fastmcp import FastMCP

    app = FastMCP(name="bare")

    @app.tool
    async def noop(x: float) -> dict[str, float]:
        return {"result": 0.0}

    if transport == "stdio":
        app.run("stdio", show_banner=False)
    else:
        app.run("http", host="127.0.0.1", port=port, show_banner=False, uvicorn_config={"log_level": "warning"})


async def call_times(client: Client, name: str, callers: int = 1) -> dict[str, float]:
    """Call a tool many times and return the median, the 95th percentile and the rate."""
    for _ in range(10):
        await client.call_tool(name, {"x": 1})
    times: list[float] = []

    async def caller() -> None:
        for _ in range(CALLS // callers):
            begin = time.perf_counter()
            await client.call_tool(name, {"x": 1})
            times.append((time.perf_counter() - begin) * 1000)

    begin = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    elapsed = time.perf_counter() - begin
    return {
        "p50": round(statistics.median(times), 2),
        "p95": round(statistics.quantiles(times, n=20)[-1], 2),
        "per_second": round(len(times) / elapsed),
    }


async def measure(client: Client, name: str) -> dict[str, Any]:
    """Measure one and eight callers."""
    return {f"{callers} callers": await call_times(client, name, callers) for callers in (1, 8)}


@contextlib.asynccontextmanager
async def over_http(url: str, token: str) -> AsyncIterator[Client]:
    """Connect a modern client."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), cache=None) as client,
    ):
        yield client


def over_stdio(*arguments: str) -> Client:
    """Connect a modern client to a program of its own."""
    command = StdioServerParameters(command=sys.executable, args=[__file__, *arguments], env=dict(os.environ))
    return Client(stdio_client(command), cache=None)


@contextlib.contextmanager
def bare_http() -> Iterator[str]:
    """Run the bare server and return its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, __file__, "bare", "http", str(port)], stderr=subprocess.DEVNULL)
    try:
        while True:
            with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def our_http(tools: int) -> Iterator[tuple[launch.ServerStatus, Path]]:
    """Run our server over so many tools."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "registry"
        root.mkdir()
        write_index(root, [f"noop{number:05}" for number in range(tools)])
        program = (sys.executable, __file__, "ours")
        yield launch.start(root, folder=Path(folder) / "state", program=program), root
        launch.stop(Path(folder) / "state")


async def promotion_times(client: Client, root: Path) -> dict[str, float]:
    """Promote tools from outside, and time the announcement and the new list."""
    told, listed = [], []
    async with client.listen(tools_list_changed=True) as news:
        for number in range(PROMOTIONS):
            begin = time.perf_counter()
            write_index(root, ["noop00000", f"added{number}"])
            await anext(news)
            told.append((time.perf_counter() - begin) * 1000)
            tools = await client.list_tools()
            listed.append((time.perf_counter() - begin) * 1000)
            assert any(tool.name == f"added{number}" for tool in tools.tools)
    return {
        "told p50": round(statistics.median(told), 1),
        "told max": round(max(told), 1),
        "listed p50": round(statistics.median(listed), 1),
        "listed max": round(max(listed), 1),
    }


async def compare() -> dict[str, Any]:
    """Run everything once."""
    figures: dict[str, Any] = {}
    with bare_http() as url:
        async with over_http(url, "none") as client:
            figures["bare FastMCP, HTTP"] = await measure(client, "noop")
    for tools in (10, 1000):
        with our_http(tools) as (server, root):
            async with over_http(server.url, server.token.get_secret_value()) as client:
                figures[f"ours, HTTP, {tools} tools"] = await measure(client, "noop00000")
                if tools == 10:
                    figures["promotion, HTTP"] = await promotion_times(client, root)
    async with over_stdio("bare", "stdio", "0") as client:
        figures["bare FastMCP, stdio"] = await measure(client, "noop")
    with tempfile.TemporaryDirectory() as folder:
        write_index(Path(folder), ["noop00000"])
        async with over_stdio("ours", "--stdio", "--registry", folder, "--state", f"{folder}/state") as client:
            figures["ours, stdio, 1 tool"] = await measure(client, "noop00000")
    return figures


@contextlib.contextmanager
def open_shelf(registry: Path | None) -> Iterator[NoopShelf]:
    """Open the measuring shelf."""
    assert registry is not None
    yield NoopShelf(registry)


def main(arguments: list[str]) -> int:
    """Measure, or be one of the measured servers."""
    match arguments:
        case ["bare", transport, port]:
            serve_bare(transport, int(port))
        case ["ours", *rest]:
            from jupyter_mcpgen.server import serve

            return serve.main(rest, open_shelf)
        case _:
            report: Callable[[str], int] = sys.stdout.write
            report(json.dumps(asyncio.run(compare()), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
