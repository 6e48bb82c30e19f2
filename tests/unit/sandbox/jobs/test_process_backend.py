"""How an ending becomes an outcome; the supervisor's facts come before the job's words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.job import Answer, Outcome
from jupyter_mcpgen.sandbox.jobs.channel import Received
from jupyter_mcpgen.sandbox.jobs.judging import judge
from jupyter_mcpgen.sandbox.jobs.launch import Ending
from jupyter_mcpgen.sandbox.policy import Limits

ENDED_WELL = Ending(0, False, 0.1, 10_000_000, 0.2, b"", b"", b"", None)
GOOD = Received((Answer("fine"),))
LIMITS = Limits(wall_seconds=5, cpu_seconds=3, memory_mb=100)
EXIT_1 = 1 << 8


@pytest.mark.parametrize(
    ("ending", "received", "expected"),
    [
        (ENDED_WELL, GOOD, Outcome.COMPLETED),
        (replace(ENDED_WELL, overflow="it wrote too much"), GOOD, Outcome.OUTPUT_EXCEEDED),
        (replace(ENDED_WELL, cancelled=True, status=signal.SIGKILL), GOOD, Outcome.CANCELLED),
        (replace(ENDED_WELL, timed_out=True, status=signal.SIGKILL), GOOD, Outcome.TIMED_OUT),
        (replace(ENDED_WELL, status=signal.SIGXCPU), GOOD, Outcome.CPU_EXCEEDED),
        (replace(ENDED_WELL, status=signal.SIGKILL, cpu_seconds=3.1), GOOD, Outcome.CPU_EXCEEDED),
        (replace(ENDED_WELL, status=signal.SIGKILL), GOOD, Outcome.CRASHED),
        (replace(ENDED_WELL, status=signal.SIGABRT, peak_memory_bytes=99 * 2**20), GOOD, Outcome.MEMORY_EXCEEDED),
        (replace(ENDED_WELL, status=signal.SIGSYS), GOOD, Outcome.CRASHED),
        (ENDED_WELL, Received((Answer(error_type="MemoryError"),)), Outcome.MEMORY_EXCEEDED),
        (ENDED_WELL, Received((Answer(error_type="ValueError"),)), Outcome.COMPLETED),
        (ENDED_WELL, Received(load_error=Answer(error_type="SyntaxError")), Outcome.FAILED),
        (ENDED_WELL, Received(load_error=Answer(error_type="MemoryError")), Outcome.MEMORY_EXCEEDED),
        (ENDED_WELL, Received((Answer("a"),), problem="garbled"), Outcome.FAILED),
        (replace(ENDED_WELL, status=EXIT_1), GOOD, Outcome.FAILED),
    ],
)
def test_an_ending_is_judged_by_facts_first(ending: Ending, received: Received, expected: Outcome) -> None:
    outcome, reason = judge(ending, received, LIMITS)

    assert outcome is expected
    assert (reason is None) == (expected is Outcome.COMPLETED)


def test_the_worker_loads_nothing_but_the_standard_library_and_its_siblings() -> None:
    folder = Path(__file__).resolve().parents[4] / "jupyter_mcpgen" / "sandbox"
    script = (
        f"import sys; sys.path.insert(0, {str(folder)!r}); import inside.worker\n"
        "print(*sorted(n for n in sys.modules if n.split('.')[0] not in {*sys.stdlib_module_names, '__main__'}))"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True, cwd=os.sep
    )

    siblings = [
        "calling", "confinement", "documents", "drawing", "fields", "going_first", "job_order", "job_report", "job_use",
        "job_work", "kernel", "landlock", "namespaces", "places",
        "program_calls", "rehearsal", "seccomp", "supervisor", "syscalls", "worker", "zygote",
    ]  # fmt: skip
    assert done.stdout.split() == ["inside", *(f"inside.{name}" for name in siblings)]


def test_no_number_of_a_descriptor_in_the_host_costs_a_layer_of_the_sandbox() -> None:
    script = """
import os, socket
held, made = os.open(os.devnull, os.O_RDONLY), socket.socketpair

def pair(*kind):
    ours, theirs = made(*kind)
    os.dup2(theirs.fileno(), held)
    theirs.close()
    return ours, socket.socket(fileno=held)

socket.socketpair = pair
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
print(held, ProcessBackend().weakened)
"""

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)

    usual = subprocess.run(
        [sys.executable, "-c", script.replace("socket.socketpair = pair", "")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.startswith("3 ")  # where a job expects its result to go
    assert done.stdout == usual.stdout
