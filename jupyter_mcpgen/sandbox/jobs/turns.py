"""Lets a few jobs run at once and the next ones wait in line, up to a length; beyond that, says no at once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from jupyter_mcpgen.errors import SandboxBusy
from jupyter_mcpgen.sandbox.cancellation import Cancellation


class Turns:
    """A line of threads, first come first served; `at_once` of them have their turn, at most `waiting` wait."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = at_once
        self._most_waiting = waiting
        self._lock = threading.Lock()
        self._line: deque[threading.Event] = deque()

    @contextmanager
    def turn(self, cancel: Cancellation) -> Iterator[bool]:
        """Wait for a turn and hold it; gives `False`, without one, when it was cancelled while waiting.

        Raises `SandboxBusy` when the line is as long as it may be.
        """
        called = threading.Event()
        self._join(called)
        try:
            with cancel.calling(called.set):
                called.wait()
            has_turn = self._leave_line(called)
        except BaseException:  # an interrupt while waiting
            if self._leave_line(called):
                self._pass_on()
            raise
        try:
            yield has_turn and not cancel.is_cancelled
        finally:
            if has_turn:
                self._pass_on()

    def _join(self, called: threading.Event) -> None:
        with self._lock:
            if self._free > 0:
                self._free -= 1
                called.set()
                return
            if len(self._line) >= self._most_waiting:
                raise SandboxBusy(
                    f"{len(self._line)} runs already wait for the sandbox, so this one was not started. "
                    "Try again when some of them are done."
                )
            self._line.append(called)

    def _leave_line(self, called: threading.Event) -> bool:
        """Return whether the turn has come; a thread that is still in the line leaves it without one."""
        with self._lock:
            if called in self._line:
                self._line.remove(called)
                return False
            return True

    def _pass_on(self) -> None:
        with self._lock:
            if self._line:
                self._line.popleft().set()
            else:
                self._free += 1
