"""A session keeps variables and files from call to call, and no path or name leads out of it."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client, FastMCP

from tests.flow.execution.client import DATA, Call, needs_programs

pytestmark = needs_programs


def test_a_session_keeps_variables_and_files_and_tells_what_changed(call: Call, session: str) -> None:
    runs = [
        call("execute_code", session_id=session, code=code)
        for code in ("n = 1", "n += 1", "open('out.txt', 'w').write(str(n))", "open('out.txt', 'a').write('!')")
    ]
    call("delete_session_file", session_id=session, path="out.txt")

    changes = [[(one["path"], one["change"]) for one in run.data["files_changed"]] for run in runs]
    assert changes == [[], [], [("out.txt", "created")], [("out.txt", "modified")]]
    assert call("list_session_files", session_id=session).data["files"] == []
    listed = {one["session_id"]: one for one in call("list_sessions").data["sessions"]}
    assert (listed[session]["execution_count"], listed[session]["is_busy"]) == (4, False)


def test_all_bytes_and_folders_make_the_round_trip(call: Call, session: str) -> None:
    every = base64.b64encode(bytes(range(256))).decode()
    call("write_session_file", session_id=session, path="in/deep/every.bin", content=every, encoding="base64")
    code = "b = open('in/deep/every.bin', 'rb').read()\nopen('back.bin', 'wb').write(b[::-1])\nprint(len(set(b)))"

    run = call("execute_code", session_id=session, code=code)
    back = call("read_session_file", session_id=session, path="./back.bin", encoding="base64")

    assert run.data["stdout"] == "256\n"
    assert base64.b64decode(back.data["content"]) == bytes(range(256))[::-1]
    as_text = call("read_session_file", session_id=session, path="back.bin")
    assert (as_text.is_error, "base64" in as_text.text) == (True, True)


@pytest.mark.soak
def test_a_long_file_is_read_in_parts_and_no_character_is_cut(call: Call, session: str) -> None:
    text = "äöü€😀" * 20
    call("write_session_file", session_id=session, path="long.txt", content=text)
    parts, offset = [], 0
    while True:
        part = call("read_session_file", session_id=session, path="long.txt", offset=offset, limit=7).data
        parts.append(part["content"])
        offset += len(part["content"].encode())
        if not part["truncated"]:
            break

    assert "".join(parts) == text


@pytest.mark.parametrize("path", ["../x", "a/../../../x", "/etc/passwd", "a\\b", "", "link/x", "link/y", "nul\0"])
@pytest.mark.parametrize("tool", ["read_session_file", "write_session_file", "delete_session_file"])
def test_no_path_leads_out_of_the_workspace(call: Call, planted: str, tool: str, path: str) -> None:
    content = {"content": "x"} if tool == "write_session_file" else {}

    answer = call(tool, session_id=planted, path=path, **content)

    assert answer.is_error, answer.text


@pytest.fixture(scope="module")
def planted(app: FastMCP, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Make a session whose workspace holds links that lead out, which code in the sandbox cannot make."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x").write_text("not yours")

    async def story() -> Path:
        async with Client(app) as client:
            await client.call_tool("create_session", {"language": "bash", "session_id": "planted"})
            code = {"session_id": "planted", "code": "ln -s / mine || pwd"}
            return Path((await client.call_tool("execute_code", code)).structured_content["stdout"].strip())

    workspace = asyncio.run(story())
    (workspace / "link").symlink_to(outside)
    (workspace / "file").symlink_to(outside / "x")
    yield "planted"
    assert [path.name for path in outside.iterdir()] == ["x"]
    assert (outside / "x").read_text() == "not yours"


def test_a_link_is_neither_read_nor_written_through(call: Call, planted: str) -> None:
    reading = call("read_session_file", session_id=planted, path="file")
    writing = call("write_session_file", session_id=planted, path="file", content="x")
    listed = call("list_session_files", session_id=planted).data["files"]

    assert (reading.is_error, writing.is_error, listed) == (True, True, [])


@pytest.mark.parametrize("name", ["a/b", "a\\b", "..", "a.b", "a b", "x" * 65, "ä"])
def test_an_id_that_could_be_a_path_is_refused_before_anything_is_made(call: Call, name: str) -> None:
    before = call("list_sessions").data["sessions"]

    made = call("create_session", session_id=name)
    run = call("coding_execute_code", language="python", code="1", session_id=name)

    assert (made.is_error, run.is_error, run.data["status"]) == (True, True, "setup_error")
    assert len(call("list_sessions").data["sessions"]) == len(before)


@pytest.mark.parametrize("name", [None, ""])
def test_no_id_and_an_empty_one_mean_no_session(call: Call, name: str | None) -> None:
    answer = call("coding_execute_code", language="python", code="print(1)", session_id=name)

    assert (answer.data["stdout"], answer.metadata["session_id"]) == ("1\n", None)


def test_a_module_changed_in_one_session_is_clean_in_the_next(call: Call, session: str) -> None:
    call("execute_code", session_id=session, code="import json; json.dumps = None")

    other = call("create_session", session_id="clean").data["session_id"]
    answer = call("execute_code", session_id=other, code="import json; print(json.dumps(1))")
    call("destroy_session", session_id=other)

    assert answer.data["stdout"] == "1\n"


def test_named_data_can_be_read_and_never_written(call: Call, session: str, data: Path) -> None:
    reading = call("execute_code", code=f"print(open('{data}/table.csv').read())")
    for kind in ({}, {"session_id": session}):
        writing = call("execute_code", code=f"open('{data}/new.csv', 'w').write('x')", **kind)
        changing = call("execute_code", code=f"open('{data}/table.csv', 'a').write('x')", **kind)
        assert [writing.data["success"], changing.data["success"]] == [False, False]

    assert reading.data["stdout"].startswith(DATA)
    assert {path.name for path in data.iterdir()} == {"site-packages", "table.csv"}
    assert (data / "table.csv").read_text() == DATA
    assert call("list_runtimes").data["data_paths"] == [str(data)]


def test_state_files_are_for_those_who_ask(call: Call) -> None:
    asked = {"session_id": "asked", "auto_persist_globals": True, "keep_state": False}
    call("create_session", **asked)
    code = "count = globals().get('count', 0) + 1\ndef f(): pass\nnothing, empty = None, {}\nprint(count, 'f' in dir())"

    said = [call("execute_code", session_id="asked", code=code).data["stdout"] for _ in range(3)]
    call("write_session_file", session_id="asked", path=".session_state.json", content="{broken")
    fresh = call("execute_code", session_id="asked", code=code)
    call("destroy_session", session_id="asked")

    assert said == ["1 True\n", "2 True\n", "3 True\n"]
    assert (fresh.data["stdout"], fresh.data["success"]) == ("1 True\n", True)
    assert "starts without variables" in fresh.text


def test_a_coding_session_is_made_by_its_first_call_which_says_so(call: Call) -> None:
    first = call("coding_execute_code", language="python", code="x = 42", session_id="my-session")
    second = call("coding_execute_code", language="python", code="print(x)", session_id="my-session")
    other = call("coding_execute_code", language="bash", code="true", session_id="my-session")
    call("destroy_session", session_id="my-session")

    assert "was made by this call" in first.metadata["notes"][0]
    assert (second.data["stdout"], second.metadata["notes"]) == ("42\n", [])
    assert (other.data["status"], "runs `python` and not `bash`" in other.text) == ("setup_error", True)


def test_execute_code_makes_no_session_by_itself(call: Call) -> None:
    answer = call("execute_code", code="1", session_id="never-made")

    assert (answer.data["status"], answer.is_error) == ("setup_error", True)


def test_looking_after_sessions_does_not_wait_behind_what_runs(app: FastMCP) -> None:
    async def story() -> list[str]:
        async with Client(app) as client:
            await client.call_tool("create_session", {"session_id": "busy", "language": "bash"})
            endless = {"session_id": "busy", "code": "sleep 100", "timeout": 300}
            running = [asyncio.create_task(client.call_tool("execute_code", endless)) for _ in range(2)]
            while not [one for one in await sessions(client) if one["is_busy"]]:
                await asyncio.sleep(0.02)
            await client.call_tool("destroy_session", {"session_id": "busy"})
            ended = await asyncio.gather(*running, return_exceptions=True)
            return sorted(type(one).__name__ for one in ended)

    async def sessions(client: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await client.call_tool("list_sessions")).structured_content["sessions"]
        return found

    assert asyncio.run(story()) == ["ToolError", "ToolError"]
