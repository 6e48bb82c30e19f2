"""A client's first message is answered before the server is imported, in the words that the server itself would use."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import mcp_types
import pytest
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from jupyter_mcpgen.server.app import build_app
from jupyter_mcpgen.server.greeting import HANDSHAKES, MODERN, answer_to
from tests.fakes.folder_shelf import FolderShelf

INFO = {"name": "some client", "version": "1"}
META = {
    "io.modelcontextprotocol/clientInfo": INFO,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def initialize(version: str, **changes: Any) -> dict[str, Any]:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": INFO, **changes}
    return {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params}


def discover(version: str) -> dict[str, Any]:
    params = {"_meta": {"io.modelcontextprotocol/protocolVersion": version, **META}}
    return {"jsonrpc": "2.0", "id": "first", "method": "server/discover", "params": params}


def served(message: Mapping[str, Any], folder: Path) -> Any:
    """Return what the server itself answers to a first message."""

    async def story() -> str:
        app = build_app(FolderShelf(folder), state_key=bytes(32))
        asked = mcp_types.jsonrpc_message_adapter.validate_json(json.dumps(message), by_name=False)
        server = app._mcp_server
        async with (
            app._lifespan_manager(),
            create_client_server_memory_streams() as ((answers, asks), (heard, said)),
            anyio.create_task_group() as group,
        ):
            group.start_soon(server.run, heard, said, server.create_initialization_options())
            await asks.send(SessionMessage(asked))
            told = await answers.receive()
            group.cancel_scope.cancel()
        assert isinstance(told, SessionMessage)
        return told.message.model_dump_json(by_alias=True, exclude_unset=True)

    return json.loads(anyio.run(story))


@pytest.mark.parametrize(
    "message",
    [*map(initialize, HANDSHAKE_PROTOCOL_VERSIONS), initialize("1999-01-01"), *map(discover, MODERN_PROTOCOL_VERSIONS)],
    ids=lambda message: f"{message['method']} {message['params'].get('protocolVersion', '')}",
)
def test_the_first_message_is_answered_as_the_server_answers_it(message: dict[str, Any], tmp_path: Path) -> None:
    assert answer_to(json.dumps(message).encode()) == served(message, tmp_path)


def test_the_versions_are_those_of_the_protocol_s_library() -> None:
    assert (HANDSHAKES, MODERN) == (HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"no JSON",
        b"[]",
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode(),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode(),
        json.dumps(initialize("2025-06-18", clientInfo={"name": "no version"})).encode(),
        json.dumps(initialize("2025-06-18", capabilities=None)).encode(),
        json.dumps({**initialize("2025-06-18"), "id": None}).encode(),
        json.dumps(discover("2031-01-01")).encode(),
    ],
)
def test_anything_else_is_left_to_the_server(message: bytes) -> None:
    assert answer_to(message) is None


BUSY = """
import json, sys
from jupyter_mcpgen.server.greeting import greeted
with greeted():
    heavy = sorted({"fastmcp", "mcp", "pandas", "pydantic"} & set(sys.modules))
    first, second = sys.stdin.readline(), sys.stdin.readline()
    print('{"jsonrpc":"2.0","method":"notifications/message"}')
    print('{"jsonrpc":"2.0","id":7,"result":"the second answer"}')
    print(json.dumps({"jsonrpc": "2.0", "id": 8, "result": [first.count("initialize"), second.strip(), heavy]}))
    sys.stdout.flush()
    print("the last words", end="", flush=True)
"""


def test_a_server_that_is_not_ready_has_answered_and_its_own_answer_does_not_reach_the_client() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(initialize("2025-06-18")) + "\n")
        early = json.loads(process.stdout.readline())  # the server still waits for the line after it
        process.stdin.write("go\n")
        rest = process.stdout.read()

    assert early["result"]["protocolVersion"] == "2025-06-18"
    news, *others = rest.split("\n")
    assert json.loads(news)["method"] == "notifications/message"
    assert [json.loads(others[0]), *others[1:]] == [
        {"jsonrpc": "2.0", "id": 8, "result": [1, "go", []]},
        "the last words",
    ]
    assert process.returncode == 0


@pytest.mark.parametrize("gone", ["before", "after"])
def test_a_client_that_has_gone_ends_the_server_without_a_traceback(gone: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys\nfrom jupyter_mcpgen.server.greeting import greeted\nwith greeted():\n"
         "    said = sys.stdin.read()\n"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    if gone == "before":
        process.stdout.close()
    _, told = process.communicate(json.dumps(initialize("2025-06-18")) + "\n", timeout=60) if gone == "after" else (
        None, _closed(process),
    )  # fmt: skip

    assert (process.returncode, told) == (0, "")


def _closed(process: subprocess.Popen[str]) -> str:
    assert process.stdin is not None
    assert process.stderr is not None
    with process:
        process.stdin.write(json.dumps(initialize("2025-06-18")) + "\n")
        process.stdin.close()
        return process.stderr.read()
