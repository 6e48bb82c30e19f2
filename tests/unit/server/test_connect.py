"""The copy-paste configuration of each client is what its file takes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.server.connect import Client, Http, Stdio, as_text, snippet, snippets

STDIO = Stdio(Path("/data/registry"), Path("/data/server"))
ARGUMENTS = ["-P", "-m", "jupyter_mcpgen.server", "--stdio", "--registry", "/data/registry", "--state", "/data/server"]
PROGRAM = {"command": sys.executable, "args": ARGUMENTS}
ADDRESS = {"url": "http://127.0.0.1:4711/mcp", "headers": {"Authorization": "Bearer YOUR_TOKEN"}}


TYPED = {"type": "stdio", **PROGRAM}
WHOLE_ADDRESS = {"type": "http", **ADDRESS}


def under(key: str, entry: dict[str, object]) -> dict[str, object]:
    return {key: {"jupyter-mcpgen": entry}}


def test_every_client_can_start_the_server_itself():
    assert {client: json.loads(snippet(client, STDIO).text) for client in Client} == {
        Client.CLAUDE_DESKTOP: under("mcpServers", PROGRAM),
        Client.CLAUDE_CODE: under("mcpServers", TYPED),
        Client.CURSOR: under("mcpServers", PROGRAM),
        Client.VS_CODE: under("servers", TYPED),
        Client.WINDSURF: under("mcpServers", PROGRAM),
        Client.ZED: under("context_servers", PROGRAM),
        Client.GEMINI_CLI: under("mcpServers", PROGRAM),
    }


def test_clients_that_speak_http_get_a_placeholder_for_the_token():
    bearer = {"headers": ADDRESS["headers"]}
    able = [client for client in Client if client is not Client.CLAUDE_DESKTOP]

    assert {client: json.loads(snippet(client, Http(ADDRESS["url"])).text) for client in able} == {
        Client.CLAUDE_CODE: under("mcpServers", WHOLE_ADDRESS),
        Client.CURSOR: under("mcpServers", ADDRESS),
        Client.VS_CODE: under("servers", WHOLE_ADDRESS),
        Client.WINDSURF: under("mcpServers", {"serverUrl": ADDRESS["url"], **bearer}),
        Client.ZED: under("context_servers", ADDRESS),
        Client.GEMINI_CLI: under("mcpServers", {"httpUrl": ADDRESS["url"], **bearer}),
    }


def test_three_of_them_are_shown_without_being_asked_for():
    shown = [one.client for one in snippets(STDIO)]

    assert shown == [Client.CLAUDE_DESKTOP, Client.CURSOR, Client.VS_CODE]
    assert [one.client for one in snippets(Http(ADDRESS["url"]))] == shown[1:]


def test_the_token_is_written_out_on_request_only():
    url = "http://127.0.0.1:4711/mcp"

    assert ("secret" in as_text(Http(url)), "Bearer secret" in as_text(Http(url, "secret"))) == (False, True)


def test_claude_desktop_is_sent_to_stdio():
    with pytest.raises(ServerError, match="stdio"):
        snippet(Client.CLAUDE_DESKTOP, Http("http://127.0.0.1:4711/mcp"))
