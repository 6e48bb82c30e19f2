"""No client keeps the others from being heard by the size of what it sends: it is looked at beside the loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.context import Context

from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.server.provider import ShelfProvider
from tests.fakes.folder_shelf import FolderShelf, promote

MANY = 20_000


class Watched(dict[str, Any]):
    """Values that remember which threads looked at them."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        self.readers: set[threading.Thread] = set()

    def __iter__(self) -> Iterator[str]:
        self.readers.add(threading.current_thread())
        return super().__iter__()

    def __getitem__(self, name: str) -> Any:
        self.readers.add(threading.current_thread())
        return super().__getitem__(name)


class Lying(FolderShelf):
    """Answers with very many values, none of which is what the tool promises."""

    def call_tool(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation) -> ToolAnswer:
        """Lie, and remember who looks."""
        answer = super().call_tool(name, arguments, cancellation)
        self.structured = Watched({"result": ["no number"] * MANY})
        return answer.model_copy(update={"structured": self.structured})


async def announced(_: Sequence[str]) -> None:
    """Tell nobody."""


def run(shelf: FolderShelf, arguments: dict[str, Any]) -> object:
    provider = ShelfProvider(shelf, announced)

    async def story() -> object:
        await provider.reload()
        async with Context(FastMCP(name="unheard")):
            return (await provider.catalogue.tools["double"].run(arguments)).structured_content

    return asyncio.run(story())


def test_arguments_are_looked_at_beside_the_loop_that_hears_everybody(tmp_path: Path) -> None:
    promote(tmp_path, "double")
    arguments = Watched({"x": 2})

    assert run(FolderShelf(tmp_path), arguments) == {"result": 4}
    assert arguments.readers
    assert threading.main_thread() not in arguments.readers


def test_arguments_that_do_not_fit_are_refused_beside_that_loop_as_well(tmp_path: Path) -> None:
    promote(tmp_path, "double")
    arguments = Watched({f"unknown {number}": number for number in range(MANY)})

    with pytest.raises(ToolError, match="has no parameter `unknown 0`"):
        run(FolderShelf(tmp_path), arguments)

    assert arguments.readers
    assert threading.main_thread() not in arguments.readers


def test_an_answer_is_held_against_its_promise_beside_that_loop(tmp_path: Path) -> None:
    promote(tmp_path, "double")
    shelf = Lying(tmp_path)

    with pytest.raises(ToolError, match="its answer is not what it promises"):
        run(shelf, {"x": 2})

    assert shelf.structured.readers
    assert threading.main_thread() not in shelf.structured.readers


def test_of_very_many_flaws_only_the_first_are_looked_for(tmp_path: Path) -> None:
    promote(tmp_path, "double")
    provider = ShelfProvider(FolderShelf(tmp_path), announced)
    asyncio.run(provider.reload())
    tool = provider.catalogue.tools["double"]
    tool.parameters = {"type": "object", "properties": {"x": {"type": "array", "items": {"type": "string"}}}}

    with pytest.raises(ToolError) as refused:
        tool.check_arguments({"x": [1] * MANY})

    place = int(str(refused.value).partition("`x.")[2].partition("`")[0])
    assert place < MANY // 100
