"""Memory, disk and time that a program takes where a look at its processes does not show it at once.

Each is its own control: within larger bounds, or without walls, the same program comes to its end and says what it did.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.identity import Identity
from jupyter_mcpgen.sandbox.inside.syscalls import MACHINE
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.levels import LEVELS, require

pytestmark = pytest.mark.every_run(layers=["level 1"])

PROGRAMS = Path(__file__).parent / "programs"
NO_LAYERS: frozenset[Layer] = frozenset()
LITTLE, MUCH = 256, 2_000
LONG, SHORT = 20, 1
needs_compiler = pytest.mark.skipif(available()["c"] is not None, reason=str(available()["c"]))


def executed(
    layers: frozenset[Layer], place: Path, language: str, code: str, words: str = "", memory: int = LITTLE
) -> Execution:
    executor = Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(place / "output"))
    limits = ExecutionLimits(time_seconds=60, cpu_cores=4, memory_mb=memory)
    return executor.execute(language, code, stdin=words, limits=limits)


SHARED = """
import ctypes, errno, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype, libc.munmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t]
PIECE = 64 << 20
def hold(flags, file):
    held = 0
    for _ in range(8):
        place = libc.mmap(None, ctypes.c_size_t(PIECE), 3, flags, file, ctypes.c_long(0))
        if place == 2**64 - 1:
            return errno.errorcode[ctypes.get_errno()]
        ctypes.memset(place, 1, PIECE)
        libc.munmap(place + 4096, PIECE - 4096)
        held += PIECE
    return held
def opened():
    try:
        return os.open("/dev/zero", os.O_RDWR)
    except OSError as error:
        return -1
def tool():
    zero = opened()
    return f"{hold(mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1)} {hold(mmap.MAP_SHARED, zero) if zero >= 0 else 'no zero'}"
"""


def test_a_program_has_no_memory_that_stays_when_all_but_a_page_of_it_is_unmapped(
    layers: frozenset[Layer], tmp_path: Path
) -> None:
    code = f"{SHARED}\nprint(tool())"

    assert executed(layers, tmp_path, "python", code).stdout == "EPERM no zero\n"
    assert executed(NO_LAYERS, tmp_path, "python", code).stdout == f"{512 << 20} {512 << 20}\n"


@pytest.mark.parametrize("level", LEVELS)
def test_a_job_has_no_such_memory_either(level: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "tool.py").write_text(SHARED, encoding="utf-8")

    assert text_of(ran(LEVELS[level], tmp_path)) == "EPERM no zero"
    assert text_of(ran(NO_LAYERS, tmp_path)) == f"{512 << 20} {512 << 20}"


def ran(layers: frozenset[Layer], package: Path) -> Run:
    backend = ProcessBackend(layers=layers, spares=0)
    require(backend.missing(), layers)
    try:
        return backend.run(Job(package, "tool", (Call({}),)), Policy(limits=Limits(memory_mb=1024)))
    finally:
        backend.close()


def text_of(run: Run) -> str | None:
    assert run.outcome is Outcome.COMPLETED, run
    return run.answers[0].text


@pytest.mark.every_run("of an open file")
@needs_compiler
@pytest.mark.parametrize("by_file", [0, 1], ids=["of a process", "of an open file"])
def test_locks_count_as_memory_for_the_kernel_has_some_for_each(
    layers: frozenset[Layer], tmp_path: Path, by_file: int
) -> None:
    """In five seconds a program of 64 MB held 160 MB of the kernel's, and nobody knew."""
    code = (PROGRAMS / "locks.c").read_text(encoding="utf-8")

    few = executed(layers, tmp_path, "c", code, f"2 {by_file}", LITTLE // 8)
    many = executed(layers, tmp_path, "c", code, f"2000 {by_file}", LITTLE // 8)

    assert (few.status, few.stdout) == (Status.SUCCESS, "0 failed\n")
    assert (many.status, many.reason) == (Status.ERROR, Reason.MEMORY_EXCEEDED)


WITHOUT_FIRST_THREAD = """
import ctypes, os, threading, time
EXIT = {exit}
def hold():
    time.sleep(0.5)
    memory = bytearray(b"x") * (200 << 20)
    time.sleep(float(input()))
    os._exit(0)
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall(EXIT, 0)
    children.append(child)
print([os.waitpid(child, 0)[1] for child in children])
"""


@pytest.mark.soak
def test_a_process_whose_first_thread_left_is_counted_like_any_other(layers: frozenset[Layer], tmp_path: Path) -> None:
    code = WITHOUT_FIRST_THREAD.format(exit=60 if MACHINE == "x86_64" else 93)
    hidden, control = (
        executed(layers, tmp_path, "python", code.replace("float(input())", str(seconds)), memory=memory)
        for seconds, memory in ((LONG, LITTLE), (SHORT, MUCH))
    )

    assert hidden.reason is Reason.MEMORY_EXCEEDED
    assert (control.status, control.stdout) == (Status.SUCCESS, "[0, 0, 0]\n")


@pytest.mark.soak
@needs_compiler
@pytest.mark.skipif(MACHINE != "x86_64", reason="its processes replace each other in machine code of x86-64")
def test_processes_that_replace_each_other_at_once_are_counted(layers: frozenset[Layer], tmp_path: Path) -> None:
    code = (PROGRAMS / "chain.c").read_text(encoding="utf-8")
    hidden = executed(layers, tmp_path, "c", code, f"{LONG}")
    control = executed(layers, tmp_path, "c", code, f"{SHORT}", memory=MUCH)

    assert hidden.reason is Reason.MEMORY_EXCEEDED
    assert control.status is Status.SUCCESS, control
    links = [int(line.split()[0]) for line in control.stdout.splitlines()]
    assert len(links) == 4
    assert min(links) > 100


@pytest.mark.soak
@needs_compiler
def test_what_waits_in_pairs_of_sockets_counts_as_memory(layers: frozenset[Layer], tmp_path: Path) -> None:
    code = (PROGRAMS / "queues.c").read_text(encoding="utf-8")
    hidden = executed(layers, tmp_path, "c", code, f"{LONG}")
    control = executed(layers, tmp_path, "c", code, f"{SHORT}", memory=MUCH)

    assert hidden.reason is Reason.MEMORY_EXCEEDED
    assert control.status is Status.SUCCESS, control
    assert sum(map(int, control.stdout.split())) > LITTLE << 20


@pytest.mark.soak
@needs_compiler
def test_deleted_files_that_only_one_thread_has_open_are_counted(layers: frozenset[Layer], tmp_path: Path) -> None:
    code = (PROGRAMS / "descriptors_of_a_thread.c").read_text(encoding="utf-8")
    hidden = executed(layers, tmp_path, "c", code, f"80 {LONG}")
    control = executed(layers, tmp_path, "c", code, f"4 {SHORT}")

    assert hidden.reason is Reason.SCRATCH_EXCEEDED
    assert (control.status, control.stdout) == (Status.SUCCESS, "4 held\n")


WORK = """
import os, time
children = []
for _ in range(4):
    child = os.fork()
    if child == 0:
        while time.process_time() < {seconds}: pass
        os._exit(0)
    children.append(child)
print([os.waitpid(child, 0)[1] for child in children])
"""


def test_processes_have_no_more_processor_time_together_than_one_may_have(
    layers: frozenset[Layer], tmp_path: Path
) -> None:
    executor = Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(tmp_path / "output"))
    hidden, control = (
        executor.execute(
            "python", WORK.format(seconds=0.6), limits=ExecutionLimits(time_seconds=60, cpu_seconds=budget)
        )
        for budget in (1, 20)
    )

    assert hidden.reason is Reason.CPU_EXCEEDED
    assert hidden.cpu_seconds > 1
    assert (control.status, control.stdout) == (Status.SUCCESS, "[0, 0, 0, 0]\n")


@pytest.mark.soak
def test_the_time_of_a_program_that_was_ended_is_told(layers: frozenset[Layer], tmp_path: Path) -> None:
    executor = Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(tmp_path / "output"))
    code = "import os, time\nwhile time.process_time() < 0.5: pass\ntime.sleep(60)"
    run = executor.execute("python", code, limits=ExecutionLimits(time_seconds=4))

    assert run.reason is Reason.TIMED_OUT
    assert run.cpu_seconds > 0.4


GO_ON_FOREVER = """
import ctypes, os, signal
CLONE, CLONE_PARENT = {clone}, 0x8000
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
libc = ctypes.PyDLL(None)
count = os.open("count", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
if os.fork() == 0:
    while True:
        os.write(count, b".")
        if libc.syscall(CLONE, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0) > 0:
            os._exit(0)
"""
LOOK = "import os, time; before = os.stat('count').st_size; time.sleep(1); print(os.stat('count').st_size > before)"


@pytest.mark.soak
def test_processes_that_replace_each_other_stand_still_between_calls(layers: frozenset[Layer], tmp_path: Path) -> None:
    sessions = Sessions(Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(tmp_path / "output")))
    made = sessions.create("me", "python", limits=ExecutionLimits(time_seconds=60, memory_mb=1000)).session_id
    try:
        code = GO_ON_FOREVER.format(clone=56 if MACHINE == "x86_64" else 220)
        assert sessions.execute("me", made, code).status is Status.SUCCESS
        time.sleep(1)
        before = sessions.list_files("me", made)
        time.sleep(2)
        after = sessions.list_files("me", made)
        during = sessions.execute("me", made, LOOK)
    finally:
        sessions.close()

    assert [(entry.path, entry.size) for entry in before] == [(entry.path, entry.size) for entry in after]
    assert during.stdout == "True\n", during


def test_a_program_is_the_first_to_go_when_the_machine_has_no_memory_left(
    layers: frozenset[Layer], tmp_path: Path
) -> None:
    code = "print(open('/proc/self/oom_score_adj').read().strip())"
    own = Path("/proc/self/oom_score_adj").read_text(encoding="ascii").strip()

    assert executed(layers, tmp_path, "python", code).stdout == "1000\n" != f"{own}\n"


class SameUser(ProgramSandbox):
    """Keeps the user of the host, whom every signal would reach that is not kept inside."""

    def identity(self, needed: tuple[Path, ...]) -> Identity:
        """Return the host's own user."""
        return Identity(None, "the host's own user")


def test_the_signal_that_stops_a_session_at_once_reaches_nobody_else(layers: frozenset[Layer], tmp_path: Path) -> None:
    sessions = Sessions(Executor(sandbox=SameUser(layers=layers), pages=Pages(tmp_path / "output")))
    made = sessions.create("me", "python").session_id
    with subprocess.Popen(["sleep", "600"]) as bystander:
        try:
            for _ in range(3):
                assert sessions.execute("me", made, "import os; os.fork() or os.system('sleep 600')").stdout == ""
                stopped: list[int] = []
                for _ in range(300):
                    inside = [one for one in psutil.Process().children(recursive=True) if one.pid != bystander.pid]
                    stopped = [one.pid for one in inside if one.status() == psutil.STATUS_STOPPED]
                    if len(stopped) >= 2:
                        break
                    time.sleep(0.1)
                assert len(stopped) >= 2
                assert psutil.Process(bystander.pid).status() != psutil.STATUS_STOPPED
        finally:
            bystander.kill()
            sessions.close()
