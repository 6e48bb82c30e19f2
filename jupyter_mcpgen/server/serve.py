"""The server process: speaks MCP over stdio or HTTP until its client, or `stop`, ends it."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastmcp import FastMCP
from fastmcp.server.auth import AuthProvider

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.server.app import build_app, http_application
from jupyter_mcpgen.server.auth import IssuedTokens
from jupyter_mcpgen.server.draining import Draining
from jupyter_mcpgen.server.listening import is_loopback, listen, refuse_remote
from jupyter_mcpgen.server.private import state_key
from jupyter_mcpgen.server.provider import Shelf
from jupyter_mcpgen.settings import SEARCH_BEYOND
from jupyter_mcpgen.tools.offer import Offer

GRACE_SECONDS = 1
DRAIN_SECONDS = 10.0
"""How long requests that run may take to end when the server is to end."""
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Served:
    """What a server serves: the approved tools, the built-in ones beside them, and how many of the first it lists."""

    shelf: Shelf
    offers: tuple[Offer[Any], ...] = ()
    search_beyond: int = SEARCH_BEYOND

    def app(self, state: Path, auth: AuthProvider | None = None) -> FastMCP:
        """Return the application over it, with the key of a state folder."""
        key = state_key(state)
        return build_app(self.shelf, self.offers, state_key=key, auth=auth, search_beyond=self.search_beyond)


OpenServed = Callable[[Path | None, Path], AbstractContextManager[Served]]


def main(arguments: Sequence[str], open_served: OpenServed) -> int:
    """Run a server as a command; `open_served` opens the registry at a path, or the configured one, for a state."""
    options = _parser().parse_args(arguments)
    log_to_stderr()
    try:
        with open_served(options.registry, options.state) as served:
            # What is loaded by now stays for good; without it every collection is shorter, the one at the end by 0.4 s.
            gc.freeze()
            if options.stdio:
                serve_stdio(served, options.state)
            else:
                if not options.listen_fd:
                    refuse_remote(options.host, options.allow_remote)
                listener = _inherited(options.listen_fd) if options.listen_fd else listen(options.host, options.port)
                if not is_loopback(options.host):
                    logger.warning("Other machines can reach this server; tokens and data travel in clear text.")
                ready = _announcer(options.ready_fd)
                serve_http(served, options.state, listener, options.host, stateless=options.stateless, ready=ready)
    except McpgenError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def serve_stdio(served: Served, state: Path) -> None:
    """Serve one client over this process's standard streams; whatever else prints goes to stderr."""
    served.app(state).run("stdio", show_banner=False, log_level="WARNING")


def serve_http(
    served: Served,
    state: Path,
    listener: socket.socket,
    host: str,
    *,
    stateless: bool = False,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve over streamable HTTP on a bound socket until SIGTERM or SIGINT; calls `ready` once clients are answered."""
    app = Draining(http_application(served.app(state, IssuedTokens(state)), host, stateless=stateless))
    config = uvicorn.Config(
        app,
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ws="none",
    )
    # uvicorn raises the signal again when it is done: leave by the front door, so that the sandbox is closed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    _Announcing(config, ready, app).run(sockets=[listener])


def log_to_stderr() -> None:
    """Send all logging to stderr: under stdio one line on stdout would break the protocol."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )


class _Announcing(uvicorn.Server):
    """A uvicorn server that says when it answers, and finishes what it began before it ends."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], app: Draining) -> None:
        super().__init__(config)
        self._ready = ready
        self._app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for listener in sockets or ():
            listener.close()
        await self._app.finish(DRAIN_SECONDS)
        await super().shutdown(sockets)


def _inherited(descriptor: int) -> socket.socket:
    # The sandbox's processes must not inherit the server's door.
    os.set_inheritable(descriptor, False)
    return socket.socket(fileno=descriptor)


def _announcer(descriptor: int | None) -> Callable[[], None]:
    if descriptor is None:
        return lambda: None
    os.set_inheritable(descriptor, False)

    def ready() -> None:
        os.write(descriptor, b"ready")
        os.close(descriptor)

    return ready


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m jupyter_mcpgen.server", description=__doc__)
    transport = parser.add_mutually_exclusive_group(required=True)
    transport.add_argument("--stdio", action="store_true", help="serve one client over standard input and output")
    transport.add_argument("--http", action="store_true", help="serve over streamable HTTP, with a token")
    parser.add_argument("--registry", type=Path, help="the registry's root folder; default: as configured")
    parser.add_argument("--state", type=Path, required=True, help="the folder of tokens and keys, outside the registry")
    parser.add_argument("--alone", action="store_true", help="with --stdio: do not join a server that runs")
    parser.add_argument("--stateless", action="store_true", help="with --http: one of several behind a balancer")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--allow-remote", action="store_true", help="serve other machines over plain HTTP")
    parser.add_argument("--listen-fd", type=int, help="a socket that is bound already")
    parser.add_argument("--ready-fd", type=int, help="a pipe to write `ready` to")
    return parser
