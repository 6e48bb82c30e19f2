"""No program keeps its supervisor from looking, and none that does no harm is stopped over a look or notices it.

Each is its own control: within larger bounds, or when it does what must be stopped, the same program ends otherwise.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions

pytestmark = pytest.mark.every_run(layers=["level 1"])

PROGRAMS = Path(__file__).parent / "programs"
LONG, SHORT = 30, 1
DEEP, FLAT, NO_FILE = 15, 0, -1
ROOMY = ExecutionLimits(time_seconds=60, cpu_cores=4, memory_mb=256)
needs_compiler = pytest.mark.skipif(available()["c"] is not None, reason=str(available()["c"]))


def executed(
    layers: frozenset[Layer], place: Path, language: str, code: str, words: str = "", limits: ExecutionLimits = ROOMY
) -> Execution:
    executor = Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(place / "output"))
    return executor.execute(language, code, stdin=words, limits=limits)


@pytest.mark.every_run("3-20000-15")
@needs_compiler
@pytest.mark.parametrize(("processes", "pieces", "folders"), [(8, 40_000, FLAT), (3, 20_000, DEEP)])
def test_a_program_that_maps_more_pieces_than_can_be_looked_at_is_stopped_and_told_so(
    layers: frozenset[Layer], tmp_path: Path, processes: int, pieces: int, folders: int
) -> None:
    code = (PROGRAMS / "pieces.c").read_text(encoding="utf-8")
    many = executed(layers, tmp_path, "c", code, f"{processes} {pieces} {folders} {LONG}")
    few = executed(layers, tmp_path, "c", code, f"{processes} {pieces // 40} {folders} {SHORT}")

    assert (many.reason, "more pieces than can be looked at" in str(many.error_message)) == (
        Reason.MEMORY_EXCEEDED,
        True,
    )
    assert (few.status, few.stdout) == (Status.SUCCESS, f"{processes} mapped\n")


@pytest.mark.soak
@needs_compiler
def test_the_memory_that_the_kernel_needs_for_mappings_is_counted(layers: frozenset[Layer], tmp_path: Path) -> None:
    code = (PROGRAMS / "pieces.c").read_text(encoding="utf-8")
    hidden, control = (
        executed(layers, tmp_path, "c", code, f"20 10000 {NO_FILE} {seconds}", replace(ROOMY, memory_mb=memory))
        for seconds, memory in ((LONG, 48), (3 * SHORT, 256))
    )

    assert hidden.reason is Reason.MEMORY_EXCEEDED
    assert (control.status, control.stdout) == (Status.SUCCESS, "20 mapped\n")
    assert control.peak_memory_bytes > 20 * 10_000 * 200


COPIES = """
import os, time
table = bytearray(64 << 20)
for at in range(0, len(table), 4096):
    table[at] = 1
children = []
for _ in range(4):
    child = os.fork()
    if child == 0:
        {act}
        time.sleep({seconds})
        os._exit(0)
    children.append(child)
print([os.waitpid(child, 0)[1] for child in children])
"""
READ = "assert sum(table[at] for at in range(0, len(table), 4096)) == 16384"
WRITE = "table[:] = bytes(len(table))"


@pytest.mark.soak
def test_forks_that_only_read_what_their_parent_has_are_no_more_memory_than_it(
    layers: frozenset[Layer], tmp_path: Path
) -> None:
    reading, writing = (
        executed(layers, tmp_path, "python", COPIES.format(act=act, seconds=seconds))
        for act, seconds in ((READ, 2), (WRITE, 50))
    )

    assert (reading.status, reading.stdout) == (Status.SUCCESS, "[0, 0, 0, 0]\n")
    assert reading.peak_memory_bytes < 256 << 20
    assert writing.reason is Reason.MEMORY_EXCEEDED


UNHEARD = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range({children}):
    child = os.fork()
    if child == 0:
        while time.process_time() < 0.12: pass
        os._exit(0)
    while os.path.exists(f"/proc/{{child}}"):
        time.sleep(0.005)
print("worked")
"""


@pytest.mark.soak
def test_the_time_of_children_for_which_nobody_waits_counts(layers: frozenset[Layer], tmp_path: Path) -> None:
    hidden = executed(layers, tmp_path, "python", UNHEARD.format(children=150), limits=replace(ROOMY, cpu_seconds=1))
    control = executed(layers, tmp_path, "python", UNHEARD.format(children=8), limits=replace(ROOMY, cpu_seconds=20))

    assert hidden.reason is Reason.CPU_EXCEEDED
    assert (control.status, control.stdout) == (Status.SUCCESS, "worked\n")


HEARD = """
import os, time
for _ in range({children}):
    child = os.fork()
    if child == 0:
        while time.process_time() < 0.15: pass
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.soak
def test_the_time_of_children_for_which_somebody_waits_counts_once(layers: frozenset[Layer], tmp_path: Path) -> None:
    run = executed(layers, tmp_path, "python", HEARD.format(children=20), limits=replace(ROOMY, cpu_seconds=20))

    assert run.status is Status.SUCCESS
    assert 3 <= run.cpu_seconds < 6


@pytest.mark.soak
def test_orphans_that_have_ended_are_no_processes_any_more(layers: frozenset[Layer], tmp_path: Path) -> None:
    code = "for i in $(seq 200); do ( {act} & ) 2> /dev/null; done; echo $i"
    ended = executed(layers, tmp_path, "bash", code.format(act="/bin/true"))
    living = executed(layers, tmp_path, "bash", code.format(act="sleep 60"), limits=replace(ROOMY, time_seconds=4))

    assert (ended.status, ended.stdout, ended.stderr) == (Status.SUCCESS, "200\n", "")
    assert living.reason in {Reason.TASKS_EXCEEDED, Reason.TIMED_OUT, Reason.RUNTIME_ERROR}


def test_a_session_keeps_no_orphans_that_have_ended(layers: frozenset[Layer], tmp_path: Path) -> None:
    others = frozenset(process.pid for process in psutil.Process().children(recursive=True))
    sessions = Sessions(Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(tmp_path / "output")))
    made = sessions.create("me", "python", limits=ExecutionLimits(time_seconds=30)).session_id
    code = "import subprocess\nfor _ in range(20): subprocess.run(['bash', '-c', '{act} & exit 0'], check=True)"
    try:
        assert sessions.execute("me", made, code.format(act="sleep 0.01")).status is Status.SUCCESS
        ended = states(others)
        for _ in range(300):
            if ended.count(psutil.STATUS_ZOMBIE) == 0:
                break
            time.sleep(0.1)
            ended = states(others)
        assert sessions.execute("me", made, code.format(act="sleep 600")).status is Status.SUCCESS
        living = states(others)
    finally:
        sessions.close()

    assert ended.count(psutil.STATUS_ZOMBIE) == 0
    assert len(living) > len(ended) + 10


def states(others: frozenset[int]) -> list[str]:
    """Return how the processes below this one stand, but for those of other tests."""
    found: list[str] = []
    for process in psutil.Process().children(recursive=True):
        try:
            if process.pid not in others:
                found.append(process.status())
        except psutil.NoSuchProcess:
            continue
    return found


UNBURIED = """
import os, time
for _ in range({children}):
    try:
        child = os.fork()
    except OSError:
        print("refused"); break
    if child == 0: os._exit(0)
time.sleep({seconds})
print("unburied")
"""


def test_children_that_a_program_does_not_bury_count_as_its_processes(layers: frozenset[Layer], tmp_path: Path) -> None:
    many, few = (
        executed(layers, tmp_path, "python", UNBURIED.format(children=children, seconds=seconds))
        for children, seconds in ((300, 50), (50, 2))
    )

    # Where the program has a user of its own, the kernel counts them.
    assert many.reason is Reason.TASKS_EXCEEDED or many.stdout.startswith("refused")
    assert (few.status, few.stdout) == (Status.SUCCESS, "unburied\n")


WATCHES_ITS_CHILD = """
import os, signal, time
child = os.fork()
if child == 0:
    time.sleep({seconds})
    os._exit(3)
if {stops}:
    os.kill(child, signal.SIGSTOP)
    time.sleep(0.5)
    os.kill(child, signal.SIGCONT)
seen = []
while True:
    _, status = os.waitpid(child, os.WUNTRACED | os.WCONTINUED)
    if os.WIFEXITED(status):
        break
    seen.append("stopped" if os.WIFSTOPPED(status) else "continued")
print(*seen)
"""


def test_no_neighbour_makes_a_small_program_stand_still(layers: frozenset[Layer], tmp_path: Path) -> None:
    with crowds_that_come_and_go():
        unseen = executed(layers, tmp_path, "python", WATCHES_ITS_CHILD.format(seconds=3, stops=False))
    control = executed(layers, tmp_path, "python", WATCHES_ITS_CHILD.format(seconds=1, stops=True))

    assert (unseen.status, unseen.stdout) == (Status.SUCCESS, "\n")
    assert "continued" in control.stdout


@contextmanager
def crowds_that_come_and_go() -> Iterator[None]:
    over = threading.Event()

    def come_and_go() -> None:
        while not over.is_set():
            crowd = [threading.Thread(target=over.wait, args=(0.7,)) for _ in range(100)]
            for one in crowd:
                one.start()
            for one in crowd:
                one.join()
            over.wait(0.7)

    coming = threading.Thread(target=come_and_go)
    coming.start()
    try:
        yield
    finally:
        over.set()
        coming.join()
