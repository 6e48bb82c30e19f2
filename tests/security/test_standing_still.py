"""A program that was let stand still goes on with all of it, also with what it was about to start."""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.inside import kernel
from jupyter_mcpgen.sandbox.inside.program_tree import Rest, enclose, send_signal, signal_enclosed
from jupyter_mcpgen.sandbox.inside.tasks import look, state_of
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="it is looked at in `/proc`"),
    pytest.mark.every_run(layers=["level 1"]),
]

CALLS, ROUNDS, MANY_ROUNDS, LARGE = 6, 12, 300, 256 << 20
NO_HUGE_PAGES = 15
FORKING = f"""
import mmap, os, threading, time
space = mmap.mmap(-1, {LARGE}, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
space.madvise({NO_HUGE_PAGES})
for at in range(0, len(space), 4096): space[at] = 1
def fork():
    child = os.fork()
    if child == 0: os._exit(0)
    os.waitpid(child, 0)
"""
CROWD = """
import warnings
warnings.simplefilter("ignore")
for _ in range(70): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
for _ in range(30): fork()
print("forked", flush=True)
os._exit(0)
"""


def test_a_crowd_that_forks_for_long_comes_to_its_end_although_it_is_stopped_at_each_look(
    layers: frozenset[Layer], tmp_path: Path
) -> None:
    executor = Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(tmp_path / "output"))
    run = executor.execute(
        "python", FORKING + CROWD, limits=ExecutionLimits(time_seconds=60, cpu_cores=4, memory_mb=1500)
    )

    assert (run.status, run.stdout) == (Status.SUCCESS, "forked\n")


AGAIN = """
def fork_again_and_again():
    while True: fork(); forks.append(1)
forks = []
threading.Thread(target=fork_again_and_again, daemon=True).start()
"""
GONE_ON = """
before, until = len(forks), time.monotonic() + 20
while len(forks) < before + 2 and time.monotonic() < until: time.sleep(0.005)
print(len(forks) > before + 1)
"""


@pytest.mark.soak
def test_a_session_that_forks_between_its_answers_goes_on_at_each_call(
    layers: frozenset[Layer], tmp_path: Path
) -> None:
    sessions = Sessions(Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(tmp_path / "output")))
    limits = ExecutionLimits(time_seconds=120, cpu_cores=4, memory_mb=1500)
    made = sessions.create("me", "python", limits=limits).session_id
    try:
        assert sessions.execute("me", made, FORKING + AGAIN).status is Status.SUCCESS
        went_on = [sessions.execute("me", made, GONE_ON).stdout for _ in range(CALLS)]
    finally:
        sessions.close()

    assert went_on == ["True\n"] * CALLS


def stop_and_go_on(rest: Rest) -> None:
    rest.stand()
    rest.resume()


def stop_and_go_on_at_once(_: Rest) -> None:
    signal_enclosed(signal.SIGSTOP)
    time.sleep(0.001)
    for task in look().found:
        send_signal(task.pid, signal.SIGCONT)


def test_no_child_is_born_stopped_that_was_being_forked_when_its_tree_was_stopped() -> None:
    assert not is_born_stopped(stop_and_go_on, ROUNDS)
    assert is_born_stopped(stop_and_go_on_at_once, MANY_ROUNDS)


def is_born_stopped(act: Callable[[Rest], None], rounds: int) -> bool:
    """Return whether a child of a process that forks for long stays stopped when all are stopped and set going."""
    told, telling = os.pipe()
    host = os.getpid()
    if os.fork() == 0:
        with suppress(BaseException):
            os.write(telling, b"%d" % _is_born_stopped(host, act, rounds))
        os._exit(0)
    os.close(telling)
    with open(told, "rb") as stream:
        counted = stream.read()
    os.wait()
    return bool(int(counted))


def _is_born_stopped(host: int, act: Callable[[Rest], None], rounds: int) -> bool:
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    assert enclose(host)
    begun, beginning = os.pipe()
    if os.fork() == 0:
        _fork_for_long(beginning)
    os.read(begun, 1)
    rest = Rest(None, enclosed=True)
    is_stopped = False
    for _ in range(rounds):
        act(rest)
        time.sleep(0.05)
        # Nobody else stops them: what stands still now would stay so.
        is_stopped = any(state_of(task.pid, task.pid) == b"T" for task in look().found)
        if is_stopped:
            break
    signal_enclosed(signal.SIGKILL)
    return is_stopped


def _fork_for_long(beginning: int) -> None:
    space = mmap.mmap(-1, LARGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    space.madvise(NO_HUGE_PAGES)
    for at in range(0, len(space), mmap.PAGESIZE):
        space[at] = 1
    os.write(beginning, b".")
    while True:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
