"""A thread that gets the next workers ready, so that no answer waits for the job after it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from jupyter_mcpgen.sandbox.inside.confinement import Preparation

Prepare = Callable[[], Preparation]
"""Says what is enforced on the next workers, when they are forked."""


class Refiller:
    """Refills a pool behind its callers: asking a zygote takes a good part of what a short job takes.

    Its methods are called under the pool's lock.
    """

    def __init__(self, refill: Callable[[Prepare], None]) -> None:
        self._refill = refill
        self._wanted: SimpleQueue[Prepare | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, prepare: Prepare) -> None:
        """Have the pool refilled soon, by a thread of this process.

        It is started again where it ended over an error, which Python has printed by then, or where it stayed behind
        in the process that this one was forked from.
        """
        if self._thread is None or not self._thread.is_alive():
            self._wanted = SimpleQueue()
            self._thread = threading.Thread(target=self._serve, args=(self._wanted,), name="refill", daemon=True)
            self._thread.start()
        self._wanted.put(prepare)

    def end(self) -> None:
        """Let the thread end; the next who asks starts another."""
        self._wanted.put(None)
        self._thread = None

    def _serve(self, wanted: SimpleQueue[Prepare | None]) -> None:
        while self._has_served_one(wanted):
            pass

    def _has_served_one(self, wanted: SimpleQueue[Prepare | None]) -> bool:
        """Serve one who asks; nothing of theirs is kept alive while the thread waits for the next."""
        prepare = wanted.get()
        if prepare is not None:
            self._refill(prepare)
        return prepare is not None
