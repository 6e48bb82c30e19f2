"""A thread that gets the next workers ready, so that no answer waits for the job after it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from jupyter_mcpgen.sandbox.inside.confinement import Preparation

Prepare = Callable[[], Preparation]
"""Says what is enforced on the next workers, when they are forked."""


class Refiller:
    """Refills a pool behind its callers: asking a zygote takes a good part of what a short job takes.

    The answer that was just given does not wait for it. The next job does if it comes meanwhile, and so does closing
    the pool: a refill holds the pool's lock. `ask` is called under that lock.
    """

    def __init__(self, refill: Callable[[Prepare], None]) -> None:
        self._refill = refill
        self._wanted: SimpleQueue[Prepare | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, prepare: Prepare) -> None:
        """Have the pool refilled soon, by a thread of this process; an error there is printed, and the next is served.

        The thread is started where there is none, or where it stayed behind in the process that this one was forked
        from. Where none can be started nothing is refilled, and the next job has a worker of its own forked.
        """
        if self._thread is None or not self._thread.is_alive():
            self._wanted = SimpleQueue()
            thread = threading.Thread(target=self._serve, args=(self._wanted,), name="refill", daemon=True)
            with suppress(RuntimeError):  # there are too many threads, or this program ends
                thread.start()
                self._thread = thread
        self._wanted.put(prepare)

    def end(self) -> None:
        """Let the thread end once it has served who asked before; the next who asks starts another."""
        self._wanted.put(None)
        self._thread = None

    def _serve(self, wanted: SimpleQueue[Prepare | None]) -> None:
        while self._has_served_one(wanted):
            pass

    def _has_served_one(self, wanted: SimpleQueue[Prepare | None]) -> bool:
        """Serve one who asks; nothing of theirs is kept alive while the thread waits for the next."""
        prepare = wanted.get()
        if prepare is not None:
            try:
                self._refill(prepare)
            except Exception:  # told as that of any thread is; whoever asks next is to be served all the same
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
        return prepare is not None
