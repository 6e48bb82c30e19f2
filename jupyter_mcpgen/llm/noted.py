"""One request in the log, from before it is sent until it is over, however it ends."""

from __future__ import annotations

import asyncio

from jupyter_mcpgen.llm.arriving import Arrived
from jupyter_mcpgen.llm.client import Refused, Unanswered
from jupyter_mcpgen.llm.log import Entry, RequestLog


class Noted:
    """Writes one request into the log: before it is sent, and how it ended."""

    def __init__(self, log: RequestLog, origin: str, model: str, prompt: str, policy: str, arrived: Arrived) -> None:
        self._log = log
        self._about = (origin, model, prompt, policy)
        self._arrived = arrived
        self._entry: Entry | None = None

    def begin(self, body: bytes) -> None:
        """Write the request down; raises `RequestNotLogged`."""
        self._entry = self._log.begin(body, *self._about)

    def __enter__(self) -> Noted:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self._entry is None:
            return
        usage = self._arrived.usage
        self._log.end(
            self._entry,
            _status(error),
            self._arrived.characters,
            usage.prompt_tokens,
            usage.completion_tokens,
        )


def _status(error: BaseException | None) -> str:
    if isinstance(error, Refused):
        return str(error.fault.status)
    if isinstance(error, Unanswered):
        return error.trouble.name.lower()
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    if error is not None:
        return "failed"
    return "ok"
