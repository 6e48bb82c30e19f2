"""Samples of a running program."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.programs.timeline import Timeline, clamped_interval
from tests.levels import needs

MEGABYTE = 1024 * 1024


@pytest.mark.parametrize(("asked", "given"), [(-5, 10), (0, 10), (10, 10), (100, 100), (99_999, 10_000)])
def test_an_interval_that_cannot_be_kept_is_brought_inside(asked: int, given: int) -> None:
    assert clamped_interval(asked) == given


@needs(ProgramSandbox().missing())
def test_memory_and_disk_of_a_program_and_its_children_are_seen(tmp_path: Path) -> None:
    timeline = Timeline(20)
    code = (
        "import os, subprocess, sys, time\n"
        "child = 'import time; x = b\"a\" * 60_000_000; time.sleep(2)'\n"
        "done = subprocess.Popen([sys.executable, '-I', '-S', '-c', child])\n"
        "with open('big', 'wb') as file:\n"
        "    file.write(b'x' * 5_000_000); file.flush(); os.fsync(file.fileno())\n"
        "done.wait()"
    )

    run = Executor(pages=Pages(tmp_path)).execute("python", code, timeline=timeline)

    assert (run.status, run.error_message) == (Status.SUCCESS, None)
    assert max(sample.memory_bytes for sample in timeline.samples) > 60 * MEGABYTE
    assert min(sample.memory_bytes for sample in timeline.samples) > 0, "a look after the end is none of the program"
    assert [sample.seconds for sample in timeline.samples] == sorted(sample.seconds for sample in timeline.samples)
    assert run.written_bytes is None or run.written_bytes >= 0
