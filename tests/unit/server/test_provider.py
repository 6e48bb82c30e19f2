"""The served tools are the approved ones, in words, schemas and order."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client, FastMCP
from fastmcp.server.context import Context

from jupyter_mcpgen.errors import RegistryBusy
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.server.app import build_app, http_application
from jupyter_mcpgen.server.provider import Catalogue, Shelf, ShelfProvider
from tests.fakes.folder_shelf import FolderShelf, promote, tamper

KEY = b"k" * 32
DISCOVERY = ("list_available_tools", "search_tools", "call_tool")


class Ear:
    """Counts announcements, and keeps the addresses of the last one."""

    def __init__(self) -> None:
        self.heard = 0
        self.addresses: Sequence[str] = ()

    async def __call__(self, addresses: Sequence[str]) -> None:
        """Hear one."""
        self.heard += 1
        self.addresses = addresses


def listing(shelf: Shelf) -> tuple[str, Any]:
    async def call() -> tuple[str, Any]:
        async with Client(build_app(shelf, state_key=KEY)) as client:
            answer = await client.call_tool("list_available_tools")
            return answer.content[0].text, answer.structured_content

    return asyncio.run(call())


def test_the_listing_reads_as_the_seed_asks(tmp_path: Path):
    promote(tmp_path, "zebra", description="Counts stripes.")
    promote(tmp_path, "aardvark", description="Counts ants.")

    assert listing(FolderShelf(tmp_path)) == (
        "- **aardvark** (v1.0.0): Counts ants.\n- **zebra** (v1.0.0): Counts stripes.",
        {
            "tools": [
                {"name": "aardvark", "version": "1.0.0", "description": "Counts ants."},
                {"name": "zebra", "version": "1.0.0", "description": "Counts stripes."},
            ],
            "warnings": [],
        },
    )


def test_an_empty_registry_says_how_to_fill_it(tmp_path: Path):
    text, _ = listing(FolderShelf(tmp_path))

    assert text == "There are no tools yet. Ask a question in a notebook and approve the answer."


def test_a_tampered_tool_is_named_and_not_served(tmp_path: Path):
    tamper(promote(tmp_path, "double"))
    text, structured = listing(FolderShelf(tmp_path))

    assert text.startswith("There are no tools yet.")
    assert "Not served: `double` is not what was approved" in text
    assert structured["tools"] == []


def test_an_unknown_tool_is_answered_with_the_nearest_name_and_a_way_on(tmp_path: Path):
    promote(tmp_path, "double")

    async def called(name: str) -> Any:
        async with Client(build_app(FolderShelf(tmp_path), state_key=KEY)) as client:
            return await client.call_tool(name, {}, raise_on_error=False)

    near, far, tool = (asyncio.run(called(name)) for name in ("duoble", "x" * 5_000, "list_availabel_tools"))

    assert (near.is_error, far.is_error, tool.is_error) == (True, True, True)
    assert near.content[0].text == (
        "Unknown tool: `duoble`. Did you mean `double`? Call `list_available_tools` to see the approved tools, or list "
        "the server's tools again: the set changes when a person approves or takes back one."
    )
    assert len(far.content[0].text) < 400
    assert "Did you mean `list_available_tools`?" in tool.content[0].text


def test_a_tool_is_listed_with_its_approved_words_hints_and_schemas(tmp_path: Path):
    promote(tmp_path, "double")

    async def listed() -> Any:
        async with Client(build_app(FolderShelf(tmp_path), state_key=KEY)) as client:
            return next(tool for tool in await client.list_tools() if tool.name == "double")

    tool = asyncio.run(listed())
    assert tool.description == (
        "Doubles a number.\n\nWHEN TO USE:\nTo double.\n\nWHAT IT DOES:\nMultiplies by two.\n\n"
        "RETURNS:\nThe double.\n\nPREREQUISITES:\nNone."
    )
    assert tool.input_schema == {
        "type": "object",
        "properties": {"x": {"type": "number", "description": "the number"}},
        "required": ["x"],
    }
    assert tool.output_schema == {
        "type": "object",
        "properties": {"result": {"type": "number"}},
        "required": ["result"],
    }
    assert tool.annotations.model_dump(exclude_none=True) == {
        "read_only_hint": True,
        "destructive_hint": False,
        "idempotent_hint": True,
        "open_world_hint": False,
    }
    assert tool.meta["mcpgen/version"] == "1.0.0"


def test_the_schema_of_every_listed_tool_is_found_without_listing(tmp_path: Path):
    promote(tmp_path, "double")
    app = build_app(FolderShelf(tmp_path), state_key=KEY)

    async def schemas() -> tuple[dict[str, Any], dict[str, Any]]:
        async with Client(app) as client:
            listed = {tool.name: tool.input_schema for tool in await client.list_tools()}
            return listed, {name: app._mcp_server.get_tool_input_schema(name) for name in listed}

    listed, found = asyncio.run(schemas())
    assert set(listed) == {*DISCOVERY, "double"}
    assert found == listed


def test_only_a_changed_set_is_announced(tmp_path: Path):
    ear = Ear()
    provider = ShelfProvider(FolderShelf(tmp_path), ear)

    async def story() -> list[int]:
        heard = []
        for change in (
            lambda: promote(tmp_path, "double"),
            lambda: None,
            lambda: tamper(tmp_path / "active" / "double.json"),
        ):
            change()
            await provider.reload()
            heard.append(ear.heard)
        return heard

    assert asyncio.run(story()) == [1, 1, 2]


def test_a_tool_that_was_approved_a_moment_ago_is_found_before_the_folder_is_looked_at(tmp_path: Path):
    readings: list[None] = []

    class Counted(FolderShelf):
        def active(self):
            readings.append(None)
            return super().active()

    async def story():
        provider = ShelfProvider(Counted(tmp_path), Ear())
        await provider.reload()
        missing = await provider._get_tool("late")
        promote(tmp_path, "late")
        return missing, await provider._get_tool("late"), await provider._get_tool("never")

    promote(tmp_path, "early")
    missing, late, never = asyncio.run(story())

    assert (missing, never) == (None, None)
    assert late is not None
    assert len(readings) == 2  # a name that nobody has costs no reading


def test_an_announcement_names_what_is_to_be_read_anew_and_nothing_else(tmp_path: Path):
    ear = Ear()
    provider = ShelfProvider(FolderShelf(tmp_path), ear)
    stays, goes = promote(tmp_path, "stays"), promote(tmp_path, "goes")

    async def story() -> list[set[str]]:
        await provider.reload()
        heard = []
        for change in (
            lambda: promote(tmp_path, "stays", description="Doubles, and says so."),
            goes.unlink,
            lambda: tamper(stays),
        ):
            change()
            await provider.reload()
            heard.append(set(ear.addresses))
        return heard

    def parts(name: str) -> set[str]:
        return {f"mcpgen://tools/{name}/{part}" for part in ("source", "card", "chart")}

    assert asyncio.run(story()) == [parts("stays"), parts("goes"), parts("stays")]


def test_a_client_hears_that_an_approved_tool_still_runs(tmp_path: Path):
    class Slow(FolderShelf):
        """Runs until its client has heard of it."""

        def call_tool(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation) -> ToolAnswer:
            """Wait, then answer."""
            assert heard.wait(20)
            return super().call_tool(name, arguments, cancellation)

    promote(tmp_path, "double")
    heard, told = threading.Event(), []

    async def tell(spent: float, limit: float | None, words: str | None) -> None:
        told.append((spent, limit, words))
        if len(told) == 3:
            heard.set()

    async def story() -> Any:
        async with Client(build_app(Slow(tmp_path), state_key=KEY, progress_seconds=0.02)) as client:
            return await client.call_tool("double", {"x": 2}, progress_handler=tell)

    assert asyncio.run(story()).structured_content == {"result": 4}
    spent = [each[0] for each in told]
    assert spent == sorted(spent)
    assert {each[1] for each in told} == {None}
    assert all(str(each[2]).startswith("`double` has run for ") for each in told)


def test_an_unreadable_registry_keeps_the_last_good_set(tmp_path: Path):
    promote(tmp_path, "double")
    provider = ShelfProvider(FolderShelf(tmp_path), Ear())

    async def story() -> Catalogue:
        await provider.reload()
        (tmp_path / "active" / "broken").touch()
        await provider.reload()
        return provider.catalogue

    catalogue = asyncio.run(story())
    assert list(catalogue.tools) == ["double"]
    assert "cannot be read (planted)" in str(catalogue.trouble)


def test_a_tool_changed_between_listing_and_call_is_refused_and_unloaded(tmp_path: Path):
    path = promote(tmp_path, "double")
    ear = Ear()
    provider = ShelfProvider(FolderShelf(tmp_path), ear)

    async def story() -> str:
        await provider.reload()
        tamper(path)
        async with Context(FastMCP(name="changed")):
            with pytest.raises(Exception, match="is not what was approved") as refused:
                await provider.catalogue.tools["double"].run({"x": 1})
        return type(refused.value).__name__

    assert (asyncio.run(story()), list(provider.catalogue.tools), ear.heard) == ("ToolError", [], 2)


class Crowded(FolderShelf):
    """Remembers how many calls ran at one time."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.most = 0
        self._running = 0
        self._lock = threading.Lock()

    def call_tool(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation) -> ToolAnswer:
        """Count, and run."""
        with self._lock:
            self._running += 1
            self.most = max(self.most, self._running)
        try:
            return super().call_tool(name, arguments, cancellation)
        finally:
            with self._lock:
                self._running -= 1


def test_more_callers_than_slots_wait_in_line(tmp_path: Path):
    promote(tmp_path, "slow", code="sleeps")
    shelf = Crowded(tmp_path)

    async def story() -> list[Any]:
        async with Client(build_app(shelf, state_key=KEY, concurrent_calls=2)) as client:
            answers = await asyncio.gather(*(client.call_tool("slow", {"x": x}) for x in range(8)))
            return [answer.structured_content["result"] for answer in answers]

    assert asyncio.run(story()) == [2 * x for x in range(8)]
    assert shelf.most <= 2


def test_an_http_server_without_a_token_verifier_is_not_built(tmp_path: Path):
    with pytest.raises(ValueError, match="token"):
        http_application(build_app(FolderShelf(tmp_path), state_key=KEY), "127.0.0.1")


def test_a_registry_that_could_not_be_read_is_read_again_without_a_change(tmp_path: Path):
    promote(tmp_path, "double")
    shelf = Locked(tmp_path)

    async def story() -> list[str]:
        async with Client(build_app(shelf, state_key=KEY)) as client:
            before = [tool.name for tool in await client.list_tools()]
            shelf.locked = False
            while "double" not in (names := [tool.name for tool in await client.list_tools()]):
                await asyncio.sleep(0.05)
            return [*before, *names]

    assert asyncio.run(story()) == [*DISCOVERY, *DISCOVERY, "double"]


class Locked(FolderShelf):
    """Cannot be read at first."""

    locked = True

    def active(self) -> tuple[PromotedTool, ...]:
        """Read, or say that another process holds the lock."""
        if self.locked:
            raise RegistryBusy(self.folder, 1)
        return super().active()


class Patient(FolderShelf):
    """Runs `waits` until it is cancelled, and anything else at once."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.begun, self.heard = threading.Event(), threading.Event()

    def call_tool(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation) -> ToolAnswer:
        """Wait, or run."""
        if name == "waits":
            with cancellation.calling(self.heard.set):
                self.begun.set()
                assert self.heard.wait(20)
        return super().call_tool(name, arguments, cancellation)


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_a_cancelled_call_of_an_approved_tool_ends_its_run_and_frees_its_slot(tmp_path: Path, era: str):
    promote(tmp_path, "waits")
    promote(tmp_path, "double")
    shelf = Patient(tmp_path)

    async def story() -> Any:
        async with Client(build_app(shelf, state_key=KEY, concurrent_calls=1), mode=era) as client:
            call = asyncio.create_task(client.call_tool("waits", {"x": 1}))
            assert await asyncio.to_thread(shelf.begun.wait, 20)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            return (await client.call_tool("double", {"x": 2})).structured_content

    assert asyncio.run(story()) == {"result": 4}
    assert shelf.heard.is_set()
