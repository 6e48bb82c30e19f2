"""A web server of a test's own, on this machine: what each path answers is set by the test, and may change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Web:
    """What the server answers by path, and the paths that were asked for."""

    port: int
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def address(self, path: str) -> str:
        """Return the address of a path."""
        return f"http://127.0.0.1:{self.port}{path}"


def content(body: bytes, length: int | None = None, **headers: str) -> Answer:
    """Answer with a body, which may be said to be of another length."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def endless(piece: bytes) -> Answer:
    """Answer with a body that never ends."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        while True:
            request.wfile.write(piece)

    return answer


def silent(until: threading.Event) -> Answer:
    """Answer with the beginning of a file, and then with nothing until somebody ends it."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(b"region,amount\nnorth,1\n")
        request.wfile.flush()
        until.wait()

    return answer


def redirect(to: str) -> Answer:
    """Answer with another address."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", to)
        request.end_headers()

    return answer


@contextmanager
def serving() -> Iterator[Web]:
    """Serve for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.asked.append(self.path)
            found = web.answers.get(self.path)
            if found is None:
                self.send_error(404)
                return
            try:
                found(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the other side had enough

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web = Web(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
