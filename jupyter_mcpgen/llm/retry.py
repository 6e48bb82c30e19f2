"""How long to wait before the same request is sent again, and when to give up."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.llm.faults import Fault

MOST_RETRIES = 2
LONGEST_WAIT = 30.0
"""A server that says to wait longer is taken at its word: the person is told instead."""
MOST_LOADING = 300.0
_FIRST = 0.5
_LOADING = 2.0


class Retries:
    """The pauses of one request; `jitter` gives a number between 0 and 1."""

    def __init__(self, jitter: Callable[[], float]) -> None:
        self._jitter = jitter
        self._done = 0
        self._loading = 0.0

    def may_go_on(self) -> bool:
        """Return whether a request whose connection was lost may be sent again at once, and count it."""
        self._done += 1
        return self._done <= MOST_RETRIES

    def pause_after(self, fault: Fault) -> float | None:
        """Return the seconds to wait after a refusal, or `None` when waiting is of no use."""
        if fault.is_loading and self._loading < MOST_LOADING:
            self._loading += _LOADING
            return _LOADING
        if not fault.can_be_retried or self._done >= MOST_RETRIES:
            return None
        if fault.retry_after is not None and fault.retry_after > LONGEST_WAIT:
            return None
        self._done += 1
        own: float = _FIRST * 2**self._done * (0.5 + self._jitter() / 2)
        return own if fault.retry_after is None else fault.retry_after
