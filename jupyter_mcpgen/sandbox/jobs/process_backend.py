"""One Python process per job, confined by namespaces, Landlock, seccomp and limits (level 1), or by all but the first.

Without namespaces it is level 2; with limits only it is level 0, and used when it is asked for by name. A worker that
waited is taken where there is one, or a fresh one; what it does on receipt of the job is the same.
"""

from __future__ import annotations

import os
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import lru_cache
from itertools import count
from pathlib import Path

from jupyter_mcpgen.errors import JobNotBegun, SandboxError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.crashes import told_here
from jupyter_mcpgen.sandbox.granted import granted_paths, resolved
from jupyter_mcpgen.sandbox.identity import Identity, choose, first_closed, tasks_beside
from jupyter_mcpgen.sandbox.inside import landlock, seccomp
from jupyter_mcpgen.sandbox.inside.calling import TOOL
from jupyter_mcpgen.sandbox.inside.confinement import Confinement, Preparation
from jupyter_mcpgen.sandbox.inside.disk_use import MOST_DEPTH
from jupyter_mcpgen.sandbox.inside.syscalls import FILTERED, PLAIN
from jupyter_mcpgen.sandbox.interpreter import DEVICES, Interpreter, existing, links_on
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run, Usage
from jupyter_mcpgen.sandbox.jobs.artifacts import Collected, collect, collected_in
from jupyter_mcpgen.sandbox.jobs.channel import read_answers
from jupyter_mcpgen.sandbox.jobs.judging import judge
from jupyter_mcpgen.sandbox.jobs.launch import Caps, Ending, Order, Worker, fresh, run_worker
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer, is_left_out, level_of, tried
from jupyter_mcpgen.sandbox.jobs.pool import Pool
from jupyter_mcpgen.sandbox.jobs.tables import rows_received
from jupyter_mcpgen.sandbox.jobs.turns import Turns
from jupyter_mcpgen.sandbox.jobs.work import work_of
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.scratch import deleted_bytes, scratch_folder, used_bytes

_OWN = Path(__file__).resolve().parent.parent
_PRODUCT = _OWN.parent
_ATTACKS = _OWN / "attacks"
_MEGABYTE = 1024 * 1024
_SCRATCH = "scratch"
_AT_ONCE = max(4, 2 * (os.cpu_count() or 1))
_WAITING = 256
_MOST_TRIES = 3
_IDLE_SECONDS = 120.0
"""A process that has loaded a tool of ours ends when nobody asked for so long: the linters hold 150 MB."""
_CANCELLED_BEFORE = "The job was cancelled before it started."

Watch = Callable[[], str | None]
"""Names a quota when it is exceeded."""


class ProcessBackend:
    """Runs each job in a process of its own that ends with it; safe to use from several threads and processes.

    Without `layers` it is as strong as this machine allows. After its first job, or `warm()`, it keeps `spares` workers
    waiting until `close()`, its own end or the program's. Tools in `ours` are trusted to be loaded outside of any wall.
    """

    def __init__(
        self,
        *,
        layers: frozenset[Layer] | None = None,
        interpreter: Interpreter | None = None,
        scratch_root: Path | None = None,
        spares: int = 2,
        at_once: int = _AT_ONCE,
        waiting: int = _WAITING,
        idle_seconds: float = _IDLE_SECONDS,
        ours: Path = _PRODUCT,
    ) -> None:
        self._interpreter = interpreter or Interpreter.current()
        self.weakened = None if layers is not None else namespaces_unusable(self._interpreter)
        self.layers = layers if layers is not None else ALL_LAYERS if self.weakened is None else WITHOUT_NAMESPACES
        self._scratch_root = scratch_root
        self._own_reads = self._interpreter_reads()
        self._devices = tuple(map(str, existing(*map(Path, DEVICES))))
        self._closed = first_closed((self._interpreter.executable, *self._own_reads))
        self._turns = Turns(at_once, waiting)
        self._spares = spares
        self._pool = Pool(self._interpreter, spares)
        # A zygote has one hash seed for all that it forks. This one is started when it is first asked for.
        self._other_pool = Pool(self._interpreter, min(spares, 1))
        self._idle_seconds = idle_seconds
        self._ours = ours
        self._is_open = True
        # A zygote for each tool of ours, which has loaded it. It is started by the tool's first job.
        self._pools_of_ours: dict[Path, Pool] = {}
        weakref.finalize(self, _close, (self._pool, self._other_pool), self._pools_of_ours)

    @property
    def name(self) -> str:
        """Return `process` with the layers around it."""
        return " + ".join(["process", *sorted(self.layers)]) if self.layers else "unconfined process"

    @property
    def level(self) -> Level:
        """Return level 1 with every layer, level 2 with all but the namespaces, and level 0 with any other missing."""
        return level_of(self.layers)

    def missing(self) -> str | None:
        """Return the first thing this machine lacks, and its cure."""
        if sys.platform != "linux":
            return f"only Linux is supported, and this is `{sys.platform}`; run Jupyter in a Linux container or machine"
        if not sys.executable:
            return "this program embeds Python and has no interpreter to start; run it with `python -m`"
        if Layer.LANDLOCK in self.layers and landlock.abi() < 1:
            return "Landlock is off or not in this kernel; use Linux 5.13 or newer with `landlock` in its `lsm=` list"
        reason = seccomp.unsupported() if Layer.SECCOMP in self.layers else None
        if reason is not None:
            return f"system calls cannot be filtered: {reason}"
        return namespaces_unusable(self._interpreter) if self.layers == ALL_LAYERS else None

    def identity(self, package: Path, policy: Policy) -> Identity:
        """Return which user a job would run as."""
        if not self.layers:
            return Identity(None, f"runs with all the rights of user {os.geteuid()}")
        scratch_root = () if self._has_namespaces else (self._scratch_root or Path(tempfile.gettempdir()),)
        return choose((package, *map(resolved, policy.read), *scratch_root), self._closed)

    def facts(self) -> dict[str, str]:
        """Return what confines a job here, and what it does not."""
        user = self.identity(_OWN, Policy()).explanation
        start = self._pool.explanation
        if not self.layers:
            return {"user": user, "start": start, "not covered": "everything: the code runs with your own rights"}
        beyond = {} if self.weakened is None else {"not level 1": self.weakened}
        return {
            **beyond,
            "files": self._files(),
            "system calls": f"{len(PLAIN) + len(FILTERED)} kinds on the list, all others refused",
            "network": "none: no socket can be made",
            "user": user,
            "start": start,
            "not covered": self._not_covered(),
        }

    def run(self, job: Job, policy: Policy, cancel: Cancellation | None = None) -> Run:
        """Run a job to its end or its cancellation, after those that came before it.

        Raises `SandboxError` when it could not be confined or a granted path is not there.
        """
        cancel = cancel or Cancellation()
        package = resolved(job.package)
        with self._turns.turn(cancel) as begins:
            try:
                if begins:
                    return self._run(job, package, policy, cancel)
            except JobNotBegun:
                if not cancel.is_cancelled:  # its worker was ended while it was getting ready
                    raise
            return Run(Outcome.CANCELLED, (), "", "", Usage(0.0, 0.0, 0), self.level, _CANCELLED_BEFORE)

    def warm(self) -> None:
        """Start the workers that wait now; returns at once."""
        self._is_open = True
        if self.missing() is None:
            self._pool.warm(lambda: self.preparation(self.identity(_OWN, Policy()).user))

    def close(self) -> None:
        """End the workers that wait; a job may still be run, in a fresh process."""
        self._is_open = False
        _close((self._pool, self._other_pool), self._pools_of_ours)

    @property
    def zygote(self) -> int | None:
        """Return the id of the process that workers are forked from, if there is one."""
        return self._pool.zygote

    @property
    def has_all(self) -> bool:
        """Return whether that process has imported all that it imports before a job asks for it."""
        return self._pool.has_all

    def preparation(self, user: int | None) -> Preparation:
        """Return what is enforced on every job alike, as a value."""
        return Preparation(
            read=tuple(map(str, self._own_reads)),
            devices=self._devices,
            landlock=Layer.LANDLOCK in self.layers,
            seccomp=Layer.SECCOMP in self.layers,
            namespaces=self._has_namespaces,
            identity=user,
            links=self._interpreter.links if self._has_namespaces else (),
        )

    def confinement(self, package: Path, policy: Policy, scratch: Path, user: int | None) -> Confinement:
        """Return everything that is enforced on a job, as a value."""
        limits = policy.limits
        reads = self._reads(package, policy)
        return Confinement(
            scratch=str(scratch),
            read=tuple(map(str, reads)),
            devices=self._devices,
            wall_seconds=limits.wall_seconds,
            memory_bytes=limits.memory_mb * _MEGABYTE,
            cpu_seconds=limits.cpu_seconds,
            file_bytes=limits.scratch_bytes,
            open_files=limits.open_files,
            processes=limits.threads + tasks_beside(user, inside=self._has_namespaces),
            identity=user,
            landlock=Layer.LANDLOCK in self.layers,
            seccomp=Layer.SECCOMP in self.layers,
            namespaces=self._has_namespaces,
            links=links_on(*policy.read) if self._has_namespaces and policy.follows_links else (),
            scratch_entries=limits.scratch_entries,
        )

    @property
    def _has_namespaces(self) -> bool:
        return Layer.NAMESPACES in self.layers

    def _run(self, job: Job, package: Path, policy: Policy, cancel: Cancellation) -> Run:
        user = self.identity(package, policy).user
        pool = self._pool_for(job, package, policy)
        for worker in self._workers(pool, self.preparation(user), policy):
            with suppress(JobNotBegun) if worker.was_forked else nullcontext():
                # One that waited may have died meanwhile; then the next one has the job to itself.
                run = self._run_in(worker, job, package, policy, cancel)
                break
        # Only now: a fork would take processor time from the job.
        pool.refill_soon(lambda: self.preparation(self._another(user)))
        return run

    def _pool_for(self, job: Job, package: Path, policy: Policy) -> Pool:
        if not job.is_ours or not self._is_open:
            return self._other_pool if policy.other_seed else self._pool
        if not package.is_relative_to(self._ours):
            raise SandboxError(f"`{package}` is no part of the product, so it cannot be loaded outside of the sandbox.")
        if package not in self._pools_of_ours:
            reader = replace(self._interpreter, imports=(package, *self._interpreter.imports))
            pool = Pool(reader, min(self._spares, 1), (TOOL,), self._idle_seconds, (), begins=True)
            self._pools_of_ours.setdefault(package, pool)
        return self._pools_of_ours[package]

    def _workers(self, pool: Pool, preparation: Preparation, policy: Policy) -> Iterator[Worker]:
        """Give a few workers that wait for such a job, and in the end a fresh one, which says what is wrong with it."""
        for _ in range(_MOST_TRIES):
            worker = pool.take(preparation, policy.limits.memory_mb * _MEGABYTE, policy.modules)
            if worker is None:
                break
            yield worker
        yield fresh(self._interpreter, preparation)

    def _run_in(self, worker: Worker, job: Job, package: Path, policy: Policy, cancel: Cancellation) -> Run:
        user, limits = worker.preparation.identity, policy.limits
        collected: list[Collected] = []
        with worker, self._scratch(package, policy, user) as scratch:
            order = Order(
                confinement=self.confinement(package, policy, scratch, user),
                work=work_of(job, str(package), policy, self._interpreter.imports),
                caps=Caps(limits.output_bytes, limits.result_bytes, self._watch(worker, scratch, limits)),
                cancel=cancel,
                take_scratch=(lambda folder: collected.append(collect(folder, limits))) if policy.keeps_files else None,
            )
            ending = run_worker(worker, order)
            if policy.keeps_files and not self._has_namespaces:
                collected.append(collected_in(scratch, limits))
        return self._record(job, policy, ending, collected[0] if collected else Collected())

    def _record(self, job: Job, policy: Policy, ending: Ending, collected: Collected) -> Run:
        received = read_answers(ending.result, len(job.calls))
        outcome, reason = judge(ending, received, policy.limits)
        return Run(
            outcome=outcome,
            answers=received.answers,
            stdout=ending.stdout.decode("utf-8", "replace"),
            stderr=ending.stderr.decode("utf-8", "replace"),
            usage=replace(_usage(ending), rows=rows_received(answer.table for answer in received.answers)),
            level=self.level,
            reason=reason,
            artifacts=collected.artifacts,
            left_out=collected.left_out,
        )

    @contextmanager
    def _scratch(self, package: Path, policy: Policy, user: int | None) -> Iterator[Path]:
        """Give the folder that a job may write; in namespaces nobody but the job sees it."""
        if self._has_namespaces:
            links = (Path(path) for path, _ in self._interpreter.links)
            yield _free_name((*self._own_reads, *links, package, *policy.read, *map(resolved, policy.read)))
            return
        with scratch_folder(self._scratch_root, user) as scratch:
            yield scratch

    def _another(self, user: int | None) -> int | None:
        """Return a user for the next worker: the caller again, or a throw-away one that no worker has had."""
        return None if user is None else self.identity(_OWN, Policy()).user

    def _interpreter_reads(self) -> tuple[Path, ...]:
        if not self._has_namespaces:
            return self._interpreter.reads
        return tuple(path for path in self._interpreter.reads if not is_left_out(path))

    def _reads(self, package: Path, policy: Policy) -> tuple[Path, ...]:
        named = granted_paths(policy)
        whole = [path for path in named if path == Path("/") or path.is_relative_to("/proc")]
        if whole and self.layers:
            raise SandboxError(f"`{whole[0]}` cannot be given to a tool. Name the file or folder that holds the data.")
        return (*self._own_reads, package, *named)

    def _watch(self, worker: Worker, scratch: Path, limits: Limits) -> Watch:
        if self._has_namespaces:
            return lambda: None  # its size is fixed

        def watch() -> str | None:
            job = () if worker.job is None else (worker.job,)
            held = used_bytes(scratch, limits.scratch_bytes, limits.scratch_entries)
            if held + deleted_bytes(job, (str(scratch),), limits.scratch_bytes) > limits.scratch_bytes:
                return (
                    f"it filled its scratch folder beyond {limits.scratch_bytes:,} bytes, "
                    f"{limits.scratch_entries:,} files or {MOST_DEPTH} folders in one another"
                )
            return None

        return watch

    def _files(self) -> str:
        seen = "nothing else can be seen" if self._has_namespaces else "only listed paths can be opened"
        root = "a root of its own that holds the listed paths, and " if self._has_namespaces else ""
        return f"{root}Landlock version {landlock.abi()}; {seen}"

    def _not_covered(self) -> str:
        seen = () if self._has_namespaces else ("names, sizes and times of files elsewhere can be seen",)
        listener = told_here()
        told = () if listener is None else (listener,)
        return "; ".join((*seen, "native code can run inside the process", *told))


@lru_cache(maxsize=8)
def namespaces_unusable(interpreter: Interpreter) -> str | None:
    """Return why no job can be run in namespaces here, found by running one; `None` when it can.

    Some machines allow the first steps and refuse a later one, so nothing less than all of them proves anything.
    """
    if sys.platform != "linux":
        return "only Linux has namespaces"
    backend = ProcessBackend(layers=ALL_LAYERS, interpreter=interpreter, spares=0)
    job = Job(_ATTACKS, "attack", (Call({"name": "import_standard_library", "target": {}}),))
    try:
        run = backend.run(job, Policy(limits=Limits(memory_mb=1024)))
    except SandboxError as error:
        return tried("a job", str(error))
    text = run.answers[0].text or "" if run.answers else ""
    return None if '"succeeded": true' in text else tried("a job", run.reason or text)


def _close(pools: Iterable[Pool], of_ours: dict[Path, Pool]) -> None:
    for pool in (*pools, *of_ours.values()):
        pool.close()
    of_ours.clear()


def _usage(ending: Ending) -> Usage:
    own = max(0, ending.peak_memory_bytes - ending.inherited_memory_bytes)
    return Usage(ending.wall_seconds, ending.cpu_seconds, own, ending.read_bytes, ending.written_bytes)


def _free_name(taken: Iterable[Path]) -> Path:
    """Return where scratch is in the job's own root: beside everything that is there."""
    tops = {part for path in taken for part in path.absolute().parts[1:2]}
    return next(Path("/") / name for name in _scratch_names() if name not in tops)


def _scratch_names() -> Iterator[str]:
    yield _SCRATCH
    yield from (f"{_SCRATCH}-{number}" for number in count(2))
