"""What hostile code says costs the host no more than it cost the code: no time, no memory, no call without a record.

Work is counted in lines of Python and in bytes, never in seconds: how long it takes depends on what else runs.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pyarrow as pa
import pytest

from jupyter_mcpgen.errors import SandboxError, SessionError, ToolchainMissing
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages, compress_trace
from jupyter_mcpgen.sandbox.execution.record import Reason, Status
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.jobs.tables import read_table, rows_received
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from jupyter_mcpgen.tools import sandbox
from jupyter_mcpgen.tools.offer import Caller
from jupyter_mcpgen.tools.running import Runner

pytestmark = pytest.mark.every_run(layers=["level 1"])

FLOOD = 15_900_000
MEGABYTE = 1024


@pytest.fixture
def executor(layers: frozenset[Layer], tmp_path: Path) -> Executor:
    return Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(tmp_path / "pages"))


@pytest.fixture
def sessions(executor: Executor) -> Iterator[Sessions]:
    made = Sessions(executor)
    yield made
    made.close()


@contextmanager
def steps_counted() -> Iterator[count[int]]:
    """Count the lines of Python that run meanwhile, in this thread and in those that it starts."""
    steps = count()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        next(steps)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    threading.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before)
        threading.settrace(before)  # type: ignore[arg-type]  # None is what there is at first


LINES = """
import os, sys
rest = memoryview(b"".join(b"%d\\n" % (n * n % 7) for n in range({lines})))
while rest: rest = rest[os.write({stream}, rest) :]
sys.exit(1)
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("stream", [1, 2])
def test_millions_of_short_lines_are_shown_in_less_time_and_memory_than_they_took_to_be_written(
    executor: Executor, stream: int
) -> None:
    """Each line taken for itself took half a minute and 600 MB."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code = LINES.format(lines=FLOOD // 2, stream=stream)

    with steps_counted() as steps:
        run = executor.execute("python", code, limits=ExecutionLimits(time_seconds=60, memory_mb=2_000, cpu_cores=4))

    assert (run.status, run.reason, run.exit_code) == (Status.ERROR, Reason.RUNTIME_ERROR, 1)
    assert f"{FLOOD // 2} lines total, {FLOOD} characters" in (run.stdout, run.stderr)[stream - 1]
    assert next(steps) < FLOOD // 4  # less than one for two lines
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * MEGABYTE


def test_a_trace_as_long_as_one_can_be_is_still_told_once() -> None:
    trace = "Traceback\n" + "  File one\n  File two\n" * 9_000 + "RecursionError\n"

    assert compress_trace(trace).splitlines() == [
        "Traceback", "  File one", "  File two", "  [previous 2 lines repeated 8999 more times]", "RecursionError"
    ]  # fmt: skip


REPLY = """
import os, threading, time
def drop_by_drop():
    os.write(4, (15_000_000).to_bytes(4, "big") + bytes(14_000_000))
    for _ in range(20_000): os.write(4, b" ")
drop_by_drop()
time.sleep(60)
"""


def test_a_reply_that_comes_drop_by_drop_is_not_copied_with_each_drop(sessions: Sessions) -> None:
    session = sessions.create("me").session_id
    tracemalloc.start()

    run = sessions.execute("me", session, REPLY, timeout=3)

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert run.reason is Reason.TIMED_OUT
    assert 14_000_000 < most < 21_000_000


def test_a_reply_longer_than_any_that_is_meant_is_none_and_never_read(sessions: Sessions) -> None:
    session = sessions.create("me").session_id
    objects = b'{"exit_code": 0, "message": null, "x": [' + b"[]," * 5_000_000 + b"0]}"
    sessions.write_file("me", session, "lie", len(objects).to_bytes(4, "big") + objects)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    run = sessions.execute(
        "me",
        session,
        "import os\nrest = memoryview(open('lie', 'rb').read())\n"
        "while rest: rest = rest[os.write(4, rest):]\nimport time; time.sleep(60)",
        timeout=20,
    )

    assert (run.status, run.reason) == (Status.ERROR, Reason.KILLED)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * MEGABYTE


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_long_message_of_an_honest_error_is_cut_and_the_session_lives(sessions: Sessions, language: str) -> None:
    code = {
        "python": "raise ValueError('x' * 3_000_000)",
        "javascript": "throw new Error('x'.repeat(3_000_000))",
    }[language]
    try:
        session = sessions.create("me", language).session_id
    except ToolchainMissing as missing:
        pytest.skip(str(missing))

    run = sessions.execute("me", session, code)
    after = sessions.execute("me", session, "1")

    assert run.status is Status.ERROR
    assert "Error: xxx" in (run.error_message or "")
    assert (after.status, after.notes) == (Status.SUCCESS, ())


@pytest.mark.parametrize("seconds", [1e12, -1e12, 2.0**62])
def test_a_file_from_no_time_that_a_calendar_has_is_listed_all_the_same(
    layers: frozenset[Layer], tmp_path: Path, seconds: float
) -> None:
    """The time of a file is its owner's word; a file system in memory keeps any."""
    memory = Path("/dev/shm")  # the one place that is in memory on most machines
    if not memory.is_dir():
        pytest.skip("there is no file system in memory here")
    executor = Executor(sandbox=ProgramSandbox(layers=layers, scratch_root=memory), pages=Pages(tmp_path))
    runner = Runner(executor, Sessions(executor))
    offer = next(one for one in sandbox.offers(runner, "") if one.name == "list_session_files")
    try:
        session = runner.sessions.create("me").session_id
        runner.sessions.write_file("me", session, "timeless", b"")
        (place,) = memory.glob("mcpgen-*/timeless")
        subprocess.run([sys.executable, "-c", f"import os; os.utime({str(place)!r}, ({seconds},) * 2)"], check=True)

        told = offer.perform(offer.parsed({"session_id": session}), Caller("me", Cancellation()))
    finally:
        runner.sessions.close()

    (entry,) = told.structured["files"]
    assert entry["modified"][:4] in ("0001", "9999")


def in_pieces(schema: pa.Schema, batch: pa.RecordBatch, size: int) -> bytes:
    """Return a file of so many bytes that has one batch again and again."""
    sink = pa.BufferOutputStream()
    writer = pa.ipc.new_stream(sink, schema)
    ends = []
    for _ in range(2):
        writer.write_batch(batch)
        ends.append(sink.tell())
    writer.close()
    content = sink.getvalue().to_pybytes()
    piece = content[ends[0] : ends[1]]
    times = (size - ends[0]) // len(piece)
    return b"ARROW1\0\0" + content[: ends[0]] + piece * times + b"\xff\xff\xff\xff\0\0\0\0ARROW1"


def test_a_table_in_more_pieces_than_an_honest_one_has_is_refused_before_they_are_read() -> None:
    """Twenty thousand batches without a row, sixty lists deep, took 17 seconds and 4 GB."""
    kind: pa.DataType = pa.int8()
    for _ in range(60):
        kind = pa.list_(kind)
    batch = pa.record_batch([pa.array([], type=kind)], names=["deep"])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    hostile = in_pieces(batch.schema, batch, 63 << 20)
    with pytest.raises(SandboxError, match="more than 2,000 messages"):
        read_table(hostile)

    assert rows_received([hostile]) is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500 * MEGABYTE


def test_a_long_honest_table_comes_in_pieces_and_through() -> None:
    batch = pa.record_batch([pa.array([1] * 65_536, type=pa.int8())], names=["a"])

    assert len(read_table(in_pieces(batch.schema, batch, 7 << 20))) > 6_000_000


@pytest.mark.parametrize("named", [123, 1.5, True, ["a"], {"a": 1}, 10**400])
def test_an_id_that_is_no_text_is_refused_in_words(sessions: Sessions, named: object) -> None:
    with pytest.raises(SessionError, match="cannot be a session's id"):
        sessions.create("me", session_id=named)  # type: ignore[arg-type]  # what a client may send
