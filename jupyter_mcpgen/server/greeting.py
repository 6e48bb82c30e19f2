"""Answers a client's first message at once, while the rest of the server is still being imported.

Clients give up where `initialize` is not answered within seconds, and the protocol's library alone takes that long to
import. What the answer says is known before: so this module, which imports nothing heavy, reads the first message from
the wire, answers it, and hands it on to the server. The server answers it too, and that second answer is held back.
Every other message passes through as it is and waits until the server is ready.
"""

from __future__ import annotations

import json
import os
import select
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from jupyter_mcpgen import __version__
from jupyter_mcpgen.server.connect import NAME

INSTRUCTIONS = (
    "Data analysis tools that a person created and approved in JupyterLab. "
    "`search_tools` finds them by words, `list_available_tools` lists them, `call_tool` calls one by its "
    "name. A new tool is live only after a person approved it; `dynamic_register_tool` offers one. "
    "There may also be built-in tools that run code in a sandbox: start with `execute_code`, or with "
    "`create_session` to keep variables or files. Examples and guides are resources: `mcpgen://guides/TOOL`."
)
HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions of the protocol that begin with `initialize`; a client that asks for another one is offered the last."""
MODERN = ("2026-07-28",)
"""Versions of the protocol that begin with `server/discover`."""
_META = "io.modelcontextprotocol/"
_SERVER = {"name": NAME, "version": __version__}
_CHUNK = 65_536
GRACE_SECONDS = 5.0
"""How long a client may take to read the last answers of a server that ends."""


def answer_to(line: bytes) -> dict[str, Any] | None:
    """Return the answer to a first message, or None where the server itself has to answer it."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    match message:
        case {"jsonrpc": "2.0", "id": int() | str() as id_, "method": "initialize", "params": dict(params)}:
            result = _initialized(params)
        case {"jsonrpc": "2.0", "id": int() | str() as id_, "method": "server/discover", "params": dict(params)}:
            result = _discovered(params)
        case _:
            return None
    return None if result is None else {"jsonrpc": "2.0", "id": id_, "result": result}


def _initialized(params: Mapping[str, Any]) -> dict[str, Any] | None:
    match params:
        case {
            "protocolVersion": str(version),
            "capabilities": dict(),
            "clientInfo": {"name": str(), "version": str()},
        }:
            return {
                "protocolVersion": version if version in HANDSHAKES else HANDSHAKES[-1],
                "capabilities": _capabilities(),
                "serverInfo": _SERVER,
                "instructions": INSTRUCTIONS,
            }
    return None


def _discovered(params: Mapping[str, Any]) -> dict[str, Any] | None:
    meta = params.get("_meta")
    if not isinstance(meta, dict) or meta.get(f"{_META}protocolVersion") not in MODERN:
        return None
    return {
        "_meta": {f"{_META}serverInfo": _SERVER},
        "ttlMs": 0,
        "cacheScope": "private",
        "supportedVersions": list(MODERN),
        "capabilities": {**_capabilities(), "extensions": {f"{_META}ui": {}}},
        "instructions": INSTRUCTIONS,
        "resultType": "complete",
    }


def _capabilities() -> dict[str, Any]:
    changes = {"listChanged": True}
    resources = {"subscribe": True, **changes}
    return {"completions": {}, "logging": {}, "prompts": changes, "resources": resources, "tools": changes}


@contextmanager
def greeted() -> Iterator[Wire]:
    """Stand between the wire and this process's standard streams for as long as the block lasts."""
    between = Wire.open()
    hearing = Thread(target=between.hear, name="mcpgen-hearing", daemon=True)
    telling = Thread(target=between.tell, name="mcpgen-telling", daemon=True)
    hearing.start()
    telling.start()
    try:
        yield between
    finally:
        os.close(between.over)
        telling.join(GRACE_SECONDS)


@dataclass
class Wire:
    """The wire, and the pipes that stand in its place; `over` is closed when nothing more is said."""

    wire_in: int
    wire_out: int
    to_server: int
    from_server: int
    over: int
    ended: int
    answered: list[int | str] = field(default_factory=list)
    """The id of the message that was answered, until the server has answered it too; put in again, it waits again."""

    @classmethod
    def open(cls) -> Wire:
        """Put pipes in the place of the standard streams."""
        wire_in, wire_out = os.dup(0), os.dup(1)
        server_in, to_server = os.pipe()
        from_server, server_out = os.pipe()
        os.dup2(server_in, 0)
        os.dup2(server_out, 1)
        os.close(server_in)
        os.close(server_out)
        ended, over = os.pipe()
        return cls(wire_in, wire_out, to_server, from_server, over, ended)

    def hear(self) -> None:
        """Answer the first message if that is possible, then pass on everything."""
        with suppress(BrokenPipeError):  # the server has ended, or the client has gone
            received = b""
            while b"\n" not in received and (chunk := os.read(self.wire_in, _CHUNK)):
                received += chunk
            answer = answer_to(received.partition(b"\n")[0])
            if answer is not None:
                self.answered.append(answer["id"])
                _write(self.wire_out, json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            _write(self.to_server, received)
            while chunk := os.read(self.wire_in, _CHUNK):
                _write(self.to_server, chunk)
        os.close(self.to_server)

    def tell(self) -> None:
        """Pass on what the server says, but for the answer that was given already; end when nothing more can come."""
        held = b""
        with suppress(BrokenPipeError):  # the client has gone
            while self.from_server in select.select([self.from_server, self.ended], [], [])[0]:
                held += os.read(self.from_server, _CHUNK)
                while self.answered and b"\n" in held:
                    line, _, held = held.partition(b"\n")
                    if not self._is_second_answer(line):
                        _write(self.wire_out, line + b"\n")
                if not self.answered:
                    _write(self.wire_out, held)
                    held = b""
            _write(self.wire_out, held)
        os.close(self.from_server)

    def _is_second_answer(self, line: bytes) -> bool:
        try:
            message = json.loads(line)
        except ValueError:
            return False
        second = isinstance(message, dict) and message.get("id") in self.answered and "method" not in message
        if second:
            self.answered.clear()
        return second


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
