"""Every backend ends what goes beyond its bounds, says which, and measures what was used."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.backend import Backend
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome
from jupyter_mcpgen.sandbox.policy import Level, Policy
from tests.conformance.backends.process_backends import Runner

pytestmark = pytest.mark.every_run(backend=["level 1", "level 2"])


@pytest.mark.every_run("level 1")
def test_a_job_that_sleeps_is_stopped_and_keeps_the_answers_it_gave(run: Runner) -> None:
    source = """
        import time
        def tool(n):
            time.sleep(n)
            return "done"
    """

    record = run(source, {"n": 0}, {"n": 600}, wall_seconds=1)

    assert (record.outcome, record.reason) == (Outcome.TIMED_OUT, "The job was stopped after 1 second.")
    assert [answer.text for answer in record.answers] == ["done"]


def test_a_job_that_ignores_signals_is_stopped(run: Runner) -> None:
    source = """
        import signal
        def tool():
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            while True:
                pass
    """

    assert run(source, wall_seconds=1).outcome is Outcome.TIMED_OUT


@pytest.mark.every_run("level 2")
def test_processor_time_is_bounded(run: Runner) -> None:
    record = run("def tool():\n    while True: pass", cpu_seconds=1)

    assert record.outcome is Outcome.CPU_EXCEEDED
    assert record.usage.cpu_seconds >= 0.5  # the kernel bounds ticks, and reports a finer measure


@pytest.mark.parametrize("memory_mb", [512, 1024])
def test_memory_is_bounded(run: Runner, memory_mb: int) -> None:
    record = run("def tool(): return str(len(bytearray(8 * 2**30)))", memory_mb=memory_mb)

    assert (record.outcome, record.answers[0].error_type) == (Outcome.MEMORY_EXCEEDED, "MemoryError")


def test_peak_memory_is_the_jobs_own_and_not_the_hosts(run: Runner) -> None:
    ballast = bytearray(os.urandom(1024)) * (256 * 1024)  # 256 MB in this process

    record = run("def tool(): return ''")

    assert record.usage.peak_memory_bytes < len(ballast) / 4


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_of_output_is_cut_and_stops_the_job(run: Runner, stream: str) -> None:
    source = f"import sys\ndef tool():\n    while True: print('x' * 1000, file=sys.{stream})"

    record = run(source, output_bytes=100_000)

    assert record.outcome is Outcome.OUTPUT_EXCEEDED
    assert len(getattr(record, stream)) == 100_000


def test_a_result_beyond_its_bound_is_refused(run: Runner) -> None:
    record = run("def tool(): return 'x' * 5_000_000", result_bytes=1_000_000)

    assert (record.outcome, record.answers) == (Outcome.OUTPUT_EXCEEDED, ())


def test_details_beyond_their_bound_are_an_error_of_the_call(run: Runner) -> None:
    record = run("from helpers import Report\ndef tool(): return Report('', details={'x': 'y' * 10_000_000})")

    assert (record.outcome, record.answers[0].error_type) == (Outcome.COMPLETED, "ValueError")


def test_one_file_cannot_outgrow_scratch(run: Runner) -> None:
    source = """
        def tool():
            with open("big", "wb") as stream:
                stream.write(bytes(2**21))
            return ""
    """

    assert run(source, scratch_bytes=2**20).answers[0].error_type == "OSError"


def test_many_files_cannot_outgrow_scratch(run: Runner, backend: Backend) -> None:
    source = """
        import time
        def tool():
            for n in range(40):
                with open(f"file{n}", "wb") as f:
                    f.write(b"x" * 2**19)
            time.sleep(600)
    """

    record = run(source, scratch_bytes=2**20)

    if backend.level is Level.NAMESPACES:  # the kernel refuses the first byte too many
        assert "No space left" in (record.answers[0].error_message or "")
    else:  # the host sees it a moment later
        assert record.outcome is Outcome.OUTPUT_EXCEEDED
        assert "scratch" in (record.reason or "")


def test_endless_recursion_ends(run: Runner) -> None:
    assert run("def tool(): return tool()").answers[0].error_type == "RecursionError"


def test_a_cancelled_job_ends_at_once_and_says_so(run: Runner, backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("import time\ndef tool(): time.sleep(600)", encoding="utf-8")
    cancel = Cancellation()
    job = Job(tmp_path, "tool", (Call({}),))

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(backend.run, job, Policy(), cancel)
        timer = threading.Timer(0.3, cancel.cancel)
        timer.start()
        record = running.result()
    timer.join()

    assert record.outcome is Outcome.CANCELLED  # and not that its time was up


def test_a_job_that_was_cancelled_before_it_began_never_runs(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("def tool(): return 'ran'", encoding="utf-8")
    cancel = Cancellation()
    cancel.cancel()

    record = backend.run(Job(tmp_path, "tool", (Call({}),)), Policy(), cancel)

    assert (record.outcome, record.answers) == (Outcome.CANCELLED, ())


def test_the_record_says_what_was_read_and_written_or_that_nobody_knows(run: Runner, backend: Backend) -> None:
    usage = run(
        "def tool():\n    open('f', 'wb').write(bytes(300_000))\n    return str(len(open('f', 'rb').read()))"
    ).usage

    assert usage.written_bytes is None or usage.written_bytes > 300_000
    assert usage.read_bytes is None or usage.read_bytes > 300_000
    assert backend.level is not Level.NAMESPACES or usage.read_bytes is not None
