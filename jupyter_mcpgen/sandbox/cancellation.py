"""A wish to end a run early, made in one thread and carried out by another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancellation:
    """Cancels every run that it was given to, also those that have not begun; once cancelled, it stays so.

    Before what cannot be taken back comes `seal`: then cancelling is too late and does nothing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_cancelled = False
        self._is_sealed = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def is_cancelled(self) -> bool:
        """Return whether somebody cancelled."""
        return self._is_cancelled

    def cancel(self) -> None:
        """End the runs; returns at once, from any thread, and any number of times."""
        with self._lock:
            if self._is_sealed:
                return
            self._is_cancelled = True
            listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()

    def seal(self) -> bool:
        """Take no wish from now on; tells whether none was made before."""
        with self._lock:
            self._is_sealed = not self._is_cancelled
            return self._is_sealed

    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Have a function called once if it is cancelled within the block, or was before."""
        with self._lock:
            late = self._is_cancelled
            if not late:
                self._listeners.append(listener)
        if late:
            listener()
        try:
            yield
        finally:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)
