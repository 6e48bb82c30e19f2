"""Programs whose supervisor is forked from a prepared process are confined and ended like any other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.programs.server import ProgramServer
from jupyter_mcpgen.sandbox.selfcheck.programs import prove_programs
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions

pytestmark = pytest.mark.every_run(layers=["level 1"])

ROOT = Path(__file__).resolve().parents[2]
SOON = 20.0
TREE = "import os, time\nif os.fork() == 0: os.setsid()\nopen('begun', 'w').close()\ntime.sleep(600)"


@pytest.fixture
def server() -> Iterator[ProgramServer]:
    made = ProgramServer()
    yield made
    made.close()


@pytest.fixture
def executor(server: ProgramServer, layers: frozenset[Layer], tmp_path: Path) -> Executor:
    (tmp_path / "scratch").mkdir(mode=0o755)
    sandbox = ProgramSandbox(layers=layers, scratch_root=tmp_path / "scratch", start_supervisor=server)
    return Executor(sandbox=sandbox, pages=Pages(tmp_path / "output"))


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def processes_of(server: ProgramServer) -> list[psutil.Process]:
    """Return the process that forks, and all below it, without what is dead and was not buried yet."""
    assert server.pid is not None
    zygote = psutil.Process(server.pid)
    return [zygote, *(one for one in zygote.children(recursive=True) if one.status() != psutil.STATUS_ZOMBIE)]


def test_no_attack_wins_against_a_program_that_was_begun_so(server: ProgramServer, layers: frozenset[Layer]) -> None:
    found = prove_programs(ProgramSandbox(layers=layers, start_supervisor=server))

    assert server.pid is not None
    assert [probe.name for probe in found if not probe.as_promised] == []


def test_one_process_forks_for_all_programs_and_keeps_nothing_of_them(
    executor: Executor, server: ProgramServer
) -> None:
    first = executor.execute("bash", "echo $$; cat", stdin="one")
    assert server.pid is not None
    forks = server.pid
    before = len(os.listdir(f"/proc/{forks}/fd"))
    rest = [executor.execute("bash", "echo one; echo two >&2; exit 3") for _ in range(5)]

    assert (first.status, first.stdout.endswith("one")) == (Status.SUCCESS, True)
    assert {(run.stdout, run.stderr, run.exit_code) for run in rest} == {("one\n", "two\n", 3)}
    assert server.pid == forks
    assert len(os.listdir(f"/proc/{forks}/fd")) == before
    assert len(os.listdir(f"/proc/{forks}/task")) == 1
    until(lambda: len(processes_of(server)) == 1)


def test_a_program_has_its_three_streams_and_no_word_of_ours_in_its_environment(executor: Executor) -> None:
    code = "import os; print(*os.listdir('/proc/self/fd')); print(sorted(os.environ))"

    told = executor.execute("python", code).stdout.splitlines()

    assert told[0].split() == ["0", "1", "2", "3"]  # 3 is the folder that is being listed
    assert "PYTHON" not in told[1]


@pytest.mark.every_run("level 1")
def test_a_timeout_ends_the_whole_tree(executor: Executor, server: ProgramServer) -> None:
    run = executor.execute("python", TREE, timeout=2)

    assert run.reason is Reason.TIMED_OUT
    until(lambda: len(processes_of(server)) == 1)


def test_a_supervisor_that_is_killed_takes_its_program_along(
    executor: Executor, server: ProgramServer, tmp_path: Path
) -> None:
    ended = _running(executor, tmp_path)
    (supervisor,) = psutil.Process(server.pid).children()
    below = [supervisor, *supervisor.children(recursive=True)]

    supervisor.kill()

    run = ended()
    assert (run.status, run.reason, run.exit_code) == (Status.ERROR, Reason.LOST, -1)
    assert run.error_message == (
        "The supervisor of a program was killed from outside, so the program stopped and its outcome is unknown. "
        "It can only have changed its own folder. Run it again. If it happens again, check this machine for a "
        "memory limit."
    )
    until(lambda: not any(_lives(one) for one in below))


def test_programs_go_on_and_new_ones_begin_when_the_process_that_forks_is_killed(
    executor: Executor, server: ProgramServer
) -> None:
    sessions = Sessions(executor)
    made = sessions.create("me").session_id
    sessions.execute("me", made, "x = 41")
    killed = server.pid
    assert killed is not None

    os.kill(killed, signal.SIGKILL)

    assert sessions.execute("me", made, "print(x + 1)").stdout == "42\n"
    assert executor.execute("bash", "echo again").stdout == "again\n"
    assert server.pid not in (None, killed)
    sessions.close()


def test_letting_it_go_ends_it_once_its_last_program_has_ended(executor: Executor, server: ProgramServer) -> None:
    sessions = Sessions(executor)
    made = sessions.create("me").session_id
    sessions.execute("me", made, "x = 41")
    forks = processes_of(server)[0]

    server._zygote.requests.close()  # type: ignore[union-attr]  # as a host does that needs no more programs
    assert sessions.execute("me", made, "print(x + 1)").stdout == "42\n"
    assert forks.is_running()
    sessions.close()

    until(lambda: not _lives(forks))


HOST = """
import sys, threading
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.programs.server import ProgramServer
server = ProgramServer()
sandbox = ProgramSandbox(layers=frozenset(map(Layer, sys.argv[1].split())), start_supervisor=server)
executor = Executor(sandbox=sandbox)
threading.Thread(target=executor.execute, args=("bash", "sleep 600 & sleep 600"), kwargs={"timeout": 300}).start()
print("begun", flush=True)
"""


def test_all_of_it_dies_with_its_host(layers: frozenset[Layer]) -> None:
    command = [sys.executable, "-c", HOST, " ".join(layers)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"begun\n"
        until(lambda: sum(one.name() == "sleep" for one in _below(host.pid)) == 2)
        below = _below(host.pid)

        host.kill()

        until(lambda: not any(_lives(one) for one in below))


def test_in_a_fork_of_the_host_there_is_another_one(executor: Executor, server: ProgramServer) -> None:
    executor.execute("bash", "true")
    ours, (reader, writer) = server.pid, os.pipe()
    child = os.fork()
    if child == 0:
        run = executor.execute("bash", "echo forked")
        os.write(writer, f"{run.stdout.strip()} {server.pid != ours}".encode())
        server.close()
        os._exit(0)
    os.waitpid(child, 0)

    assert os.read(reader, 100) == b"forked True"
    assert executor.execute("bash", "echo here").stdout == "here\n"
    assert server.pid == ours
    for end in (reader, writer):
        os.close(end)


def test_a_program_that_was_given_up_is_never_begun(
    executor: Executor, server: ProgramServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor.execute("bash", "true")
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    monkeypatch.setattr("jupyter_mcpgen.sandbox.programs.server._START_SECONDS", 0.5)

    given_up = executor.execute("bash", "sleep 600", timeout=300)
    os.kill(server.pid, signal.SIGCONT)
    monkeypatch.undo()

    assert (given_up.status, "timed out" in (given_up.error_message or "")) == (Status.SETUP_ERROR, True)
    assert executor.execute("bash", "echo next").stdout == "next\n"
    until(lambda: len(processes_of(server)) == 1)


def test_programs_of_many_threads_are_told_apart(executor: Executor) -> None:
    told: dict[int, str] = {}

    def one(number: int) -> None:
        told[number] = executor.execute("bash", f"echo {number}").stdout

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert told == {number: f"{number}\n" for number in range(8)}


def _running(executor: Executor, tmp_path: Path) -> Callable[[], Execution]:
    """Start a program with a child in a session of its own; return what waits for its record."""
    runs: list[Execution] = []
    thread = threading.Thread(target=lambda: runs.append(executor.execute("python", TREE, timeout=100)))
    thread.start()
    until(lambda: any((tmp_path / "scratch").glob("**/begun")))

    def ended() -> Execution:
        thread.join(SOON)
        return runs[0]

    return ended


def _below(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
