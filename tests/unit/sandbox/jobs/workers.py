"""What tests of waiting workers share: jobs in them, and which of them there are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.inside.job_work import JobWork
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.job import Call, Job, Run
from jupyter_mcpgen.sandbox.jobs.channel import read_answers
from jupyter_mcpgen.sandbox.jobs.launch import Caps, Ending, Order, Worker, fresh, run_worker
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from tests.levels import needs

_MISSING = ProcessBackend(layers=WITHOUT_NAMESPACES).missing()
of_waiting_workers = [
    pytest.mark.usefixtures("children"),
    needs(_MISSING),
]
"""What every module of these tests is marked with."""

PATIENCE_SECONDS = 120.0
"""What never comes is missed after so long; nothing else is timed."""

Children = Callable[[], set[int]]
"""What tells the processes that a test started and that live."""

# At level 2 a job can name its supervisor; in a process namespace it has no parent.
SUPERVISOR = "import os\ndef tool(): return str(os.getppid())\n"


def run(backend: ProcessBackend, package: Path, source: str, policy: Policy | None = None, **arguments: object) -> Run:
    (package / "tool.py").write_text(source, encoding="utf-8")
    return backend.run(Job(package, "tool", (Call(arguments),)), policy or Policy())


def server_of(backend: ProcessBackend, package: Path, policy: Policy | None = None) -> int:
    return int(run(backend, package, SUPERVISOR, policy).answers[0].text or "")


def run_in(worker: Worker, backend: ProcessBackend, package: Path, source: str, limits: Limits | None = None) -> Ending:
    (package / "tool.py").write_text(source, encoding="utf-8")
    policy = Policy(limits=limits or Limits())
    work = JobWork(str(package), "tool", ({},), ())
    caps = Caps(output=100_000, result=100_000, watch=lambda: None)
    return run_worker(worker, Order(backend.confinement(package, policy, package, None), work, caps))


def fresh_worker(backend: ProcessBackend, interpreter: Interpreter, *libraries: str) -> Worker:
    return fresh(interpreter, backend.preparation(None), libraries)


def forked(zygote: int | None) -> set[int]:
    """Return the workers there are, once those that have served are gone."""
    try:
        found = psutil.Process(zygote).children() if zygote is not None else []
    except psutil.NoSuchProcess:
        return set()  # it made room for another one
    psutil.wait_procs([child for child in found if not jobs_of(child)], timeout=5)
    return {child.pid for child in found if child.is_running()}


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition, however long a busy machine takes to meet it."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"{what} never came")


WAITS = """
import os, time
def tool(go):
    open("begun", "w").close()
    while not os.path.exists(go): time.sleep(0.01)
    return "done"
"""
"""A job that says in its scratch folder that it has begun, and ends once a file is there."""


@contextmanager
def job_begun(backend: ProcessBackend, package: Path, scratch: Path) -> Iterator[Future[Run]]:
    """Run `WAITS` beside a test, which it waits for from its beginning on; after the test it goes to its end."""
    (package / "tool.py").write_text(WAITS, encoding="utf-8")
    go, patient = package / "go", Policy(limits=Limits(wall_seconds=2 * PATIENCE_SECONDS))
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(backend.run, Job(package, "tool", (Call({"go": str(go)}),)), patient)
        until(lambda: running.done() or any(scratch.glob("*/begun")), "the job")
        try:
            yield running
        finally:
            go.touch()


def command_of(process: int | None) -> str:
    """Return what a process was started with; the kernel tells it a moment after the process is there."""
    for _ in range(500):
        if told := psutil.Process(process).cmdline():
            return " ".join(told)
        time.sleep(0.01)
    return ""


def is_gone(process: psutil.Process) -> bool:
    """Return whether a child of ours ends and is buried by somebody else; to wait for it would bury it."""
    for _ in range(600):
        if not psutil.pid_exists(process.pid):
            return True
        time.sleep(0.05)
    return False


def jobs_of(supervisor: psutil.Process) -> list[psutil.Process]:
    try:
        return supervisor.children()
    except psutil.NoSuchProcess:
        return []


def waiting(backend: ProcessBackend, count: int = 2) -> set[int]:
    """Return the workers that wait, once there are so many."""
    for _ in range(200):
        found = forked(backend.zygote)
        if len(found) == count:
            return found
        time.sleep(0.05)
    raise AssertionError(f"there are {len(found)} workers where there should be {count}")


def text_of(worker: Worker | None, backend: ProcessBackend, package: Path, source: str) -> str | None:
    assert worker is not None
    with worker:
        return read_answers(run_in(worker, backend, package, source).result, 1).answers[0].text


def living() -> set[int]:
    return {child.pid for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE}
