"""What waits for jobs dies with its host, however it dies, and a fork of the host leaves it alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Policy
from tests.levels import LEVELS, needs, require

ROOT = Path(__file__).resolve().parents[2]
WARM = """
import os, sys
from pathlib import Path
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.policy import Policy
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
backend = ProcessBackend()
backend.warm()
"""
WAITING = 5
WAIT = "print('waiting', flush=True)\nsys.stdin.read()\n"

pytestmark = needs(ProcessBackend().missing())


def host(script: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", WARM + script, *arguments], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def spares_of(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the zygote, and the two workers and their jobs that wait, once they do."""
    assert process.stdout is not None
    assert process.stdout.readline() == b"waiting\n"
    for _ in range(400):
        zygotes = [child for child in psutil.Process(process.pid).children() if "libraries" in "".join(child.cmdline())]
        found = [*zygotes, *(spare for zygote in zygotes for spare in zygote.children(recursive=True))]
        if len(found) == WAITING:
            return found
        time.sleep(0.05)
    raise AssertionError(f"there are {len(found)} processes where there should be {WAITING}")


def gone(processes: list[psutil.Process]) -> bool:
    return psutil.wait_procs(processes, timeout=20)[1] == []


def test_spares_die_with_a_killed_host() -> None:
    with host(WAIT) as process:
        spares = spares_of(process)

        process.kill()

        assert len(spares) == WAITING
        assert gone(spares)


@pytest.mark.soak
def test_spares_die_with_a_killed_host_although_a_fork_of_it_holds_their_pipes() -> None:
    with host("import signal\nif os.fork() == 0: signal.pause()\n" + WAIT) as process:
        spares = spares_of(process)
        (fork,) = [child for child in psutil.Process(process.pid).children() if child not in spares]

        process.kill()

        assert len(spares) == WAITING
        assert gone(spares)
        assert fork.is_running()
        os.kill(fork.pid, signal.SIGKILL)


@pytest.mark.soak
def test_spares_die_with_a_host_that_ends_without_closing_them() -> None:
    with host(WAIT) as process:
        spares = spares_of(process)

        process.communicate(timeout=60)

        assert process.returncode == 0
        assert gone(spares)


def test_a_spare_outlives_the_thread_that_started_it() -> None:
    in_a_thread = """
import threading
backend.close()
thread = threading.Thread(target=backend.warm)
thread.start()
thread.join()
"""
    with host(in_a_thread + WAIT) as process:
        spares = spares_of(process)

        ended, _ = psutil.wait_procs(spares, timeout=0.2)

        assert (len(spares), ended) == (WAITING, [])
        process.communicate(timeout=60)


def test_a_fork_of_the_host_runs_jobs_and_leaves_the_spares_to_its_parent(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("import os\ndef tool(): return str(os.getppid())\n", encoding="utf-8")
    forking = """
import psutil
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
backend.close()
backend = ProcessBackend(layers=WITHOUT_NAMESPACES)
backend.warm()
def server():
    return int(backend.run(Job(Path(sys.argv[1]), "tool", (Call({}),)), Policy()).answers[0].text)
zygote = psutil.Process(backend.zygote)
while len(zygote.children()) < 2:
    pass
spares = {child.pid for child in zygote.children()}
child = os.fork()
if child == 0:
    fresh = server() not in spares
    backend.close()
    print("the fork ran a job of its own:", fresh, len(psutil.Process().children()), flush=True)
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
print("the parent has its spares:", {server(), server()} == spares, flush=True)
"""
    with host(forking, str(tmp_path)) as process:
        output, _ = process.communicate(timeout=120)

    assert output.decode().splitlines() == [
        "the fork ran a job of its own: True 0",
        "the parent has its spares: True",
    ]


FOUND = """
import os, resource, sys
def opened(number):
    try: return bool(os.fstat(number))
    except OSError: return False
def tool():
    limits = "AS", "CPU", "FSIZE", "NOFILE", "CORE"
    bounds = [resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in limits]
    environment = dict(os.environ, HOME="", TMPDIR="")
    imports = " " in sys.modules, sys.path[0] == os.path.dirname(__file__)
    return repr((bounds, list(filter(opened, range(64))), environment, os.listdir("."), imports))
"""


@pytest.mark.parametrize("layers", LEVELS.values(), ids=LEVELS)
def test_a_job_finds_in_a_worker_that_waited_long_what_it_finds_in_a_fresh_one(
    tmp_path: Path, layers: frozenset[Layer]
) -> None:
    require(ProcessBackend(layers=layers).missing(), layers)
    (tmp_path / "tool.py").write_text(FOUND, encoding="utf-8")
    job = Job(tmp_path, "tool", (Call({}),))
    waited, fresh = ProcessBackend(layers=layers), ProcessBackend(layers=layers, spares=0)
    waited.warm()
    waited.run(job, Policy())
    time.sleep(1)  # in which the next worker gets ready, and has played its job

    found, expected = waited.run(job, Policy()), fresh.run(job, Policy())
    waited.close()

    assert expected.answers[0].text is not None
    assert found.answers[0].text == expected.answers[0].text
