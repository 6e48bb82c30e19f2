"""How each client is told of the server: which file it reads, and what stands there."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from jupyter_mcpgen.errors import ServerError

PROGRAM = (sys.executable, "-P", "-m", "jupyter_mcpgen.server")
"""Without the current folder among the places of modules: a client may stand in anybody's clone."""

NAME = "jupyter-mcpgen"
PLACEHOLDER = "YOUR_TOKEN"


class Client(StrEnum):
    """The clients whose configuration files we know."""

    CLAUDE_DESKTOP = "Claude Desktop"
    CLAUDE_CODE = "Claude Code"
    CURSOR = "Cursor"
    VS_CODE = "VS Code"
    WINDSURF = "Windsurf"
    ZED = "Zed"
    GEMINI_CLI = "Gemini CLI"


SHOWN = (Client.CLAUDE_DESKTOP, Client.CURSOR, Client.VS_CODE)
"""Those whose configuration `serve` prints."""


@dataclass(frozen=True)
class Form:
    """How one client is configured, as its documentation says.

    `file` and `on_mac` are below the home folder, and `address` is the key of a server's URL; None where the file
    starts programs only.
    """

    word: str
    section: str
    file: str
    on_mac: str | None = None
    program: Mapping[str, str] = field(default_factory=dict)
    http: Mapping[str, str] = field(default_factory=dict)
    address: str | None = "url"


FORMS: Mapping[Client, Form] = {
    # modelcontextprotocol.io/quickstart/user
    Client.CLAUDE_DESKTOP: Form(
        "claude",
        "mcpServers",
        ".config/Claude/claude_desktop_config.json",
        "Library/Application Support/Claude/claude_desktop_config.json",
        address=None,
    ),
    # code.claude.com/docs/en/mcp, the scope of a user
    Client.CLAUDE_CODE: Form(
        "claude-code", "mcpServers", ".claude.json", program={"type": "stdio"}, http={"type": "http"}
    ),
    # cursor.com/docs/mcp
    Client.CURSOR: Form("cursor", "mcpServers", ".cursor/mcp.json"),
    # code.visualstudio.com/docs/agents/reference/mcp-configuration
    Client.VS_CODE: Form(
        "vscode",
        "servers",
        ".config/Code/User/mcp.json",
        "Library/Application Support/Code/User/mcp.json",
        program={"type": "stdio"},
        http={"type": "http"},
    ),
    # docs.windsurf.com/windsurf/cascade/mcp
    Client.WINDSURF: Form("windsurf", "mcpServers", ".codeium/windsurf/mcp_config.json", address="serverUrl"),
    # zed.dev/docs/ai/mcp
    Client.ZED: Form("zed", "context_servers", ".config/zed/settings.json"),
    # geminicli.com/docs/tools/mcp-server
    Client.GEMINI_CLI: Form("gemini", "mcpServers", ".gemini/settings.json", address="httpUrl"),
}


@dataclass(frozen=True)
class Stdio:
    """The client starts the server itself and needs no token."""

    registry: Path
    state: Path

    @property
    def command(self) -> tuple[str, ...]:
        """The command line, with this interpreter's full path: clients start without the user's `PATH`."""
        options = ("--stdio", "--registry", str(self.registry), "--state", str(self.state))
        return (*PROGRAM, *options)


@dataclass(frozen=True)
class Http:
    """The client connects to a running server; without a token the snippet has a placeholder."""

    url: str
    token: str | None = None


@dataclass(frozen=True)
class Snippet:
    """What to put into which file of a client."""

    client: Client
    file: str
    text: str


def client_named(word: str) -> Client | None:
    """Return the client that a person means."""
    return next((client for client, form in FORMS.items() if form.word == word), None)


def file_of(client: Client) -> str:
    """Return the file that a client reads for all projects of a person, below the home folder."""
    form = FORMS[client]
    on_mac = form.on_mac if sys.platform == "darwin" else None
    return on_mac or form.file


def entry(client: Client, endpoint: Stdio | Http) -> Mapping[str, Any]:
    """Return what stands in a client's file under the server's name; raises `ServerError` where it cannot."""
    form = FORMS[client]
    if isinstance(endpoint, Stdio):
        command, *arguments = endpoint.command
        return {**form.program, "command": command, "args": arguments}
    if form.address is None:
        raise ServerError(f"{client.value}'s configuration file starts programs only. Connect it over stdio.")
    bearer = {"Authorization": f"Bearer {endpoint.token or PLACEHOLDER}"}
    return {**form.http, form.address: endpoint.url, "headers": bearer}


def snippet(client: Client, endpoint: Stdio | Http) -> Snippet:
    """Return the configuration of one client for one way to connect."""
    tree = {FORMS[client].section: {NAME: entry(client, endpoint)}}
    return Snippet(client, f"~/{file_of(client)}", json.dumps(tree, indent=2, ensure_ascii=False))


def snippets(endpoint: Stdio | Http) -> tuple[Snippet, ...]:
    """Return the configuration of each client that is shown without being asked for, and can connect this way."""
    able = (one for one in SHOWN if isinstance(endpoint, Stdio) or FORMS[one].address is not None)
    return tuple(snippet(client, endpoint) for client in able)


def as_text(endpoint: Stdio | Http) -> str:
    """Return these snippets as text to show or to write to a private file."""
    return "\n\n".join(f"{one.client.value}, in `{one.file}`:\n{one.text}" for one in snippets(endpoint))
