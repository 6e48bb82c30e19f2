"""Counts the requests that are being answered, so that a server that is to end can finish them first.

The library that writes the streams of the older protocol ends all of them half a second after the signal, answered or
not. It is told to leave that to us.
"""

from __future__ import annotations

import asyncio
import logging

from sse_starlette.sse import AppStatus
from starlette.types import ASGIApp, Receive, Scope, Send

logger = logging.getLogger(__name__)

_LISTEN = b"subscriptions/listen"
_LOOK_SECONDS = 0.02


class Draining:
    """An application, and how many of its requests run; streams that last as long as the server are not counted."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._running = 0
        AppStatus.disable_automatic_graceful_drain()  # type: ignore[no-untyped-call]  # of a library without types

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        ends = scope["type"] == "http" and scope["method"] == "POST" and _method_of(scope) != _LISTEN
        self._running += ends
        try:
            await self._app(scope, receive, send)
        finally:
            self._running -= ends

    async def finish(self, seconds: float) -> None:
        """Wait until nothing runs any more, but no longer than so many seconds; then end all streams."""
        try:
            async with asyncio.timeout(seconds):
                while self._running:
                    await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            logger.warning("%d requests still run and are ended with the server.", self._running)
        AppStatus.should_exit = True


def _method_of(scope: Scope) -> bytes:
    return next((value for name, value in scope["headers"] if name == b"mcp-method"), b"")
