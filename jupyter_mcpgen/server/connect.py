"""Configuration to copy into the clients: Claude Desktop, Cursor, VS Code."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, assert_never

from jupyter_mcpgen.errors import ServerError

NAME = "jupyter-mcpgen"
PLACEHOLDER = "YOUR_TOKEN"


class Client(StrEnum):
    """The clients whose configuration files we know."""

    CLAUDE_DESKTOP = "Claude Desktop"
    CURSOR = "Cursor"
    VS_CODE = "VS Code"


@dataclass(frozen=True)
class Stdio:
    """The client starts the server itself and needs no token."""

    registry: Path
    state: Path

    @property
    def command(self) -> tuple[str, ...]:
        """The command line, with this interpreter's full path: clients start without the user's `PATH`."""
        options = ("--stdio", "--registry", str(self.registry), "--state", str(self.state))
        return (sys.executable, "-m", "jupyter_mcpgen.server", *options)


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


def snippet(client: Client, endpoint: Stdio | Http) -> Snippet:
    """Return the configuration of one client for one way to connect."""
    match client:
        case Client.CLAUDE_DESKTOP:
            if isinstance(endpoint, Http):
                raise ServerError("Claude Desktop's configuration file starts programs only. Connect it over stdio.")
            return _snippet(client, "claude_desktop_config.json", {"mcpServers": {NAME: _program(endpoint)}})
        case Client.CURSOR:
            entry = _program(endpoint) if isinstance(endpoint, Stdio) else _address(endpoint)
            return _snippet(client, "~/.cursor/mcp.json", {"mcpServers": {NAME: entry}})
        case Client.VS_CODE:
            entry = (
                {"type": "stdio", **_program(endpoint)}
                if isinstance(endpoint, Stdio)
                else {"type": "http", **_address(endpoint)}
            )
            return _snippet(client, ".vscode/mcp.json", {"servers": {NAME: entry}})
        case _:
            assert_never(client)


def snippets(endpoint: Stdio | Http) -> tuple[Snippet, ...]:
    """Return the configuration of every client that can connect this way."""
    able = tuple(one for one in Client if isinstance(endpoint, Stdio) or one is not Client.CLAUDE_DESKTOP)
    return tuple(snippet(client, endpoint) for client in able)


def as_text(endpoint: Stdio | Http) -> str:
    """Return all snippets as text to show or to write to a private file."""
    return "\n\n".join(f"{one.client.value}, in `{one.file}`:\n{one.text}" for one in snippets(endpoint))


def _program(endpoint: Stdio) -> dict[str, Any]:
    command, *arguments = endpoint.command
    return {"command": command, "args": arguments}


def _address(endpoint: Http) -> dict[str, Any]:
    return {"url": endpoint.url, "headers": {"Authorization": f"Bearer {endpoint.token or PLACEHOLDER}"}}


def _snippet(client: Client, file: str, tree: Mapping[str, Any]) -> Snippet:
    return Snippet(client, file, json.dumps(tree, indent=2, ensure_ascii=False))
