"""Single-use workers that wait for jobs: forked from a zygote, prepared, and confined as far as they can be.

A waiting worker has read nothing of any job. What is saved is the second that importing pandas takes, and the
milliseconds that a fork and new namespaces take.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakSet, finalize, ref

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.inside.confinement import Preparation
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.forkserver import ForkServer
from jupyter_mcpgen.sandbox.jobs.launch import Worker
from jupyter_mcpgen.sandbox.jobs.refilling import Prepare, Refiller

# Not `pyarrow.dataset`: its allocator maps a gigabyte at once, which the memory bound of the job would count.
LIBRARIES = (
    "numpy", "pandas", "pandas.io.feather_format", "pandas.io.parquet",
    "pyarrow", "pyarrow.compute", "pyarrow.csv", "pyarrow.feather", "pyarrow.parquet",
    "duckdb", "pydantic", "pydantic.fields", "csv", "difflib", "tempfile",
)  # fmt: skip
"""What a tool and its `helpers.py` import first; a library that is not installed is left out."""

LATER = (
    "scipy.special", "scipy.linalg", "scipy.sparse.linalg", "scipy.sparse.csgraph", "scipy.spatial",
    "scipy.optimize", "scipy.integrate", "scipy.interpolate", "scipy.ndimage", "scipy.stats",
)  # fmt: skip
"""What a tool that computes a statistic imports, in pieces of half a second at most: imported while nobody asks."""

LEAST_MEMORY_BYTES = 1024**3
"""A job bounded by less gets a fresh worker: its bound counts what the libraries map, whether it needs them or not."""

IDLE_SECONDS = 900.0
"""A zygote that nobody asked for so long ends, and is started again when it is wanted."""

_MOST_FAILURES = 3
_END_SECONDS = 5.0

Stamp = tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True)
class _Zygote:
    """A zygote and the state of the installed packages that it began to import."""

    server: ForkServer
    stamp: Stamp


class Pool:
    """At most `count` waiting workers; safe to use from several threads, and in a fork, which gets none of them.

    One that `begins` starts its zygote for the first job; others let that job have a fresh worker.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        count: int,
        libraries: tuple[str, ...] = LIBRARIES,
        idle_seconds: float = IDLE_SECONDS,
        later: tuple[str, ...] = LATER,
        *,
        begins: bool = False,
    ) -> None:
        self._interpreter = interpreter
        self._count = count
        self._libraries = libraries
        self._idle_seconds = idle_seconds
        self._later = later
        self._begins = begins
        self._owner = os.getpid()
        self._lock = threading.RLock()
        self._waiting: deque[Worker] = deque()
        self._with_all: WeakSet[Worker] = WeakSet()
        self._zygote: _Zygote | None = None
        self._retired: list[ForkServer] = []
        self._is_open = True
        self._failures = 0
        self._refiller = _refiller_of(self)

    @property
    def explanation(self) -> str:
        """Return how jobs start, for a person."""
        if self._count == 0:
            return "each job starts an interpreter of its own"
        return (
            f"each job gets a process of its own, forked from one that imported pandas, and scipy when idle; "
            f"at most {self._count} wait, confined"
        )

    @property
    def zygote(self) -> int | None:
        """Return the id of the zygote, if there is one."""
        return self._zygote.server.pid if self._zygote is not None and self._zygote.server.is_running else None

    @property
    def has_all(self) -> bool:
        """Return whether the zygote has imported the later libraries as well, and grows no more."""
        return self._zygote is not None and self._zygote.server.has_all

    def take(self, preparation: Preparation, memory_bytes: int, modules: frozenset[str] | None = None) -> Worker | None:
        """Return a worker that is ready for a job of this memory bound; `None` when only a fresh one will do.

        For a job that may import one of the later libraries it is one that has them, as soon as there can be one.
        A zygote that is still importing is waited for: a fresh worker would have all of that before it.
        """
        if memory_bytes < LEAST_MEMORY_BYTES:
            return None
        if self._begins:  # a fresh worker would load the same, and leave nothing to the next
            self.refill(lambda: preparation)
        wants_all = bool((modules or frozenset()) & {name.partition(".")[0] for name in self._later})
        while (worker := self._next(preparation, wants_all=wants_all)) is not None:
            try:
                if worker.is_ready():
                    self._failures = 0
                    return worker
            except BaseException:  # an interrupt while waiting
                worker.close()
                raise
            worker.close()
            self._note_failure()
        return None

    def refill(self, preparation: Prepare) -> None:
        """Fork as many workers as are missing, without waiting for them; one that died is replaced."""
        self._leave_to_the_parent()
        with self._lock:
            self._retired = [server for server in self._retired if not server.retire()]
            for worker in [worker for worker in self._waiting if not worker.is_running]:
                self._waiting.remove(worker)
                worker.close()
            # A job that needs a worker will tell why none can be started.
            with suppress(SandboxError):
                while len(self._waiting) < self._count and (zygote := self._living()) is not None:
                    self._waiting.append(self._forked(zygote.server, preparation()))

    def refill_soon(self, preparation: Prepare) -> None:
        """Let another thread refill it, unless it is closed; waits for no more than a refill that is under way."""
        self._leave_to_the_parent()
        with self._lock:
            if self._is_open and self._count > 0:
                self._refiller.ask(preparation)

    def warm(self, preparation: Prepare) -> None:
        """Start all workers now, also after `close`, or after several that could not get ready."""
        self._is_open, self._failures = True, 0
        self.refill(preparation)

    def close(self) -> None:
        """End the zygote and all waiting workers, and start no more."""
        self._leave_to_the_parent()
        with self._lock:
            self._is_open = False
            self._refiller.end()
            self._discard()
            self._retired = [server for server in self._retired if not server.retire(_END_SECONDS)]
            for server in self._retired:  # they have jobs still, and nobody may ask for them again
                server.leave()

    def _next(self, preparation: Preparation, *, wants_all: bool) -> Worker | None:
        """Return a waiting worker that was prepared for such a job, or the next one of a zygote there is."""
        self._leave_to_the_parent()
        with self._lock:
            if self._zygote is None or (zygote := self._living()) is None:
                return None
            zygote.server.has_served = True
            wants_all = wants_all and zygote.server.has_all
            fitting = [worker for worker in self._waiting if _alike(worker.preparation, preparation)]
            for worker in fitting:
                if worker in self._with_all or not wants_all:
                    self._waiting.remove(worker)
                    return worker
            if self._waiting and not fitting:
                self._waiting.popleft().close()  # the next ones will be for jobs like this one
            with suppress(SandboxError):
                return self._forked(zygote.server, preparation)
            return None

    def _forked(self, server: ForkServer, preparation: Preparation) -> Worker:
        has_all = server.has_all
        worker = server.fork(preparation)
        if has_all:
            self._with_all.add(worker)
        return worker

    def _living(self) -> _Zygote | None:
        """Return a zygote of the packages as they are now, started if need be; `None` when there is to be none."""
        stamp = _stamp(self._interpreter)
        if self._zygote is not None and (self._zygote.stamp != stamp or not self._zygote.server.is_running):
            if self._zygote.server.has_failed:
                self._later = ()  # what it imports first may be sound without it
            self._discard()
        if self._zygote is None and self._is_open and self._count > 0 and self._failures < _MOST_FAILURES:
            server = ForkServer(self._interpreter, self._libraries, self._idle_seconds, self._later)
            self._zygote = _Zygote(server, stamp)
        return self._zygote

    def _discard(self) -> None:
        """End the waiting workers, and let the zygote end with the jobs that run."""
        waiting, self._waiting = self._waiting, deque()
        for worker in waiting:
            worker.close()
        if self._zygote is not None:
            self._retired.append(self._zygote.server)
            self._zygote = None
        self._retired = [server for server in self._retired if not server.retire()]

    def _note_failure(self) -> None:
        with self._lock:
            self._failures += 1
            if self._failures >= _MOST_FAILURES:
                self._discard()

    def _leave_to_the_parent(self) -> None:
        if self._owner == os.getpid():
            return
        workers = tuple(self._waiting)
        servers = (*self._retired, *([self._zygote.server] if self._zygote is not None else []))
        # Another thread may have held the lock at the fork, and is not here to release it.
        self._owner, self._lock = os.getpid(), threading.RLock()
        self._waiting, self._zygote, self._retired = deque(), None, []
        for worker in workers:
            worker.disown()
        for server in servers:
            server.disown()


def _refiller_of(pool: Pool) -> Refiller:
    """Return what refills a pool behind its callers, keeps it not alive, and ends with it."""
    found = ref(pool)

    def refill(preparation: Prepare) -> None:
        if (living := found()) is not None:
            living.refill(preparation)

    refiller = Refiller(refill)
    finalize(pool, refiller.end)
    return refiller


def _alike(prepared: Preparation, wanted: Preparation) -> bool:
    """Return whether a worker fits: in its namespaces any throw-away user is as good as another."""
    identity = wanted.identity if prepared.identity is None or wanted.identity is None else prepared.identity
    return prepared == wanted._replace(identity=identity)


def _stamp(interpreter: Interpreter) -> Stamp:
    """Return what changes when packages are installed, upgraded or removed, or the interpreter is."""
    return tuple(map(_state, (interpreter.executable, *interpreter.imports)))


def _state(path: Path) -> tuple[int, int] | None:
    try:
        facts = path.stat()
    except OSError:
        return None  # it is gone, which is a change
    return facts.st_ino, facts.st_mtime_ns
