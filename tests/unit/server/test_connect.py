"""The copy-paste configuration of each client is what its file takes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.server.connect import Client, Http, Stdio, as_text, snippet, snippets

STDIO = Stdio(Path("/data/registry"), Path("/data/server"))
ARGUMENTS = ["-m", "jupyter_mcpgen.server", "--stdio", "--registry", "/data/registry", "--state", "/data/server"]
PROGRAM = {"command": sys.executable, "args": ARGUMENTS}
ADDRESS = {"url": "http://127.0.0.1:4711/mcp", "headers": {"Authorization": "Bearer YOUR_TOKEN"}}


def test_every_client_can_start_the_server_itself():
    assert {one.client: json.loads(one.text) for one in snippets(STDIO)} == {
        Client.CLAUDE_DESKTOP: {"mcpServers": {"jupyter-mcpgen": PROGRAM}},
        Client.CURSOR: {"mcpServers": {"jupyter-mcpgen": PROGRAM}},
        Client.VS_CODE: {"servers": {"jupyter-mcpgen": {"type": "stdio", **PROGRAM}}},
    }


def test_clients_that_speak_http_get_a_placeholder_for_the_token():
    assert {one.client: json.loads(one.text) for one in snippets(Http("http://127.0.0.1:4711/mcp"))} == {
        Client.CURSOR: {"mcpServers": {"jupyter-mcpgen": ADDRESS}},
        Client.VS_CODE: {"servers": {"jupyter-mcpgen": {"type": "http", **ADDRESS}}},
    }


def test_the_token_is_written_out_on_request_only():
    url = "http://127.0.0.1:4711/mcp"

    assert ("secret" in as_text(Http(url)), "Bearer secret" in as_text(Http(url, "secret"))) == (False, True)


def test_claude_desktop_is_sent_to_stdio():
    with pytest.raises(ServerError, match="stdio"):
        snippet(Client.CLAUDE_DESKTOP, Http("http://127.0.0.1:4711/mcp"))
