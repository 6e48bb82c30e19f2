"""A worker that waited saves the start of a job and changes nothing else about it."""

from __future__ import annotations

import ast
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import JobNotBegun
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome
from jupyter_mcpgen.sandbox.jobs.channel import read_answers
from jupyter_mcpgen.sandbox.jobs.judging import judge
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.pool import LEAST_MEMORY_BYTES, LIBRARIES
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.selfcheck.jobs import check
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.toolkit import helpers_source
from tests.unit.sandbox.jobs.workers import (
    SUPERVISOR,
    Children,
    fresh_worker,
    is_gone,
    of_waiting_workers,
    run,
    run_in,
    server_of,
    waiting,
)

pytestmark = of_waiting_workers


@pytest.mark.soak
def test_nothing_waits_before_the_first_job(backend: ProcessBackend, package: Path, children: Children) -> None:
    before = children()

    server = server_of(backend, package)

    assert before == set()
    assert server not in waiting(backend)


@pytest.mark.soak
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


@pytest.mark.soak
def test_a_job_that_poisons_a_library_poisons_only_itself(full: ProcessBackend, package: Path) -> None:
    source = """
import pandas as pd
def tool():
    found = str(pd.DataFrame({"a": [1]})["a"].sum())
    pd.DataFrame = None
    return found
"""

    assert [run(full, package, source).answers[0].text for _ in range(3)] == ["1", "1", "1"]


@pytest.mark.soak
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


def test_a_small_memory_bound_gets_a_fresh_worker(backend: ProcessBackend, package: Path) -> None:
    backend.warm()
    spares = waiting(backend)

    server = server_of(backend, package, Policy(limits=Limits(memory_mb=512)))

    assert server not in spares
    assert waiting(backend) == spares


@pytest.mark.soak
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


@pytest.mark.soak
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


@pytest.mark.soak
def test_libraries_that_break_every_spare_cost_three_starts_and_no_job(
    backend: ProcessBackend, installed: Path, package: Path, children: Children
) -> None:
    (installed / "pandas.py").write_text("raise RuntimeError('broken installation')", encoding="utf-8")
    backend.warm()

    records = [run(backend, package, SUPERVISOR) for _ in range(4)]

    assert {record.outcome for record in records} == {Outcome.COMPLETED}
    assert children() == set()


@pytest.mark.soak
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


def test_a_zygote_that_ended_is_buried_though_nothing_else_is_asked_for(backend: ProcessBackend) -> None:
    backend.warm()
    waiting(backend)
    assert backend.zygote is not None
    zygote = psutil.Process(backend.zygote)

    zygote.kill()

    assert is_gone(zygote)


@pytest.mark.soak
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


@pytest.mark.soak
def test_limits_and_usage_count_from_the_receipt_of_the_job(
    backend: ProcessBackend, light: Interpreter, installed: Path, package: Path
) -> None:
    (installed / "greedy.py").write_text(
        "import os, time\nballast = os.urandom(64 * 2**20)\nwhile time.process_time() < 1.3: pass\n", encoding="utf-8"
    )
    limits = Limits(cpu_seconds=1, wall_seconds=1)

    ending = run_in(fresh_worker(backend, light, "greedy"), backend, package, "def tool(): return ''", limits)

    assert judge(ending, read_answers(ending.result, 1), limits) == (Outcome.COMPLETED, None)
    assert ending.cpu_seconds < 1
    assert ending.peak_memory_bytes > 64 * 2**20 > ending.peak_memory_bytes - ending.inherited_memory_bytes


@pytest.mark.soak
def test_a_job_in_a_spare_cannot_use_more_processor_time_than_its_bound(
    backend: ProcessBackend, light: Interpreter, package: Path
) -> None:
    limits = Limits(cpu_seconds=1)

    ending = run_in(
        fresh_worker(backend, light, *LIBRARIES), backend, package, "def tool():\n    while True: pass", limits
    )

    assert judge(ending, read_answers(ending.result, 1), limits)[0] is Outcome.CPU_EXCEEDED
    assert ending.cpu_seconds < 3


@pytest.mark.soak
def test_fifty_jobs_leave_no_descriptor_and_no_process(backend: ProcessBackend, package: Path) -> None:
    before, others = sorted(os.listdir("/proc/self/fd")), set(psutil.Process().children())
    backend.warm()

    servers = {server_of(backend, package) for _ in range(50)}
    backend.close()

    assert len(servers) == 50
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


@pytest.mark.soak
def test_the_self_check_attacks_spares_as_real_jobs_use_them(backend: ProcessBackend) -> None:
    backend.warm()
    spares = waiting(backend)

    results = check(backend)

    assert [result.name for result in results if not result.as_promised] == []
    assert not waiting(backend) & spares
