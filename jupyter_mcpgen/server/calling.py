"""Runs blocking work for a call: off the event loop, within the slots there are, ended when the call is cancelled.

A cancelled call tells the work to end and waits until it has; only then is its slot free again.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from fastmcp.exceptions import ToolError
from fastmcp.server.context import Context
from fastmcp.server.dependencies import get_access_token

from jupyter_mcpgen.plan.visible import visible
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.server.auth import STARTED_IN
from jupyter_mcpgen.server.tokens import ADMIN
from jupyter_mcpgen.wording import in_seconds

logger = logging.getLogger(__name__)
T = TypeVar("T")
_LONGEST_CLIENT = 100
PROGRESS_SECONDS = 1.0
"""How often a client hears that its call still runs."""
LOCAL = "local"
"""The owner of what is made over a transport that has one client only."""


async def run_to_the_end(
    work: Callable[[Cancellation], T],
    place: AbstractAsyncContextManager[None],
    meanwhile: Callable[[], Coroutine[Any, Any, None]] | None = None,
) -> T:
    """Return what the work gives in its place, or raise what it raises; `meanwhile` runs beside it and ends with it."""
    cancellation = Cancellation()
    over = anyio.Event()
    given: list[T] = []
    raised: list[Exception] = []

    async def carry_out() -> None:
        try:
            async with place:
                with anyio.CancelScope(shield=True):
                    # The place bounds how many there are; a shared limit on threads would be a second, unfair queue.
                    given.append(await to_thread.run_sync(work, cancellation, limiter=CapacityLimiter(1)))
        except Exception as error:  # raised again below, where it does not come out as a group
            raised.append(error)
        over.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(carry_out)
        if meanwhile is not None:
            tasks.start_soon(meanwhile)
        try:
            await over.wait()
        except anyio.get_cancelled_exc_class():
            cancellation.cancel()
            raise
        tasks.cancel_scope.cancel()
    if raised:
        raise raised[0]
    return given[0]


class Telling:
    """Tells a client at fixed intervals how long its call has run, of at most so many seconds if there is a limit."""

    def __init__(self, context: Context, name: str, seconds: float | None, every: float) -> None:
        self._context = context
        self._name = name
        self._seconds = seconds
        self._every = every
        self._note = ""

    def note(self, progress: str) -> None:
        """Keep how far the call is, to be told with the next message; from any thread."""
        self._note = f" {progress}"

    async def tell(self) -> None:
        """Go on until cancelled; a client that cannot be told any more is left in peace."""
        begin = time.monotonic()
        while True:
            await anyio.sleep(self._every)
            spent = round(time.monotonic() - begin, 1)
            limit = "" if self._seconds is None else f", of at most {self._seconds:g}"
            try:
                await self._context.report_progress(
                    spent, self._seconds, f"`{self._name}` has run for {in_seconds(spent)}{limit}.{self._note}"
                )
            except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                logger.debug("Progress of `%s` could not be told.", self._name, exc_info=True)
                return


def client_of(context: Context) -> str:
    """Return what the client of a call says it is; a word of its own, which nobody checks."""
    told = context.session.client_params
    name = told.client_info.name if told is not None else ""
    return visible(" ".join(name.split()))[:_LONGEST_CLIENT] or "unknown"


def owner() -> str:
    """Return a name for whoever calls: the bearer of one token, or the one client of a transport without tokens."""
    token = get_access_token()
    return LOCAL if token is None else hashlib.sha256(token.token.encode()).hexdigest()


def require_admin(tool: str) -> None:
    """Raise `ToolError` where the token of whoever calls has no scope to change tools.

    A client that started the server itself has no token: whoever configured it may do so.
    """
    token = get_access_token()
    if token is not None and ADMIN not in token.scopes:
        raise ToolError(
            f"`{tool}` needs the scope `{ADMIN}`, which the token `{token.client_id}` does not have. The person can "
            "make one that has it, with `jupyter mcpgen token create NAME --scope admin`."
        )


def started_in() -> Path | None:
    """Return the folder where the client of a call was started, if it joined over stdio."""
    token = get_access_token()
    folder = None if token is None else token.claims.get(STARTED_IN)
    return None if folder is None else Path(folder)
