"""A client that starts the server over stdio shares the one that runs, and loses no request when that one ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.server import launch, tokens
from jupyter_mcpgen.settings import state_folder
from tests.fakes.folder_shelf import promote
from tests.flow.test_mcp_clients import DISCOVERY, ERAS, SOON, connected, names, tools_come_and_go
from tests.products import own_place

FAKES = Path(__file__).parents[1] / "fakes"
PROGRAM = (sys.executable, str(FAKES / "folder_server.py"))
STARTED = ("-m", "jupyter_mcpgen.server")
IMPATIENT = (str(FAKES / "impatient_server.py"),)


@dataclass(frozen=True)
class Home:
    """A registry, the state folder of its server, and that server."""

    registry: Path
    state: Path
    server: launch.ServerStatus


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Home]:
    for code in ("double", "naps"):
        promote(folder / "registry", code, code=code)
    state = folder / "state"
    try:
        yield Home(folder / "registry", state, launch.start(folder / "registry", folder=state, program=PROGRAM))
    finally:
        launch.stop(state)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """Start a server of the test's own, for tests that change its tools or end it."""
    with running(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """One server for the tests that only ask."""
    with running(tmp_path_factory.mktemp("shared")) as made:
        yield made


def arguments(registry: Path, state: Path, *begin: str) -> list[str]:
    return [*(begin or STARTED), "--stdio", "--registry", str(registry), "--state", str(state)]


def started(registry: Path, state: Path, *begin: str) -> Any:
    """Return the transport of a client that starts the server itself."""
    return stdio_client(StdioServerParameters(command=sys.executable, args=arguments(registry, state, *begin)))


def joined_tokens(state: Path) -> list[tokens.Grant]:
    return [one for one in tokens.living(state, time.time()) if one.client_id.startswith("stdio:")]


def doing(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    process.stdin.flush()


@contextlib.contextmanager
def raw(registry: Path, state: Path, *begin: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start the server as a client does, and shake hands."""
    with subprocess.Popen(
        [sys.executable, *arguments(registry, state, *begin)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        info = {"name": "raw", "version": "1"}
        doing(process, {"id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}})  # fmt: skip
        doing(process, {"method": "notifications/initialized"})
        yield process
        process.stdin.close()  # type: ignore[union-attr]


def answers(process: subprocess.Popen[bytes], wanted: Sequence[int]) -> dict[int, Any]:
    """Read until all are answered; an answer that comes twice fails the test."""
    found: dict[int, Any] = {}
    while set(wanted) - set(found):
        message = json.loads(process.stdout.readline())  # type: ignore[union-attr]
        if "method" not in message:
            assert message["id"] not in found
            found[message["id"]] = message
    return found


@pytest.mark.soak
@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_a_client_that_starts_the_server_has_the_tools_and_the_announcements_of_the_one_that_runs(
    home: Home, era: str
) -> None:
    (home.registry / "active" / "naps.json").unlink()

    async def story() -> None:
        async with connected(started(home.registry, home.state), era) as listener:
            await tools_come_and_go(home.registry, listener)

    asyncio.run(story())


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_it_starts_no_sandbox_and_its_token_ends_with_it(shared: Home, era: str) -> None:
    async def story() -> tuple[list[str], list[tokens.Grant], list[str]]:
        async with Client(started(shared.registry, shared.state), mode=era, cache=None) as client:
            answer = await client.call_tool("double", {"x": 4})
            assert answer.structured_content == {"result": 8}
            (grant,) = joined_tokens(shared.state)
            process = psutil.Process(int(grant.client_id.removeprefix("stdio:")))
            loaded = {Path(one.path).name for one in process.memory_maps()}
            heavy = [name for name in loaded if "pandas" in name or "duckdb" in name]
            return await names(client), joined_tokens(shared.state), [*heavy, *map(str, process.children())]

    listed, grants, heavy = asyncio.run(story())

    assert listed == [*DISCOVERY, "double", "naps"]
    assert (len(grants), heavy) == (1, [])
    assert grants[0].folder == str(Path.cwd())
    assert joined_tokens(shared.state) == []


@pytest.mark.soak
def test_the_server_of_another_registry_is_not_joined(shared: Home, tmp_path: Path) -> None:
    (tmp_path / "empty" / "active").mkdir(parents=True)

    async def story() -> list[str]:
        async with Client(started(tmp_path / "empty", shared.state), cache=None) as client:
            return await names(client)

    assert not {"double", "naps"} & set(asyncio.run(story()))


@pytest.mark.soak
def test_a_token_that_a_killed_process_left_is_revoked_by_the_next(shared: Home) -> None:
    with raw(shared.registry, shared.state) as process:
        answers(process, [0])
        doing(process, {"id": 1, "method": "ping"})
        answers(process, [1])
        process.kill()
    left = joined_tokens(shared.state)

    with raw(shared.registry, shared.state) as process:
        doing(process, {"id": 1, "method": "ping"})
        answers(process, [0, 1])
        now = joined_tokens(shared.state)

    assert (len(left), len(now)) == (1, 1)
    assert left[0].digest != now[0].digest


def test_a_revoked_token_is_said_to_be(shared: Home) -> None:
    async def story() -> None:
        async with Client(started(shared.registry, shared.state), cache=None) as client:
            await client.list_tools()
            tokens.revoke(shared.state, joined_tokens(shared.state)[0].client_id, time.time())
            with pytest.raises(MCPError, match="was revoked or has expired"):
                await client.call_tool("double", {"x": 4})

    asyncio.run(story())


def restart(home: Home) -> None:
    launch.stop(home.state)
    launch.start(home.registry, folder=home.state, port=home.server.port, program=PROGRAM)


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_a_client_goes_on_with_the_server_that_follows_and_hears_that_lists_may_have_changed(
    home: Home, era: str
) -> None:
    async def story() -> None:
        async with connected(started(home.registry, home.state), era) as (client, told):
            assert "later" not in await names(client)
            promote(home.registry, "later")
            await told()
            await asyncio.sleep(1.1)  # a stream that ends at once is not taken for a server that has
            await asyncio.to_thread(restart, home)
            await told()
            answer = await asyncio.wait_for(client.call_tool("later", {"x": 4}), SOON)
            assert answer.structured_content == {"result": 8}

    asyncio.run(story())


@pytest.mark.soak
def test_every_request_is_answered_once_while_the_server_is_restarted_and_a_call_that_was_begun_says_so(
    home: Home,
) -> None:
    with raw(home.registry, home.state) as process:
        answers(process, [0])
        doing(process, {"id": 1, "method": "tools/call", "params": {"name": "naps", "arguments": {"x": 30}}})
        for number in range(2, 10):
            doing(
                process,
                {"id": number, "method": "tools/call", "params": {"name": "double", "arguments": {"x": number}}},
            )
        found = answers(process, range(2, 10))
        launch.stop(home.state)
        for number in range(10, 30):
            method = "tools/list" if number % 2 else "tools/call"
            params = {} if number % 2 else {"name": "double", "arguments": {"x": number}}
            doing(process, {"id": number, "method": method, "params": params})
        launch.start(home.registry, folder=home.state, port=home.server.port, program=PROGRAM)
        found |= answers(process, [1, *range(10, 30)])

    calls = (*range(2, 10), *range(10, 30, 2))
    assert [found[number]["result"]["structuredContent"] for number in calls] == [{"result": 2 * n} for n in calls]
    assert all("tools" in found[number]["result"] for number in range(11, 30, 2))
    assert "may or may not have been carried out" in found[1]["error"]["message"]


@pytest.mark.soak
@pytest.mark.parametrize("era", ERAS)
def test_where_no_server_follows_the_process_serves_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, era: str
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "config"))
    registry, state = tmp_path / "registry", tmp_path / "data" / "mcpgen" / "server"
    promote(registry, "double")
    launch.start(registry, folder=state, program=PROGRAM)

    async def story() -> tuple[list[str], list[str], Any]:
        async with Client(started(registry, state, *IMPATIENT), mode=era, cache=None) as client:
            before = await names(client)
            (registry / "active" / "double.json").unlink()  # a file of the fake, which the product does not know
            await asyncio.to_thread(launch.stop, state)
            after = await asyncio.wait_for(names(client), 4 * SOON)
            ran = await client.call_tool("execute_code", {"language": "python", "code": "print(6 * 7)"})
            return before, after, ran

    before, after, ran = asyncio.run(story())

    assert before == [*DISCOVERY, "double"]
    assert "execute_code" in after
    assert "42" in ran.content[0].text


def test_the_last_answers_are_given_before_the_process_ends(shared: Home) -> None:
    with raw(shared.registry, shared.state) as process:
        answers(process, [0])
        doing(process, {"id": 1, "method": "tools/call", "params": {"name": "naps", "arguments": {"x": 0.5}}})
        process.stdin.close()  # type: ignore[union-attr]
        found = answers(process, [1])

    assert found[1]["result"]["structuredContent"] == {"result": 1}
    assert process.returncode == 0


@pytest.mark.every_run("True")
@pytest.mark.parametrize("started_there", [True, False])
def test_a_client_reads_the_files_of_the_folder_where_it_was_started_and_no_other_does(
    tmp_path: Path, started_there: bool
) -> None:
    asked, project, elsewhere = (tmp_path / name for name in ("asked", "project", "elsewhere"))
    for folder in (asked, project, elsewhere):
        folder.mkdir()
    (asked / "boats.csv").write_text("port,boats\nHull,3\nKiel,4\nHull,5\n")
    (project / "ships.csv").write_text("port,boats\nOslo,7\n")

    async def story(registry: Path, state: Path) -> Any:
        parameters = StdioServerParameters(
            command=sys.executable, args=arguments(registry, state), cwd=project if started_there else elsewhere
        )
        async with Client(stdio_client(parameters), cache=None) as client:
            path = "ships.csv" if started_there else str(project / "ships.csv")
            (name,) = [each for each in await names(client) if each.startswith("sum")]
            assert joined_tokens(state) != []
            return await client.call_tool(name, {"file_path": path})

    with own_place(tmp_path):
        assert main(["ask", f"total boats by port in {asked / 'boats.csv'}"]) == 0
        assert main(["approve"]) == 0
        os.chdir(elsewhere)
        state = state_folder() / "server"
        server = launch.start(tmp_path / "registry", folder=state)
        try:
            answer = asyncio.run(story(server.registry, state))
        finally:
            launch.stop(state)

    assert answer.is_error is not started_there
    assert ("Oslo" if started_there else "ships.csv") in answer.content[0].text


@pytest.mark.soak
def test_each_joined_client_has_sessions_of_its_own(tmp_path: Path) -> None:
    async def story(registry: Path, state: Path) -> tuple[Any, Any, int]:
        async with (
            Client(started(registry, state), cache=None) as one,
            Client(started(registry, state), cache=None) as other,
        ):
            made = await one.call_tool("create_session", {"language": "python"})
            session = made.structured_content["session_id"]
            sent = {"language": "python", "code": "print(1)", "session_id": session}
            return await one.call_tool("execute_code", sent), await other.call_tool("execute_code", sent), len(
                joined_tokens(state)
            )  # fmt: skip

    with own_place(tmp_path):
        state = state_folder() / "server"
        server = launch.start(tmp_path / "registry", folder=state)
        try:
            own, foreign, joined = asyncio.run(story(server.registry, state))
        finally:
            launch.stop(state)

    assert (own.is_error, foreign.is_error, joined) == (False, True, 2)
    assert "session" in foreign.content[0].text
