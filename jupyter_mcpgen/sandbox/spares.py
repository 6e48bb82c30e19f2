"""Workers that were started before there is a job: each has imported what tools start with, and serves one job.

A spare has read nothing of any job. On receipt it forks the job, which confines itself exactly as in a fresh worker;
what is saved is the second that importing pandas takes.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.launch import Worker

# Not `pyarrow.dataset`: its allocator maps a gigabyte at once, which the memory bound of the job would count.
LIBRARIES = (
    "numpy", "pandas", "pandas.io.feather_format", "pandas.io.parquet",
    "pyarrow", "pyarrow.compute", "pyarrow.csv", "pyarrow.feather", "pyarrow.parquet",
    "pydantic", "pydantic.fields", "csv", "difflib",
)  # fmt: skip
"""What a tool and its `helpers.py` import first; a library that is not installed is left out."""

LEAST_MEMORY_BYTES = 1024**3
"""A job bounded by less gets a fresh worker: its bound counts what the libraries map, whether it needs them or not."""

_MOST_FAILURES = 3

Stamp = tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True)
class _Spare:
    """A worker and the state of the installed packages that it began to import."""

    worker: Worker
    stamp: Stamp


class Spares:
    """At most `count` waiting workers; safe to use from several threads, and in a fork, which gets none of them."""

    def __init__(self, interpreter: Interpreter, count: int) -> None:
        self._interpreter = interpreter
        self._count = count
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._waiting: deque[_Spare] = deque()
        self._is_open = True
        self._failures = 0

    @property
    def explanation(self) -> str:
        """Return how jobs start, for a person."""
        if self._count == 0:
            return "each job starts an interpreter of its own"
        return f"each job gets a process of its own; at most {self._count} wait with pandas imported and nothing else"

    def take(self, memory_bytes: int) -> Worker | None:
        """Return a worker that is ready for a job of this memory bound; `None` when only a fresh one will do.

        A spare that is still importing is waited for: a fresh worker would have all of that before it.
        """
        if memory_bytes < LEAST_MEMORY_BYTES:
            return None
        stamp = _stamp(self._interpreter)
        while (spare := self._next()) is not None:
            try:
                usable = spare.stamp == stamp and self._becomes_ready(spare.worker)
            except BaseException:  # an interrupt while waiting
                spare.worker.close()
                raise
            if usable:
                return spare.worker
            spare.worker.close()
        return None

    def refill(self) -> None:
        """Start as many workers as are missing, without waiting for them; one that died is replaced."""
        self._leave_to_the_parent()
        with self._lock:
            for spare in [spare for spare in self._waiting if not spare.worker.is_running]:
                self._waiting.remove(spare)
                spare.worker.close()
            # A job that needs a worker will tell why none can be started.
            with suppress(SandboxError):
                while self._is_open and self._failures < _MOST_FAILURES and len(self._waiting) < self._count:
                    stamp = _stamp(self._interpreter)
                    self._waiting.append(_Spare(Worker(self._interpreter, LIBRARIES), stamp))

    def warm(self) -> None:
        """Start all workers now, also after `close`, or after several that could not get ready."""
        self._is_open, self._failures = True, 0
        self.refill()

    def close(self) -> None:
        """End all waiting workers, and start no more."""
        self._is_open = False
        while (spare := self._next()) is not None:
            spare.worker.close()

    def _next(self) -> _Spare | None:
        self._leave_to_the_parent()
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def _becomes_ready(self, worker: Worker) -> bool:
        if worker.is_ready():
            self._failures = 0
            return True
        self._failures += 1
        return False

    def _leave_to_the_parent(self) -> None:
        if self._owner == os.getpid():
            return
        inherited = tuple(self._waiting)
        # Another thread may have held the lock at the fork, and is not here to release it.
        self._owner, self._lock, self._waiting = os.getpid(), threading.Lock(), deque()
        for spare in inherited:
            spare.worker.disown()


def _stamp(interpreter: Interpreter) -> Stamp:
    """Return what changes when packages are installed, upgraded or removed, or the interpreter is."""
    return tuple(map(_state, (interpreter.executable, *interpreter.imports)))


def _state(path: Path) -> tuple[int, int] | None:
    try:
        facts = path.stat()
    except OSError:
        return None  # it is gone, which is a change
    return facts.st_ino, facts.st_mtime_ns
