"""A worker that waited saves the start of a job and changes nothing else about it."""

from __future__ import annotations

import ast
import gc
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import JobNotBegun
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.jobs.channel import read_answers
from jupyter_mcpgen.sandbox.jobs.judging import judge
from jupyter_mcpgen.sandbox.jobs.launch import Caps, Ending, Order, Worker, fresh, run_worker
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.pool import LEAST_MEMORY_BYTES, LIBRARIES, Pool
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.selfcheck.jobs import check
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.toolkit import helpers_source

# At level 2 a job can name its supervisor; in a process namespace it has no parent.
SUPERVISOR = "import os\ndef tool(): return str(os.getppid())\n"

pytestmark = pytest.mark.skipif(
    ProcessBackend(layers=WITHOUT_NAMESPACES).missing() is not None,
    reason=str(ProcessBackend(layers=WITHOUT_NAMESPACES).missing()),
)


Children = Callable[[], set[int]]


@pytest.fixture(autouse=True)
def children() -> Children:
    """Return what tells the processes that a test started and that live; those of other tests' backends are not its."""
    gc.collect()  # forgotten backends close
    others = _living()
    return lambda: _living() - others


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    return folder


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    folder = tmp_path / "installed"
    folder.mkdir()
    return folder


@pytest.fixture
def light(installed: Path) -> Interpreter:
    """Return an interpreter with no packages but what a test installs: its spares start at once."""
    current = Interpreter.current()
    return replace(current, imports=(installed,), reads=(*current.reads, installed))


@pytest.fixture
def backend(light: Interpreter) -> Iterator[ProcessBackend]:
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES, interpreter=light)
    yield backend
    backend.close()


@pytest.fixture
def full() -> Iterator[ProcessBackend]:
    """Return a backend with the real libraries, warm."""
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES)
    backend.warm()
    yield backend
    backend.close()


def run(backend: ProcessBackend, package: Path, source: str, policy: Policy | None = None, **arguments: object) -> Run:
    (package / "tool.py").write_text(source, encoding="utf-8")
    return backend.run(Job(package, "tool", (Call(arguments),)), policy or Policy())


def server_of(backend: ProcessBackend, package: Path, policy: Policy | None = None) -> int:
    return int(run(backend, package, SUPERVISOR, policy).answers[0].text or "")


def run_in(worker: Worker, backend: ProcessBackend, package: Path, source: str, limits: Limits | None = None) -> Ending:
    (package / "tool.py").write_text(source, encoding="utf-8")
    policy = Policy(limits=limits or Limits())
    work = {"package": str(package), "function": "tool", "calls": [{}], "paths": []}
    caps = Caps(output=100_000, result=100_000, watch=lambda: None)
    return run_worker(worker, Order(backend.confinement(package, policy, package, None), work, caps))


def fresh_worker(backend: ProcessBackend, interpreter: Interpreter, *libraries: str) -> Worker:
    return fresh(interpreter, backend.preparation(None), libraries)


def forked(zygote: int | None) -> set[int]:
    """Return the workers there are, once those that have served are gone."""
    try:
        found = psutil.Process(zygote).children() if zygote is not None else []
    except psutil.NoSuchProcess:
        return set()  # it made room for another one
    psutil.wait_procs([child for child in found if not jobs_of(child)], timeout=5)
    return {child.pid for child in found if child.is_running()}


def jobs_of(supervisor: psutil.Process) -> list[psutil.Process]:
    try:
        return supervisor.children()
    except psutil.NoSuchProcess:
        return []


def waiting(backend: ProcessBackend, count: int = 2) -> set[int]:
    """Return the workers that wait, once there are so many."""
    for _ in range(200):
        found = forked(backend.zygote)
        if len(found) == count:
            return found
        time.sleep(0.05)
    raise AssertionError(f"there are {len(found)} workers where there should be {count}")


def _living() -> set[int]:
    return {child.pid for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE}


def test_nothing_waits_before_the_first_job(backend: ProcessBackend, package: Path, children: Children) -> None:
    before = children()

    server = server_of(backend, package)

    assert before == set()
    assert server not in waiting(backend)


def test_each_spare_serves_one_job_and_is_replaced(backend: ProcessBackend, package: Path) -> None:
    backend.warm()
    first_two = waiting(backend)

    servers = [server_of(backend, package) for _ in range(4)]

    assert set(servers[:2]) == first_two
    assert len(set(servers)) == 4
    assert len(waiting(backend)) == 2


def test_without_spares_nothing_ever_waits(light: Interpreter, package: Path, children: Children) -> None:
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES, interpreter=light, spares=0)
    backend.warm()

    run(backend, package, SUPERVISOR)

    assert children() == set()
    assert backend.facts()["start"] == "each job starts an interpreter of its own"


def test_a_job_that_poisons_a_library_poisons_only_itself(full: ProcessBackend, package: Path) -> None:
    source = """
import pandas as pd
def tool():
    found = str(pd.DataFrame({"a": [1]})["a"].sum())
    pd.DataFrame = None
    return found
"""

    assert [run(full, package, source).answers[0].text for _ in range(3)] == ["1", "1", "1"]


def test_a_spare_has_imported_all_that_a_tools_helpers_import(full: ProcessBackend, package: Path) -> None:
    nodes = list(ast.walk(ast.parse(helpers_source())))
    plain = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    members = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    source = "import sys\nloaded = set(sys.modules)\ndef tool(names): return str(sorted(set(names) - loaded))\n"

    record = run(full, package, source, names=sorted(plain | members | {"pyarrow.feather", "pydantic.fields"}))

    assert record.answers[0].text == "[]"


def test_the_libraries_start_no_thread_and_map_less_than_half_of_the_least_bound(full: ProcessBackend) -> None:
    waiting(full)
    assert full.zygote is not None
    zygote = psutil.Process(full.zygote)

    assert zygote.num_threads() == 1
    assert zygote.memory_info().vms < LEAST_MEMORY_BYTES / 2


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


def test_a_small_memory_bound_gets_a_fresh_worker(backend: ProcessBackend, package: Path) -> None:
    backend.warm()
    spares = waiting(backend)

    server = server_of(backend, package, Policy(limits=Limits(memory_mb=512)))

    assert server not in spares
    assert waiting(backend) == spares


@pytest.mark.parametrize("was_ready", [True, False])
def test_a_job_never_begins_in_a_worker_that_died(backend: ProcessBackend, package: Path, was_ready: bool) -> None:
    worker = fresh_worker(backend, Interpreter.current(), *LIBRARIES)
    assert not was_ready or worker.is_ready()
    worker.kill()

    with pytest.raises(JobNotBegun):
        run_in(worker, backend, package, SUPERVISOR)


def test_spares_that_died_are_replaced_and_the_job_runs(backend: ProcessBackend, package: Path) -> None:
    backend.warm()
    spares = waiting(backend)
    for spare in spares:
        os.kill(spare, signal.SIGKILL)

    record = run(backend, package, SUPERVISOR)

    assert record.outcome is Outcome.COMPLETED
    assert not waiting(backend) & spares


@pytest.mark.parametrize(
    ("library", "words"),
    [
        ("import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()", "thread"),
        ("raise RuntimeError('broken installation')", "broken installation"),
        ("import nowhere_to_be_found", "nowhere_to_be_found"),
    ],
)
def test_a_worker_whose_libraries_misbehave_takes_no_job(
    backend: ProcessBackend, light: Interpreter, installed: Path, package: Path, library: str, words: str
) -> None:
    (installed / "misbehaving.py").write_text(library, encoding="utf-8")

    with pytest.raises(JobNotBegun, match=words):
        run_in(fresh_worker(backend, light, "misbehaving"), backend, package, SUPERVISOR)


def test_libraries_that_break_every_spare_cost_three_starts_and_no_job(
    backend: ProcessBackend, installed: Path, package: Path, children: Children
) -> None:
    (installed / "pandas.py").write_text("raise RuntimeError('broken installation')", encoding="utf-8")
    backend.warm()

    records = [run(backend, package, SUPERVISOR) for _ in range(4)]

    assert {record.outcome for record in records} == {Outcome.COMPLETED}
    assert children() == set()


def test_a_spare_from_before_an_installation_is_not_used(
    backend: ProcessBackend, installed: Path, package: Path
) -> None:
    backend.warm()
    before = waiting(backend)
    (installed / "upgraded.py").write_text("", encoding="utf-8")
    os.utime(installed, ns=(1, 1))  # two changes within one tick of the clock would look like none

    server = server_of(backend, package)

    assert server not in before
    assert not waiting(backend) & before
    server_of(backend, package)
    assert [child for child in psutil.Process().children() if child.status() == psutil.STATUS_ZOMBIE] == []


def test_random_numbers_are_the_jobs_own_whatever_a_library_seeded(
    backend: ProcessBackend, installed: Path, package: Path
) -> None:
    (installed / "seeding.py").write_text(
        "import random, numpy\nrandom.seed(1)\nnumpy.random.seed(1)\n", encoding="utf-8"
    )
    source = "import random, numpy\ndef tool(): return f'{random.random()} {numpy.random.rand()}'"
    seeding = replace(Interpreter.current(), imports=(installed, *Interpreter.current().imports))

    drawn = [run_in(fresh_worker(backend, seeding, "seeding"), backend, package, source) for _ in range(2)]

    texts = [(read_answers(ending.result, 1).answers[0].text or "").split() for ending in drawn]
    assert [len(text) for text in texts] == [2, 2]
    assert len({*texts[0], *texts[1]}) == 4


def test_limits_and_usage_count_from_the_receipt_of_the_job(
    backend: ProcessBackend, light: Interpreter, installed: Path, package: Path
) -> None:
    (installed / "greedy.py").write_text(
        "import os, time\nballast = os.urandom(64 * 2**20)\nwhile time.process_time() < 2: pass\n", encoding="utf-8"
    )
    limits = Limits(cpu_seconds=1, wall_seconds=1)

    ending = run_in(fresh_worker(backend, light, "greedy"), backend, package, "def tool(): return ''", limits)

    assert judge(ending, read_answers(ending.result, 1), limits) == (Outcome.COMPLETED, None)
    assert ending.cpu_seconds < 1
    assert ending.peak_memory_bytes > 64 * 2**20 > ending.peak_memory_bytes - ending.inherited_memory_bytes


def test_a_job_in_a_spare_cannot_use_more_processor_time_than_its_bound(
    backend: ProcessBackend, light: Interpreter, package: Path
) -> None:
    limits = Limits(cpu_seconds=1)

    ending = run_in(
        fresh_worker(backend, light, *LIBRARIES), backend, package, "def tool():\n    while True: pass", limits
    )

    assert judge(ending, read_answers(ending.result, 1), limits)[0] is Outcome.CPU_EXCEEDED
    assert ending.cpu_seconds < 3


def test_two_hundred_jobs_leave_no_descriptor_and_no_process(backend: ProcessBackend, package: Path) -> None:
    before, others = sorted(os.listdir("/proc/self/fd")), set(psutil.Process().children())
    backend.warm()

    servers = {server_of(backend, package) for _ in range(200)}
    backend.close()

    assert len(servers) == 200
    assert sorted(os.listdir("/proc/self/fd")) == before
    assert set(psutil.Process().children()) - others == set()


def test_more_jobs_at_once_than_waiting_workers_fork_more(backend: ProcessBackend, package: Path) -> None:
    (package / "tool.py").write_text(SUPERVISOR, encoding="utf-8")
    backend.warm()

    with ThreadPoolExecutor(6) as pool:
        jobs = [pool.submit(backend.run, Job(package, "tool", (Call({}),)), Policy()) for _ in range(12)]

    assert len({job.result().answers[0].text for job in jobs}) == 12
    assert len(waiting(backend)) == 2


def test_after_close_jobs_run_and_nothing_waits_until_it_is_warm_again(
    backend: ProcessBackend, package: Path, children: Children
) -> None:
    backend.warm()
    backend.close()

    record = run(backend, package, SUPERVISOR)
    after_the_job = children()
    backend.warm()

    assert record.outcome is Outcome.COMPLETED
    assert (after_the_job, len(waiting(backend))) == (set(), 2)


def test_a_backend_that_is_forgotten_takes_its_spares_along(light: Interpreter, children: Children) -> None:
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES, interpreter=light)
    backend.warm()
    spares = [psutil.Process(pid) for pid in waiting(backend)]

    del backend

    assert psutil.wait_procs(spares, timeout=20)[1] == []
    assert children() == set()


def test_the_sandbox_warms_and_closes_its_backend(backend: ProcessBackend, children: Children) -> None:
    sandbox = Sandbox(Level.LANDLOCK, backend)
    sandbox.warm()
    warm = len(waiting(backend))
    sandbox.close()

    assert (warm, children()) == (2, set())


def test_the_self_check_attacks_spares_as_real_jobs_use_them(backend: ProcessBackend) -> None:
    backend.warm()
    spares = waiting(backend)

    results = check(backend)

    assert [result.name for result in results if not result.as_promised] == []
    assert not waiting(backend) & spares


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


def test_closing_lets_a_job_that_runs_come_to_its_end(backend: ProcessBackend, package: Path) -> None:
    (package / "tool.py").write_text("import time\ndef tool(): time.sleep(1); return 'done'", encoding="utf-8")
    backend.warm()
    waiting(backend)

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(backend.run, Job(package, "tool", (Call({}),)), Policy())
        time.sleep(0.3)
        backend.close()

    assert running.result().answers[0].text == "done"
    backend.close()


HAS_STATISTICS = "import sys\ndef tool(): return str('statistics_of_ours' in sys.modules)\n"


def text_of(worker: Worker | None, backend: ProcessBackend, package: Path, source: str) -> str | None:
    assert worker is not None
    with worker:
        return read_answers(run_in(worker, backend, package, source).result, 1).answers[0].text


def test_what_only_some_tools_need_is_imported_while_nobody_asks(
    backend: ProcessBackend, light: Interpreter, installed: Path, package: Path
) -> None:
    (installed / "statistics_of_ours.py").write_text("", encoding="utf-8")
    pool = Pool(light, 1, (), later=("statistics_of_ours", "not_installed"))
    pool.warm(lambda: backend.preparation(None))
    waits = pool.take(backend.preparation(None), LEAST_MEMORY_BYTES)  # forked before there was any quiet
    pool.refill(lambda: backend.preparation(None))

    for _ in range(50):
        time.sleep(0.7)  # quiet
        worker = pool.take(backend.preparation(None), LEAST_MEMORY_BYTES, frozenset({"statistics_of_ours"}))
        if (found := text_of(worker, backend, package, HAS_STATISTICS)) == "True":
            break

    assert found == "True"
    assert text_of(waits, backend, package, HAS_STATISTICS) == "False"
    pool.close()


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
    time.sleep(1)  # quiet, with a worker that waits

    served = text_of(pool.take(backend.preparation(None), LEAST_MEMORY_BYTES), backend, package, HAS_STATISTICS)
    for _ in range(200):
        if pool.zygote is None:  # not by waiting for the process, which would take its exit code from the pool
            break
        time.sleep(0.1)
    pool.refill(lambda: backend.preparation(None))

    assert (served, pool.zygote != first) == ("False", True)
    assert '"later": []' in " ".join(psutil.Process(pool.zygote).cmdline())
    pool.close()
