"""Many jobs and many callers leave nothing behind."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.job import Call, Job, Outcome
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Policy
from tests.levels import needs

ROOT = Path(__file__).resolve().parents[2]
JOBS = 10_000
MEGABYTE = 1024 * 1024

pytestmark = [needs(ProcessBackend().missing()), pytest.mark.alone]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "tool.py").write_text(
        "import os\ndef tool(n):\n    open('left', 'w').write('x')\n    return f'{n} {len(os.listdir())}'\n",
        encoding="utf-8",
    )
    return tmp_path


def settled(zygote: int) -> int:
    """Return how many descendants there are once no job is dying any more."""
    for _ in range(100):
        found = psutil.Process(zygote).children(recursive=True)
        if len(found) <= 4:
            break
        time.sleep(0.1)
    return len(found)


def grown(backend: ProcessBackend) -> psutil.Process:
    """Return the zygote once it has imported all that it imports in quiet time, so that its memory is its own."""
    for _ in range(600):
        if backend.has_all:
            break
        time.sleep(0.1)
    assert backend.has_all
    assert backend.zygote is not None
    return psutil.Process(backend.zygote)


def run_many(backend: ProcessBackend, package: Path, count: int, callers: int) -> None:
    with ThreadPoolExecutor(callers) as pool:
        jobs = pool.map(
            lambda n: backend.run(Job(package, "tool", (Call({"n": n}),)), Policy()),
            range(count),
        )
        for n, run in enumerate(jobs):
            assert (run.outcome, run.answers[0].text) == (Outcome.COMPLETED, f"{n} 1")


def zombies(host: psutil.Process) -> set[int]:
    """Return the children that have ended and that nobody waited for."""
    return {child.pid for child in host.children() if child.status() == psutil.STATUS_ZOMBIE}


def leaves_nothing(backend: ProcessBackend, package: Path, count: int, callers: int) -> None:
    backend.warm()
    run_many(backend, package, 20, callers)
    gc.collect()
    zygote, host = grown(backend), psutil.Process()
    settled(zygote.pid)
    before = (len(os.listdir("/proc/self/fd")), zygote.num_fds(), len(os.listdir(tempfile.gettempdir())))
    memory = (host.memory_info().rss, zygote.memory_info().rss)
    others = {child.pid for child in host.children()} - {zygote.pid}  # of other tests, which may end meanwhile

    run_many(backend, package, count, callers)

    gc.collect()
    assert settled(zygote.pid) <= 4
    after = (len(os.listdir("/proc/self/fd")), zygote.num_fds(), len(os.listdir(tempfile.gettempdir())))
    assert (zygote.is_running(), after[:2]) == (True, before[:2])
    assert after[2] <= before[2] + 20  # others use that folder too
    assert host.memory_info().rss < memory[0] + 64 * MEGABYTE
    assert zygote.memory_info().rss < memory[1] + 16 * MEGABYTE
    assert zombies(host) - others == set()


@pytest.mark.soak
def test_eighty_jobs_of_eight_callers_leave_nothing_behind(package: Path) -> None:
    backend = ProcessBackend()
    leaves_nothing(backend, package, 80, 8)
    backend.close()


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_ten_thousand_jobs_leave_nothing_behind(package: Path) -> None:
    backend = ProcessBackend()
    leaves_nothing(backend, package, JOBS, 4)
    backend.close()


def test_several_processes_use_sandboxes_side_by_side(package: Path) -> None:
    script = """
import sys
from pathlib import Path
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.policy import Policy
from tests.levels import needs
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from tests.levels import needs
backend = ProcessBackend()
backend.warm()
for n in range(10):
    assert backend.run(Job(Path(sys.argv[1]), "tool", (Call({"n": n}),)), Policy()).answers[0].text == f"{n} 1"
"""
    hosts = [
        subprocess.Popen([sys.executable, "-c", script, str(package)], cwd=ROOT, stderr=subprocess.PIPE)
        for _ in range(3)
    ]

    errors = [host.communicate(timeout=120)[1] for host in hosts]

    assert [(host.returncode, error) for host, error in zip(hosts, errors, strict=True)] == [(0, b"")] * 3
