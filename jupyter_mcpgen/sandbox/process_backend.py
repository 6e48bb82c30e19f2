"""One Python process per job: Landlock, seccomp and limits (level 2), or limits only (level 0, by name).

It is a spare, which was started in advance, or a fresh one; what it does on receipt of the job is the same.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import weakref
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from jupyter_mcpgen.errors import JobNotBegun, SandboxError
from jupyter_mcpgen.sandbox import landlock, seccomp
from jupyter_mcpgen.sandbox.channel import Received, read_answers
from jupyter_mcpgen.sandbox.confinement import Confinement
from jupyter_mcpgen.sandbox.identity import Identity, choose, running_tasks
from jupyter_mcpgen.sandbox.interpreter import DEVICES, Interpreter, existing
from jupyter_mcpgen.sandbox.job import Job, Outcome, Run, Usage
from jupyter_mcpgen.sandbox.launch import Caps, Ending, Worker, run_worker
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.scratch import scratch_folder, used_bytes
from jupyter_mcpgen.sandbox.spares import Spares
from jupyter_mcpgen.sandbox.syscalls import FILTERED, PLAIN

_MEGABYTE = 1024 * 1024
_NEARLY_ALL = 0.9


class Layer(StrEnum):
    """A part of the confinement; one alone holds nothing, so a level is only ever given for all of them."""

    LANDLOCK = "landlock"
    SECCOMP = "seccomp"


ALL_LAYERS = frozenset(Layer)


class ProcessBackend:
    """Runs each job in a process of its own that ends with it.

    After its first job, or `warm()`, it keeps `spares` processes waiting until `close()`, its own end or the program's.
    """

    def __init__(
        self,
        *,
        layers: frozenset[Layer] = ALL_LAYERS,
        interpreter: Interpreter | None = None,
        scratch_root: Path | None = None,
        spares: int = 2,
    ) -> None:
        self.layers = layers
        self._interpreter = interpreter or Interpreter.current()
        self._scratch_root = scratch_root
        self._spares = Spares(self._interpreter, spares)
        weakref.finalize(self, self._spares.close)

    @property
    def name(self) -> str:
        """Return `process` with the layers around it."""
        return " + ".join(["process", *sorted(self.layers)]) if self.layers else "unconfined process"

    @property
    def level(self) -> Level:
        """Return level 2 with every layer, and level 0 with any of them missing."""
        return Level.LANDLOCK if self.layers == ALL_LAYERS else Level.UNCONFINED

    def missing(self) -> str | None:
        """Return the first thing this machine lacks, and its cure."""
        if sys.platform != "linux":
            return f"only Linux is supported, and this is `{sys.platform}`; run Jupyter in a Linux container or machine"
        if not sys.executable:
            return "this program embeds Python and has no interpreter to start; run it with `python -m`"
        if Layer.LANDLOCK in self.layers and landlock.abi() < 1:
            return "Landlock is off or not in this kernel; use Linux 5.13 or newer with `landlock` in its `lsm=` list"
        reason = seccomp.unsupported() if Layer.SECCOMP in self.layers else None
        return f"system calls cannot be filtered: {reason}" if reason else None

    def identity(self, package: Path, policy: Policy) -> Identity:
        """Return which user a job would run as."""
        if not self.layers:
            return Identity(None, f"runs with all the rights of user {os.geteuid()}")
        scratch_root = self._scratch_root or Path(tempfile.gettempdir())
        return choose((self._interpreter.executable, *self._reads(package, policy), scratch_root))

    def facts(self) -> dict[str, str]:
        """Return what confines a job here, and what it does not."""
        user = self.identity(Path(__file__).resolve().parent, Policy()).explanation
        start = self._spares.explanation
        if not self.layers:
            return {"user": user, "start": start, "not covered": "everything: the code runs with your own rights"}
        return {
            "files": f"Landlock version {landlock.abi()}; only listed paths can be opened",
            "system calls": f"{len(PLAIN) + len(FILTERED)} kinds on the list, all others refused",
            "network": "none: no socket can be made",
            "user": user,
            "start": start,
            "not covered": (
                "names, sizes and times of files elsewhere can be seen; native code can run inside the process; "
                "files that are open and already deleted escape the quota of the scratch folder"
            ),
        }

    def run(self, job: Job, policy: Policy) -> Run:
        """Run a job to its end; raises `SandboxError` when it could not be confined or a granted path is not there."""
        package = _resolved(job.package)
        identity = self.identity(package, policy)
        with scratch_folder(self._scratch_root, identity.user) as scratch:
            confinement = self.confinement(package, policy, scratch, identity.user)
            ending = self._ending(confinement, self._work(job, package), _caps(scratch, policy.limits))
        self._spares.refill()  # only now: the imports of a new spare would take processor time from the job
        received = read_answers(ending.result, len(job.calls))
        outcome, reason = judge(ending, received, policy.limits)
        return Run(
            outcome=outcome,
            answers=received.answers,
            stdout=ending.stdout.decode("utf-8", "replace"),
            stderr=ending.stderr.decode("utf-8", "replace"),
            usage=_usage(ending),
            level=self.level,
            reason=reason,
        )

    def warm(self) -> None:
        """Start the spares now; returns at once."""
        if self.missing() is None:
            self._spares.warm()

    def close(self) -> None:
        """End the spares; a job may still be run, in a fresh process."""
        self._spares.close()

    def _ending(self, confinement: Confinement, work: dict[str, object], caps: Caps) -> Ending:
        while (spare := self._spares.take(confinement.memory_bytes)) is not None:
            with suppress(JobNotBegun):  # the spare died while it waited, so the next one has the job to itself
                return run_worker(spare, confinement, work, caps)
        return run_worker(Worker(self._interpreter), confinement, work, caps)

    def confinement(self, package: Path, policy: Policy, scratch: Path, user: int | None) -> Confinement:
        """Return everything that is enforced on a job, as a value."""
        limits = policy.limits
        return Confinement(
            scratch=str(scratch),
            read=tuple(map(str, self._reads(package, policy))),
            devices=tuple(map(str, existing(*map(Path, DEVICES)))),
            wall_seconds=limits.wall_seconds,
            memory_bytes=limits.memory_mb * _MEGABYTE,
            cpu_seconds=limits.cpu_seconds,
            file_bytes=limits.scratch_bytes,
            open_files=limits.open_files,
            processes=limits.threads + running_tasks(os.getuid() if user is None else user),
            identity=user,
            landlock=Layer.LANDLOCK in self.layers,
            seccomp=Layer.SECCOMP in self.layers,
        )

    def _reads(self, package: Path, policy: Policy) -> tuple[Path, ...]:
        return (*self._interpreter.reads, package, *map(_resolved, policy.read))

    def _work(self, job: Job, package: Path) -> dict[str, object]:
        return {
            "package": str(package),
            "function": job.function,
            "calls": [dict(call.arguments) for call in job.calls],
            "paths": list(map(str, self._interpreter.imports)),
        }


def judge(ending: Ending, received: Received, limits: Limits) -> tuple[Outcome, str | None]:
    """Return how a job ended and why; the job's own word is taken only where it speaks against itself."""
    if ending.overflow is not None:
        return Outcome.OUTPUT_EXCEEDED, f"The job was stopped because {ending.overflow}."
    if ending.timed_out:
        return Outcome.TIMED_OUT, f"The job was stopped after {limits.wall_seconds:g} seconds."
    if os.WIFSIGNALED(ending.status):
        return _judge_signal(os.WTERMSIG(ending.status), ending, limits)
    if any(answer.error_type == "MemoryError" for answer in (received.load_error, *received.answers) if answer):
        return Outcome.MEMORY_EXCEEDED, f"The job asked for more than {limits.memory_mb} MB of memory."
    if received.load_error is not None:
        error = received.load_error
        return Outcome.FAILED, f"`tool.py` could not be loaded: {error.error_type}: {error.error_message}"
    code = os.WEXITSTATUS(ending.status)
    if code != 0 or received.problem is not None:
        return Outcome.FAILED, f"The job ended with exit code {code}. {received.problem or ''}".rstrip()
    return Outcome.COMPLETED, None


def _usage(ending: Ending) -> Usage:
    own = max(0, ending.peak_memory_bytes - ending.inherited_memory_bytes)
    return Usage(ending.wall_seconds, ending.cpu_seconds, own)


def _judge_signal(number: int, ending: Ending, limits: Limits) -> tuple[Outcome, str]:
    # At the soft limit the kernel sends SIGXCPU, at the hard one SIGKILL.
    if number == signal.SIGXCPU or (number == signal.SIGKILL and ending.cpu_seconds >= limits.cpu_seconds):
        return Outcome.CPU_EXCEEDED, f"The job used more than {limits.cpu_seconds} seconds of processor time."
    if ending.peak_memory_bytes >= _NEARLY_ALL * limits.memory_mb * _MEGABYTE:
        return Outcome.MEMORY_EXCEEDED, f"The job died with nearly all of its {limits.memory_mb} MB of memory in use."
    return Outcome.CRASHED, f"The job was killed by {signal.Signals(number).name}."


def _caps(scratch: Path, limits: Limits) -> Caps:
    def watch() -> str | None:
        if used_bytes(scratch, limits.scratch_bytes) > limits.scratch_bytes:
            return f"it filled its scratch folder beyond {limits.scratch_bytes:,} bytes"
        return None

    return Caps(output=limits.output_bytes, result=limits.result_bytes, watch=watch)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve(strict=True)
    except OSError as error:
        raise SandboxError(
            f"`{path}` cannot be given to a tool: {error.strerror}. Check the path, or name data that is there."
        ) from error
