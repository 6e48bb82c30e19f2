"""Counts the requests that are being answered, so that a server that is to end can finish them first."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send

_LISTEN = b"subscriptions/listen"
_LOOK_SECONDS = 0.02


class Draining:
    """An application, and how many of its requests run; streams that last as long as the server are not counted."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        ends = scope["type"] == "http" and scope["method"] == "POST" and _method_of(scope) != _LISTEN
        self._running += ends
        try:
            await self._app(scope, receive, send)
        finally:
            self._running -= ends

    async def finished(self, seconds: float) -> None:
        """Wait until nothing runs any more, but no longer than so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                while self._running:
                    await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            return  # what runs still is ended with the server


def _method_of(scope: Scope) -> bytes:
    return next((value for name, value in scope["headers"] if name == b"mcp-method"), b"")
