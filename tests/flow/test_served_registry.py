"""The server over the real registry: what is promoted, undone or changed there is what clients find."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.server.app import build_app
from jupyter_mcpgen.server.shelf import RegistryShelf
from tests import builders

SOON = 20.0
DISCOVERY = 3
"""So many tools find and call others; they are always there."""


def run(name: str, arguments: Mapping[str, Any], _: Cancellation) -> ToolAnswer:
    """Stand in for the sandbox, which has tests of its own."""
    return ToolAnswer(text=f"{name}: {arguments['file_path']}", structured={"result": str(arguments["file_path"])})


def promote(registry: Registry, of: builders.Draft) -> None:
    """Stage and approve."""
    registry.stage(*of.parts)
    registry.promote(of.tool_id, builders.approval(of), builders.approved())


def test_a_promotion_an_undo_and_a_tampering_reach_a_connected_client(tmp_path: Path):
    served, elsewhere = Registry(tmp_path / "registry"), Registry(tmp_path / "registry")
    news: asyncio.Queue[None] = asyncio.Queue()

    async def told(message: Any) -> None:
        if type(message).__name__ == "ToolListChangedNotification":
            news.put_nowait(None)

    async def story() -> list[Any]:
        app = build_app(RegistryShelf(served, run), state_key=b"k" * 32)
        async with Client(app, mode="legacy", message_handler=told) as client:

            async def after(change: Any) -> list[str]:
                await asyncio.to_thread(change)
                await asyncio.wait_for(news.get(), SOON)
                return [tool.name for tool in await client.list_tools()][DISCOVERY:]

            await client.list_tools()
            promoted = await after(lambda: promote(elsewhere, builders.draft()))
            answer = await client.call_tool("sum_by_group", {"file_path": "crashes.csv"})
            undone = await after(lambda: elsewhere.undo("sum_by_group", "tester"))
            again = await after(lambda: promote(elsewhere, builders.draft(name="mean_by_group", tool_id="other-0002")))
            code = tmp_path / "registry" / "active" / "tools" / "mean_by_group" / "tool.py"
            tampered = await after(lambda: code.write_text("import os\n"))
            refusal = await client.call_tool("mean_by_group", {"file_path": "x"}, raise_on_error=False)
            return [promoted, answer.structured_content, undone, again, tampered, refusal.content[0].text[:40]]

    assert asyncio.run(story()) == [
        ["sum_by_group"],
        {"result": "crashes.csv"},
        [],
        ["mean_by_group"],
        [],
        "`mean_by_group` is not what was approved",
    ]


@pytest.mark.soak
def test_a_next_version_a_rollback_and_an_unpublishing_reach_a_connected_client(tmp_path: Path):
    served, elsewhere = Registry(tmp_path / "registry"), Registry(tmp_path / "registry")
    news: asyncio.Queue[None] = asyncio.Queue()
    next_one = builders.draft(tool_id="next-0002", version="1.1.0", body="return column")

    async def told(message: Any) -> None:
        if type(message).__name__ == "ToolListChangedNotification":
            news.put_nowait(None)

    async def story() -> list[Any]:
        app = build_app(RegistryShelf(served, run), state_key=b"k" * 32)
        async with Client(app, mode="legacy", message_handler=told) as client:

            async def after(change: Any) -> list[str]:
                await asyncio.to_thread(change)
                await asyncio.wait_for(news.get(), SOON)
                return [tool.meta["mcpgen/version"] for tool in (await client.list_tools())[DISCOVERY:]]

            await client.list_tools()
            return [
                await after(lambda: promote(elsewhere, builders.draft())),
                await after(lambda: promote(elsewhere, next_one)),
                await after(lambda: elsewhere.rollback("sum_by_group", None, "tester")),
                await after(lambda: elsewhere.rollback("sum_by_group", "1.1.0", "tester")),
                await after(lambda: elsewhere.unpublish("sum_by_group", "tester")),
                await after(lambda: elsewhere.rollback("sum_by_group", None, "tester")),
            ]

    assert asyncio.run(story()) == [["1.0.0"], ["1.1.0"], ["1.0.0"], ["1.1.0"], [], ["1.1.0"]]
