"""A person makes the next version of a tool in a terminal, and an MCP client calls the one that is active."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.registry.store import Registry
from tests.products import own_place

HIVES = "hive,frames,honey\nNorth,8,3.5\nSouth,10,4.0\nNorth,6,2.5\n"
SOON = 30.0


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a registry with the tool `honey_of`, which was asked for and approved in a terminal once."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "hives.csv").write_text(HIVES)
    with own_place(folder):
        assert main(["ask", "--name", "honey_of", "total honey by hive in hives.csv"]) == 0
        assert main(["approve"]) == 0
    return folder / "registry"


@pytest.fixture
def place(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a folder with a table, and a copy of that registry."""
    (tmp_path / "hives.csv").write_text(HIVES)
    shutil.copytree(saved, tmp_path / "registry")
    monkeypatch.setenv("COLUMNS", "200")
    with own_place(tmp_path, gates=False):
        yield tmp_path


class Terminal:
    """Types commands and returns what they print."""

    def __init__(self, captured: pytest.CaptureFixture[str]) -> None:
        self._captured = captured

    def __call__(self, *words: str, code: int = 0) -> str:
        """Run one command."""
        done = main(list(words))
        told = self._captured.readouterr()
        text = " ".join((told.out + told.err).split())
        assert done == code, text
        return text


@pytest.fixture
def terminal(place: Path, capfd: pytest.CaptureFixture[str]) -> Terminal:
    """Return a terminal whose registry has the tool `honey_of`."""
    return Terminal(capfd)


@pytest.mark.soak
def test_a_terminal_says_which_tool_an_answer_is_near_to_and_how_to_make_its_next_version(terminal: Terminal) -> None:
    asked = terminal("ask", "total honey by hive where frames > 6 in hives.csv")
    followed = terminal("ask", "--name", "honey_of", "total honey by hive where frames > 6 in hives.csv")

    assert "Similar to your tool `honey_of` (0.8" in asked
    assert "same operation, columns and form of the result, other conditions)." in asked
    assert "To make it the next version of that tool: `jupyter mcpgen ask --name honey_of …`" in asked
    assert "Compared with your tool `honey_of`: same operation (weight 0.3)" in asked
    assert "of `honey_of` takes the place of v1.0.0" in followed
    assert "Similar to your tool" not in followed


@pytest.mark.soak
def test_a_terminal_shows_what_changes_and_goes_back_and_forth(terminal: Terminal) -> None:
    asked = terminal("ask", "--name", "honey_of", "average honey by hive in hives.csv")
    pending = terminal("versions", "honey_of")
    approved = terminal("approve")
    changes = terminal("diff", "honey_of")
    back = terminal("rollback", "honey_of")
    both = terminal("versions", "honey_of")
    gone = terminal("unpublish", "honey_of")
    archived = terminal("versions", "honey_of")
    again = terminal("rollback", "honey_of", "1.1.0")

    assert "What changes from v1.0.0" in asked
    assert "v1.1.0 of `honey_of` takes the place of v1.0.0: calls of v1.0.0 still work." in asked
    assert "with `mean_honey` and without `sum_honey`" in asked
    assert "1.1.0 pending: honey_of-" in pending
    assert "honey_of v1.1.0 is live" in approved
    assert "takes the place of v1.0.0" in changes
    assert ".mean()" in changes
    assert "honey_of v1.0.0 is active." in back
    assert "1.1.0 archived" in both
    assert "1.0.0 active" in both
    assert "honey_of v1.0.0 is no longer active and is kept in the archive." in gone
    assert "No version is active." in archived
    assert "honey_of v1.1.0 is active." in again
    assert "honey_of 1.1.0" in terminal("list")


@pytest.mark.soak
def test_a_terminal_shows_of_an_archived_version_which_one_is_active(terminal: Terminal) -> None:
    (first,) = Registry(Path("registry")).active()
    terminal("ask", "--name", "honey_of", "average honey by hive in hives.csv")
    terminal("approve")

    replaced = terminal("show", first.tool_id)
    live = terminal("show", "honey_of")
    terminal("unpublish", "honey_of")
    unpublished = terminal("show", first.tool_id)

    again = "Make it active again: jupyter mcpgen rollback honey_of 1.0.0."
    assert f"honey_of v1.0.0 is in the archive: v1.1.0 is active. {again}" in replaced
    assert "honey_of v1.1.0 is live" in live
    assert f"honey_of v1.0.0 is in the archive: the tool is unpublished. {again}" in unpublished
    assert "is live" not in replaced + unpublished


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["versions", "honey"], 1, "No tool named honey is registered. Did you mean honey_of?"),
        (["versions"], 2, "Which tool? versions NAME."),
        (["diff"], 2, "Which tool? diff NAME"),
        (["diff", "honey_of"], 1, "There is no other version to compare with. Versions of honey_of: 1.0.0."),
        (["diff", "honey_of", "9.9.9"], 1, "There is no version 9.9.9."),
        (["rollback", "honey_of"], 1, "There is no earlier version. Versions of honey_of: 1.0.0 (active)."),
        (["rollback", "honey_of", "1.0.0"], 1, "Version 1.0.0 is active already."),
        (["rollback"], 2, "Which tool? rollback NAME [VERSION]."),
        (["unpublish", "honey"], 1, "No tool named honey is registered."),
        (["unpublish"], 2, "Which tool? unpublish NAME."),
    ],
)
def test_what_cannot_be_done_is_said_with_what_to_do(
    terminal: Terminal, words: list[str], code: int, said: str
) -> None:
    assert said in terminal(*words, code=code)


def test_a_question_that_begins_like_a_command_is_a_question(terminal: Terminal) -> None:
    assert "No tool named" not in terminal("versions", "by", "hive", "in", "hives.csv", code=1)


@pytest.mark.soak
def test_an_mcp_client_hears_of_the_next_version_and_calls_the_old_one_after_a_rollback(
    terminal: Terminal, place: Path
) -> None:
    terminal("ask", "--name", "honey_of", "average honey by hive in hives.csv")
    news: asyncio.Queue[None] = asyncio.Queue()

    async def told(message: Any) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            news.put_nowait(None)

    async def story() -> list[Any]:
        arguments = ["-m", "jupyter_mcpgen.server", "--stdio", "--registry", str(place / "registry")]
        server = StdioServerParameters(
            command=sys.executable, args=[*arguments, "--state", str(place / "state")], cwd=str(place)
        )
        async with Client(stdio_client(server), mode="legacy", cache=None, message_handler=told) as client:

            async def called() -> tuple[str, Any]:
                tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                answer = await client.call_tool("honey_of", {"file_path": str(place / "hives.csv")})
                assert not answer.is_error, answer.content
                return tools["honey_of"].meta["mcpgen/version"], answer.structured_content["rows"]

            async def after(*words: str) -> tuple[str, Any]:
                await asyncio.to_thread(terminal, *words)
                await asyncio.wait_for(news.get(), SOON)
                return await called()

            return [await called(), await after("approve"), await after("rollback", "honey_of")]

    sums = [{"hive": "North", "sum_honey": 6.0}, {"hive": "South", "sum_honey": 4.0}]
    means = [{"hive": "South", "mean_honey": 4.0}, {"hive": "North", "mean_honey": 3.0}]
    assert asyncio.run(story()) == [("1.0.0", sums), ("1.1.0", means), ("1.0.0", sums)]
