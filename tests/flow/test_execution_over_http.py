"""A person's session with the tools that run code, over HTTP and in both protocol eras, against the real server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.server import launch, tokens
from tests.levels import needs

MISSING = available()
ERAS = ("legacy", "auto")
SOON = 30.0
pytestmark = needs(ProgramSandbox().missing())


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served") / "state"


@pytest.fixture(scope="module")
def server(state: Path) -> Iterator[launch.ServerStatus]:
    yield launch.start(state.parent / "registry", folder=state)
    launch.stop(state)


@contextlib.asynccontextmanager
async def connected(server: launch.ServerStatus, era: str, token: str | None = None) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token or server.token.get_secret_value()}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=SOON) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=era, cache=None) as client,
    ):
        yield client


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_a_session_from_beginning_to_end(server: launch.ServerStatus, era: str) -> None:
    async def story() -> dict[str, Any]:
        async with connected(server, era) as client:

            async def call(name: str, **arguments: Any) -> dict[str, Any]:
                answer = await client.call_tool(name, arguments)
                return {**(answer.structured_content or {}), "is_error": answer.is_error}

            session = (await call("create_session"))["session_id"]
            lines = ("n = 1", "n += 41", "print(n)")
            turns = [await call("execute_code", session_id=session, code=line) for line in lines]
            await call("write_session_file", session_id=session, path="in.csv", content="k,v\na,1\nb,2\n")
            summed = "rows = open('in.csv').read().split()[1:]\nopen('out.txt', 'w').write(str(len(rows)))"
            await call("execute_code", session_id=session, code=summed)
            wrong = await call("execute_code", session_id=session, code="n / 0")
            fuel = await call("execute_code", code="while True: pass", fuel_budget=500)
            late = await call("execute_code", session_id=session, code="import time; time.sleep(60)", timeout=1)
            look = "print('n' in globals(), open('in.csv').read(3))"
            after = await call("execute_code", session_id=session, code=look)
            read = await call("read_session_file", session_id=session, path="out.txt")
            await call("destroy_session", session_id=session)
            gone = await call("execute_code", session_id=session, code="1")
            return {
                "turns": [turn["stdout"] for turn in turns],
                "read": read["content"],
                "wrong": (wrong["metadata"]["error_guidance"]["error_type"], wrong["is_error"]),
                "fuel": (fuel["metadata"]["trap_reason"], fuel["metadata"]["fuel_analysis"]["status"]),
                "late": (late["status"], late["metadata"]["error_guidance"]["error_type"]),
                "after": (after["stdout"], len(after["metadata"]["notes"])),
                "gone": (gone["status"], gone["is_error"]),
            }

    assert asyncio.run(story()) == {
        "turns": ["", "", "42\n"],
        "read": "2",
        "wrong": ("DivisionByZero", True),
        "fuel": ("out_of_fuel", "exhausted"),
        "late": ("timeout", "Timeout"),
        "after": ("False k,v\n", 1),
        "gone": ("setup_error", True),
    }


def processes(marker: str) -> list[psutil.Process]:
    return [one for one in psutil.process_iter(["cmdline"]) if marker in (one.info["cmdline"] or [])[:1]]


async def until(marker: str, count: int) -> None:
    deadline = time.monotonic() + SOON
    while len(processes(marker)) != count:
        assert time.monotonic() < deadline, f"{marker}: {len(processes(marker))} processes, not {count}"
        await asyncio.sleep(0.05)


@pytest.mark.every_run("True-auto")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("with_session", [False, True])
def test_a_cancelled_call_kills_its_program(server: launch.ServerStatus, era: str, with_session: bool) -> None:
    marker = f"mcpgen-cancelled-{era}-{with_session}"
    arguments = {"language": "bash", "code": f"exec -a {marker} sleep 300", "timeout": 300}

    async def story() -> str:
        async with connected(server, era) as client:
            if with_session:
                made = await client.call_tool("create_session", {"language": "bash"})
                arguments["session_id"] = made.structured_content["session_id"]
            running = asyncio.create_task(client.call_tool("execute_code", arguments))
            await until(marker, 1)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            await until(marker, 0)
            after = await client.call_tool("coding_execute_code", {"language": "bash", "code": "echo still here"})
            return str(after.structured_content["stdout"])

    assert asyncio.run(story()) == "still here\n"


TRIES: dict[str, dict[str, Any]] = {
    "execute_code": {"code": "print(secret)"},
    "list_session_files": {},
    "read_session_file": {"path": "mine.txt"},
    "write_session_file": {"path": "mine.txt", "content": "x"},
    "delete_session_file": {"path": "mine.txt"},
    "destroy_session": {},
}


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_for_the_bearer_of_another_token_a_session_does_not_exist(
    server: launch.ServerStatus, state: Path, era: str
) -> None:
    another = tokens.issue(state, "another", now=time.time())
    name = f"private-{era}"
    secret = "secret = 7; open('mine.txt', 'w').write('7')"

    async def story() -> tuple[list[str], list[Any], list[str]]:
        async with connected(server, era) as mine, connected(server, era, another) as theirs:

            async def run(client: Client, tool: str, code: str) -> str:
                arguments = {"language": "python", "session_id": name, "code": code}
                return str((await client.call_tool(tool, arguments)).structured_content["stdout"])

            await mine.call_tool("create_session", {"session_id": name})
            await run(mine, "execute_code", secret)
            tried = {tool: await theirs.call_tool(tool, {"session_id": name, **rest}) for tool, rest in TRIES.items()}
            listed = (await theirs.call_tool("list_sessions", {})).structured_content["sessions"]
            # A coding call makes a session of the caller's own under that name.
            said = [
                await run(theirs, "coding_execute_code", "print('secret' in globals())"),
                await run(mine, "execute_code", "print(secret, open('mine.txt').read())"),
            ]
            for client in (mine, theirs):
                await client.call_tool("destroy_session", {"session_id": name})
            return [tool for tool, answer in tried.items() if not answer.is_error], listed, said

    assert asyncio.run(story()) == ([], [], ["False\n", "7 7\n"])


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_names_and_words_that_are_no_unicode_do_not_break_the_answer(server: launch.ServerStatus, era: str) -> None:
    async def story() -> tuple[Any, Any, Any]:
        async with connected(server, era) as client:
            session = (await client.call_tool("create_session", {})).structured_content["session_id"]
            make = {"session_id": session, "code": "open(b'bad\\xff.txt', 'w').close()"}
            fail = {"session_id": session, "code": "raise ValueError('\\ud800')"}
            made = (await client.call_tool("execute_code", make)).structured_content["files_changed"]
            listed = (await client.call_tool("list_session_files", {"session_id": session})).structured_content["files"]
            failed = (await client.call_tool("execute_code", fail)).structured_content["error_message"]
            await client.call_tool("destroy_session", {"session_id": session})
            return made[0]["path"], listed[0]["path"], failed

    assert asyncio.run(story()) == (r"bad\xff.txt", r"bad\xff.txt", "ValueError: ?")


def test_nobody_who_holds_all_places_keeps_the_bearer_of_another_token_waiting(
    server: launch.ServerStatus, state: Path
) -> None:
    another = tokens.issue(state, "another", now=time.time())
    marker = "mcpgen-hog"
    endless = {"language": "bash", "code": f"exec -a {marker} sleep 300", "timeout": 300}
    places = max(2, os.cpu_count() or 1)

    async def story() -> str:
        async with connected(server, "auto") as greedy, connected(server, "auto", another) as other:
            hogs = [asyncio.create_task(greedy.call_tool("execute_code", endless)) for _ in range(places + 2)]
            await until(marker, places)
            answer = await other.call_tool("execute_code", {"language": "bash", "code": "echo my turn"})
            for hog in hogs:
                hog.cancel()
            await asyncio.gather(*hogs, return_exceptions=True)
            await until(marker, 0)
            return str(answer.structured_content["stdout"])

    assert asyncio.run(story()) == "my turn\n"


@pytest.mark.soak
def test_programs_of_other_languages_run_over_http(server: launch.ServerStatus) -> None:
    programs = {
        "java": "class A { public static void main(String[] a) { System.out.print(42); } }",
        "c": '#include <stdio.h>\nint main(void) { printf("42"); return 0; }',
        "javascript": "process.stdout.write('42')",
    }

    async def story() -> dict[str, str]:
        async with connected(server, "auto") as client:
            here = {language: code for language, code in programs.items() if MISSING[language] is None}
            answers = {
                language: await client.call_tool("coding_execute_code", {"language": language, "code": code})
                for language, code in here.items()
            }
            return {language: answer.structured_content["stdout"] for language, answer in answers.items()}

    assert set(asyncio.run(story()).values()) <= {"42"}


def test_code_runs_over_stdio_and_what_it_prints_stays_out_of_the_protocol(state: Path) -> None:
    arguments = [*launch.PROGRAM[1:], "--stdio", "--registry", str(state.parent / "registry"), "--state", str(state)]
    transport = stdio_client(StdioServerParameters(command=launch.PROGRAM[0], args=arguments))
    code = "import os, sys\nprint('on stdout')\nos.write(2, b'on stderr')\nprint(sys.stdin.read())"

    async def story() -> tuple[str, str]:
        async with Client(transport, cache=None) as client:
            answer = await client.call_tool("execute_code", {"code": code, "stdin": "given"})
            return answer.structured_content["stdout"], answer.structured_content["stderr"]

    assert asyncio.run(story()) == ("on stdout\ngiven\n", "on stderr")
