"""Asks a server how it is: whether it is one of ours, and whether it answers in the protocol."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jupyter_mcpgen import __version__
from jupyter_mcpgen.server.connect import NAME
from jupyter_mcpgen.server.greeting import MODERN
from jupyter_mcpgen.server.launch import ServerStatus
from jupyter_mcpgen.server.tokens import SECONDS_PER_DAY, issue, revoke_those

_SECONDS = 5.0
_ASKING = "status:asking"


@dataclass(frozen=True)
class Health:
    """What came of asking a server: the versions of the protocol that it speaks, or why there was no answer."""

    versions: tuple[str, ...] = ()
    wrong: str | None = None

    @property
    def is_well(self) -> bool:
        """Tell whether it answers."""
        return self.wrong is None


def asked(running: ServerStatus, state: Path) -> Health:
    """Ask a running server of ours in the protocol, with a token for this one question."""
    now = time.time()
    token = issue(state, _ASKING, now=now, lifetime_days=_SECONDS / SECONDS_PER_DAY)
    try:
        return _answered(running, token)
    finally:
        revoke_those(state, lambda one: one.client_id == _ASKING, now)


def _answered(running: ServerStatus, token: str) -> Health:
    version = MODERN[-1]
    meta = "io.modelcontextprotocol/"
    about = {
        f"{meta}protocolVersion": version,
        f"{meta}clientInfo": {"name": NAME, "version": __version__},
        f"{meta}clientCapabilities": {},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": about}}
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {token}",
        "Mcp-Protocol-Version": version,
        "Mcp-Method": "server/discover",
    }
    connection = http.client.HTTPConnection(running.host, running.port, timeout=_SECONDS)
    try:
        connection.request("POST", urlsplit(running.url).path, json.dumps(body), headers)
        response = connection.getresponse()
        if response.status == http.client.UNAUTHORIZED:
            return Health(wrong="it does not take a new token")
        if response.status != http.client.OK:
            return Health(wrong=f"it answers with HTTP {response.status}")
        return _read(response.read())
    except TimeoutError:
        return Health(wrong=f"nothing came within {_SECONDS:g} seconds")
    except (OSError, http.client.HTTPException) as error:
        return Health(wrong=str(error) or type(error).__name__)
    finally:
        connection.close()


def _read(content: bytes) -> Health:
    """Return what an answer says, which is JSON or the only event of a stream."""
    text = next((line[5:] for line in content.splitlines() if line.startswith(b"data:")), content)
    try:
        said: Mapping[str, Any] = json.loads(text)
        return Health(tuple(map(str, said["result"]["supportedVersions"])))
    except (ValueError, KeyError, TypeError):
        return Health(wrong="its answer is not one of the protocol")
