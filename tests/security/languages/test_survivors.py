"""Nothing that a program starts survives it: no daemon, no fork bomb, whoever is killed first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from tests.security.languages.hostile_programs import executor, needs_namespaces, needs_programs

pytestmark = [needs_programs, pytest.mark.every_run(layers=["level 1"])]
PATIENCE_SECONDS = 20
ROOT = Path(__file__).resolve().parents[3]


def survivors(mark: str) -> list[psutil.Process]:
    """Return the live processes that have a mark as one of their arguments."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if process.info["status"] != psutil.STATUS_ZOMBIE and mark in words:
            found.append(process)
    return found


# A daemon: forked twice, in a session of its own, deaf to polite signals, with its streams closed.
DAEMONS = {
    "bash": """
( setsid bash -c 'trap "" TERM HUP INT; exec < /dev/null > /dev/null 2>&1; (sleep {mark} & ); exec sleep {mark}' & )
""",
    "python": """
import os, signal, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for n in range(3): os.close(n)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.execv("/bin/sleep", ["sleep", "{mark}"])
    os._exit(0)
""",
}


# Without Landlock there is no domain to kill in one step: the tree is frozen and killed process by process.
@pytest.mark.every_run(
    "by its time-bash-in a domain", "by itself-python-one by one", "by itself-bash-with the first process"
)
@pytest.mark.parametrize(
    "walls",
    [
        pytest.param(ALL_LAYERS, marks=needs_namespaces, id="with the first process"),
        pytest.param(WITHOUT_NAMESPACES, id="in a domain"),
        pytest.param(WITHOUT_NAMESPACES - {Layer.LANDLOCK}, id="one by one"),
    ],
)
@pytest.mark.parametrize("language", sorted(DAEMONS))
@pytest.mark.parametrize("ends", ["by itself", "by its time"])
def test_no_daemon_survives_the_end_of_its_program(
    tmp_path: Path, language: str, ends: str, walls: frozenset[Layer]
) -> None:
    mark = f"{600 + os.getpid() % 100}.{abs(hash((language, ends, len(walls)))) % 10**9}"
    stay = {"bash": "sleep 600", "python": "import time; time.sleep(600)"}[language]
    code = DAEMONS[language].format(mark=mark)
    begun = {"bash": "sleep 0.3", "python": "import time; time.sleep(0.3)"}[language]

    run = executor(tmp_path, walls).execute(
        language,
        f"{code}\n{begun}\n{stay if ends == 'by its time' else ''}",
        timeout=2 if ends == "by its time" else 60,
    )

    assert run.status is (Status.TIMEOUT if ends == "by its time" else Status.SUCCESS)
    assert survivors(mark) == []


def test_the_same_daemon_survives_without_a_supervisor() -> None:
    mark = f"603.{os.getpid()}"
    subprocess.run(["bash", "-c", DAEMONS["bash"].format(mark=mark)], check=True)

    alive: list[psutil.Process] = []
    until = time.monotonic() + PATIENCE_SECONDS
    while not alive and time.monotonic() < until:
        time.sleep(0.1)
        alive = survivors(mark)
    time.sleep(0.3)  # the daemon begins a second one
    for process in survivors(mark):
        process.kill()

    assert alive


@pytest.mark.parametrize("victim", ["host", "supervisor"])
def test_no_daemon_outlives_a_killed_host_or_supervisor(tmp_path: Path, victim: str, layers: frozenset[Layer]) -> None:
    mark = f"604.{os.getpid()}{'01'[victim == 'host']}{len(layers)}"
    code = DAEMONS["bash"].format(mark=mark) + "sleep 600"
    script = f"""
from pathlib import Path
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
sandbox = ProgramSandbox(layers=frozenset({sorted(map(str, layers))!r}))
run = Executor(sandbox=sandbox, pages=Pages(Path({str(tmp_path)!r}))).execute("bash", {code!r})
print(run.error_message)
"""
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE) as host:
        while len(survivors(mark)) < 2:
            assert host.poll() is None
            host_process = psutil.Process(host.pid)
        (supervisor,) = [child for child in host_process.children() if child.ppid() == host.pid]
        daemons = [*survivors(mark), supervisor, *supervisor.children(recursive=True)]

        os.kill(host.pid if victim == "host" else supervisor.pid, signal.SIGKILL)

        _, alive = psutil.wait_procs(daemons, timeout=20)
        assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
        told, _ = host.communicate(timeout=60)
        assert (b"supervisor of a program was killed" in told) == (victim == "supervisor")


# Each carries a mark as an argument: other programs, of other tests, may run beside it.
FORK_BOMBS = {
    "bash": "exec bash -c 'bomb() {{ bomb | bomb & }}; bomb 2> /dev/null; sleep 600' {mark}",
    "python": """
import os, sys
bomb = "import os\\nwhile True:\\n    try: os.fork()\\n    except OSError: pass"
os.execv(sys.executable, [sys.executable, "-c", bomb, "{mark}"])
""",
}


@pytest.mark.every_run("level 1-python")
@pytest.mark.parametrize("language", sorted(FORK_BOMBS))
def test_a_fork_bomb_is_bounded_and_cleared_away(execute: Callable[..., Execution], language: str) -> None:
    mark = f"bomb-{os.getpid()}-{language}"
    with ThreadPoolExecutor(max_workers=1) as threads:
        running = threads.submit(execute, language, FORK_BOMBS[language].format(mark=mark), timeout=5)
        seen = 0
        while seen < 2 and not running.done():
            seen = len(survivors(mark))
        run = running.result()

    assert seen >= 2 or run.reason is Reason.TASKS_EXCEEDED, "no bomb went off"
    assert run.status in {Status.TIMEOUT, Status.ERROR}
    assert run.reason in {Reason.TIMED_OUT, Reason.TASKS_EXCEEDED, Reason.MEMORY_EXCEEDED, Reason.CPU_EXCEEDED}
    assert survivors(mark) == []


@pytest.mark.soak
def test_several_fork_bombs_at_once_leave_their_supervisors_a_turn(execute: Callable[..., Execution]) -> None:
    """Each supervisor tells in time what ended its bomb; one that gets no turn is given up by its host.

    Run apart: for as long as the bombs last, other tests beside this one get few turns, and can start no process.
    """
    marks = [f"bombs-{os.getpid()}-{number}" for number in range(3)]
    with ThreadPoolExecutor(len(marks)) as threads:
        runs = [threads.submit(execute, "python", FORK_BOMBS["python"].format(mark=one), timeout=20) for one in marks]

    assert {run.result().status for run in runs} <= {Status.ERROR, Status.TIMEOUT}, [run.result() for run in runs]
    # One that was given up is killed, and ends when the machine has a turn for it.
    left = [process for mark in marks for process in survivors(mark)]
    assert psutil.wait_procs(left, timeout=PATIENCE_SECONDS)[1] == []


def test_a_program_cannot_end_its_supervisor_or_guard(
    execute: Callable[..., Execution], layers: frozenset[Layer]
) -> None:
    # Inside, the parent is the first process, and the next one the program itself.
    others = "kill -INT 1; kill -STOP 1" if Layer.NAMESPACES in layers else "kill -9 $((PPID + 1))"
    run = execute("bash", f"kill -9 $PPID; kill -9 -1; {others}; echo alive")

    assert (run.status, run.stdout) == (Status.SUCCESS, "alive\n")
