"""What forks the waiting workers: its hash seed, what it imports later, and how it ends."""

from __future__ import annotations

import select
from pathlib import Path
from threading import Thread

import psutil
import pytest

from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.pool import LEAST_MEMORY_BYTES, Pool
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Policy
from tests.unit.sandbox.jobs.workers import (
    PATIENCE_SECONDS,
    command_of,
    job_begun,
    of_waiting_workers,
    run,
    text_of,
    until,
    waiting,
)

pytestmark = of_waiting_workers


def test_jobs_share_the_hash_seed_of_the_zygote_unless_they_ask_for_another(
    backend: ProcessBackend, package: Path
) -> None:
    source = "def tool(): return str(hash('a word'))"
    backend.warm()
    waiting(backend)

    shared = {run(backend, package, source).answers[0].text for _ in range(2)}
    other = {run(backend, package, source, Policy(other_seed=True)).answers[0].text for _ in range(3)}

    assert len(shared) == 1
    assert other
    assert not other & shared


@pytest.mark.soak
def test_the_zygote_with_another_seed_is_started_by_its_first_job_and_serves_the_next(
    backend: ProcessBackend, package: Path
) -> None:
    backend.warm()
    parent = "import os\ndef tool(): return str(os.getppid())\n"

    before = len(psutil.Process().children())
    first, second, third = (
        int(run(backend, package, parent, Policy(other_seed=True)).answers[0].text or "") for _ in "123"
    )

    assert len(psutil.Process().children()) == before + 1
    assert len({first, second, third}) == 3  # a supervisor each
    backend.close()
    assert not any(psutil.pid_exists(pid) for pid in (first, second, third))


@pytest.mark.soak
def test_a_zygote_that_nobody_asks_ends_and_is_started_again_when_it_is_wanted(
    backend: ProcessBackend, light: Interpreter
) -> None:
    pool = Pool(light, 1, idle_seconds=0.3)
    pool.warm(lambda: backend.preparation(None))
    first = pool.zygote
    assert first is not None
    psutil.wait_procs([psutil.Process(first)], timeout=20)

    worker = pool.take(backend.preparation(None), LEAST_MEMORY_BYTES)

    assert worker is not None
    assert worker.was_forked
    worker.close()
    pool.close()


def test_closing_lets_a_job_that_runs_come_to_its_end(backend: ProcessBackend, package: Path, scratch: Path) -> None:
    backend.warm()
    waiting(backend)

    with job_begun(backend, package, scratch) as running:
        closing = Thread(target=backend.close)
        closing.start()
        until(lambda: backend.zygote is None, "its closing")
    closing.join()

    assert running.result().answers[0].text == "done"


@pytest.mark.soak
def test_a_zygote_that_was_not_heard_any_more_lets_its_job_come_to_its_end(
    backend: ProcessBackend, package: Path, scratch: Path
) -> None:
    backend.warm()
    waiting(backend)

    with job_begun(backend, package, scratch) as running:
        assert backend._pool._zygote is not None
        said = backend._pool._zygote.server._requests  # that it has imported the rest; nobody reads it
        assert select.select([said], [], [], PATIENCE_SECONDS)[0]
        closing = Thread(target=backend.close)
        closing.start()
        until(lambda: backend.zygote is None, "its closing")
    closing.join()

    assert running.result().answers[0].text == "done"


HAS_STATISTICS = "import sys\ndef tool(): return str('statistics_of_ours' in sys.modules)\n"


@pytest.mark.soak
def test_what_only_some_tools_need_is_imported_while_nobody_asks(
    backend: ProcessBackend, light: Interpreter, installed: Path, package: Path
) -> None:
    (installed / "statistics_of_ours.py").write_text("", encoding="utf-8")
    pool = Pool(light, 1, (), later=("statistics_of_ours", "not_installed"))
    pool.warm(lambda: backend.preparation(None))
    waits = pool.take(backend.preparation(None), LEAST_MEMORY_BYTES)  # forked before there was any quiet
    pool.refill(lambda: backend.preparation(None))

    until(lambda: pool.has_all, "the quiet that it waits for")
    worker = pool.take(backend.preparation(None), LEAST_MEMORY_BYTES, frozenset({"statistics_of_ours"}))

    assert text_of(worker, backend, package, HAS_STATISTICS) == "True"
    assert text_of(waits, backend, package, HAS_STATISTICS) == "False"
    pool.close()


@pytest.mark.soak
@pytest.mark.parametrize(
    "library",
    [
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        "raise RuntimeError('broken installation')",
    ],
)
def test_a_later_library_that_misbehaves_is_left_out_and_costs_no_job(
    backend: ProcessBackend, light: Interpreter, installed: Path, package: Path, library: str
) -> None:
    (installed / "statistics_of_ours.py").write_text(library, encoding="utf-8")
    pool = Pool(light, 1, (), later=("statistics_of_ours",))
    pool.warm(lambda: backend.preparation(None))
    first = pool.zygote
    until(lambda: not psutil.Process(first).net_connections("unix"), "its quiet end, with a worker that waits")

    served = text_of(pool.take(backend.preparation(None), LEAST_MEMORY_BYTES), backend, package, HAS_STATISTICS)
    # not by waiting for the process, which would take its exit code from the pool
    until(lambda: pool.zygote is None, "its end")
    pool.refill(lambda: backend.preparation(None))

    assert (served, pool.zygote != first) == ("False", True)
    assert '"later": []' in command_of(pool.zygote)
    pool.close()
