"""Searching and calling by name cost no more than they must, and open no second way in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.server.app import build_app
from jupyter_mcpgen.server.discovery import ToolSearch
from jupyter_mcpgen.server.provider import ShelfProvider
from tests.fakes.folder_shelf import FolderShelf, promote
from tests.unit.server.test_provider import KEY, Crowded, Ear

MANY = 1_000


class Counted(FolderShelf):
    """Counts how often the tools are read, and how many of them are looked at."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.readings = self.looks = 0

    def active(self) -> tuple[PromotedTool, ...]:
        """Count, and read."""
        self.readings += 1
        return super().active()

    def _files(self) -> list[Path]:
        found = super()._files()
        self.looks += len(found)
        return found


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("many")
    for number in range(MANY):
        promote(folder, f"tool_{number}", description=f"Doubles number {number}.")
    return folder


def test_among_a_thousand_tools_a_search_and_a_call_read_no_other_tool(many: Path) -> None:
    shelf = Counted(many)

    async def story() -> tuple[int, int]:
        async with Client(build_app(shelf, state_key=KEY)) as client:
            await client.list_tools()
            before = (shelf.readings, shelf.looks)
            for number in range(0, MANY, 50):
                await client.call_tool("search_tools", {"query": f"number {number}"})
                await client.call_tool("call_tool", {"name": f"tool_{number}", "arguments": {"x": 1}})
                await client.call_tool(f"tool_{number}", {"x": 1})
                await client.list_tools()
                await client.list_resources()
            return shelf.readings - before[0], shelf.looks - before[1]

    assert asyncio.run(story()) == (0, 0)


def test_the_index_is_made_once_and_again_only_after_a_change(tmp_path: Path) -> None:
    promote(tmp_path, "double")
    provider = ShelfProvider(FolderShelf(tmp_path), Ear())
    search = ToolSearch(provider, [])

    async def story() -> list[Any]:
        await provider.reload()
        first, same = search.index, search.index
        await provider.reload()
        unchanged = search.index
        promote(tmp_path, "halve")
        await provider.reload()
        return [first, same, unchanged, search.index]

    first, same, unchanged, changed = asyncio.run(story())
    assert first is same
    assert first is unchanged
    assert first is not changed
    assert changed.find("halve", 5).best == ("halve",)


def test_calls_by_name_wait_in_the_line_of_direct_ones(tmp_path: Path) -> None:
    promote(tmp_path, "slow", code="sleeps")
    shelf = Crowded(tmp_path)

    async def story() -> list[Any]:
        async with Client(build_app(shelf, state_key=KEY, concurrent_calls=2)) as client:
            by_name = [{"name": "slow", "arguments": {"x": x}} for x in range(6)]
            calls = [client.call_tool("call_tool", each) for each in by_name]
            answers = await asyncio.gather(*calls, *(client.call_tool("slow", {"x": x}) for x in range(6)))
            return [answer.structured_content["result"] for answer in answers]

    assert asyncio.run(story()) == [2 * x for x in range(6)] * 2
    assert shelf.most <= 2


@pytest.mark.parametrize(("count", "listed"), [(2, True), (3, False)])
def test_beyond_the_setting_no_list_names_an_approved_tool(tmp_path: Path, count: int, listed: bool) -> None:
    for number in range(count):
        promote(tmp_path, f"tool_{number}")

    async def story() -> list[bool]:
        async with Client(build_app(FolderShelf(tmp_path), state_key=KEY, search_beyond=2)) as client:
            tools = [tool.name for tool in await client.list_tools()]
            resources = [str(resource.uri) for resource in await client.list_resources()]
            prompts = [prompt.name for prompt in await client.list_prompts()]
            called = await client.call_tool("tool_0", {"x": 2})
            assert called.structured_content == {"result": 4}
            return ["tool_0" in tools, "mcpgen://tools/tool_0/card" in resources, "tool_0" in prompts]

    assert asyncio.run(story()) == [listed] * 3


def test_a_call_by_name_says_that_it_may_do_whatever_a_tool_may_do(tmp_path: Path) -> None:
    async def story() -> dict[str, Any]:
        async with Client(build_app(FolderShelf(tmp_path), state_key=KEY)) as client:
            tools = {tool.name: tool for tool in await client.list_tools()}
            return dict(tools["call_tool"].annotations.model_dump(exclude_none=True))

    assert asyncio.run(story()) == {
        "read_only_hint": False,
        "destructive_hint": True,
        "open_world_hint": True,
    }
