"""A real HTTP server on this machine that does what model servers do, well or badly, as a list of rules says.

A rule is a condition on the request and what to do then; the first one that holds is followed. Nothing waits for a
clock: a silent server is silent until the client has gone, or the test ends.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

_RESET = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Arrival:
    """A request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes
    earlier: int
    """How many requests to the same path came before."""

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw) if self.raw else {}


When = Callable[[Arrival], bool]
Act = Callable[["Wire"], None]
Rule = tuple[When, Act]


class Wire(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    server: Any

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        imitation: Imitation = self.server.imitation
        act = imitation.act_for(
            self.command, self.path, {key.lower(): value for key, value in self.headers.items()}, raw
        )
        act(self)

    def send(self, status: int, kind: str | None, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Send a whole response."""
        self.send_response(status)
        if kind is not None:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self, kind: str = "text/event-stream") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def piece(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def reset(self) -> None:
        """End the connection as a crash does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.hang_up()

    def hang_up(self) -> None:
        self.close_connection = True
        # the reader and the writer hold the socket as well
        self.rfile.close()
        self.wfile.close()
        self.connection.close()

    def wait_until_gone(self) -> None:
        """Wait until the client ends the connection, or the test does."""
        self.close_connection = True
        with suppress(OSError):  # a connection that was reset is gone as well
            while self.connection.recv(1):
                continue
        self.note_that_it_is_gone()

    def note_that_it_is_gone(self) -> None:
        self.close_connection = True
        imitation: Imitation = self.server.imitation
        if not imitation.over.is_set():
            imitation.gone.set()

    def finish(self) -> None:
        try:
            super().finish()
        except (OSError, ValueError):
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        return


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, imitation: Imitation) -> None:
        self.imitation = imitation
        self.open: list[socket.socket] = []
        super().__init__(("127.0.0.1", 0), Wire)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self.open.append(connection)
        return connection, address

    def handle_error(self, request: object, client_address: object) -> None:
        return  # the client went away in the middle, which is what is tested


@dataclass
class Imitation:
    """The server, with what arrived."""

    rules: tuple[Rule, ...]
    arrivals: list[Arrival] = field(default_factory=list)
    begun: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)
    """Set when a client hangs up on a server that is not done; not when the test ends."""
    over: threading.Event = field(default_factory=threading.Event)

    def act_for(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Act:
        earlier = sum(one.path == path for one in self.arrivals)
        arrival = Arrival(method, path, headers, raw, earlier)
        self.arrivals.append(arrival)
        self.begun.set()
        return next((act for when, act in self.rules if when(arrival)), not_found)

    @property
    def chats(self) -> list[Arrival]:
        """The requests for a completion."""
        return [one for one in self.arrivals if one.method == "POST"]

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        self._server.shutdown()
        for connection in self._server.open:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._server.server_close()
        self._thread.join()


def not_found(wire: Wire) -> None:
    wire.send(404, "application/json", b'{"detail": "Not Found"}')
