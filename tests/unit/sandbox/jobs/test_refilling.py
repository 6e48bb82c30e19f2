"""What gets the next workers ready while the caller goes on."""

from __future__ import annotations

import os
import threading
import weakref
from pathlib import Path
from queue import SimpleQueue

import pytest

from jupyter_mcpgen.sandbox.inside.confinement import Preparation
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.pool import Pool
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.jobs.refilling import Prepare, Refiller
from tests.levels import needs
from tests.unit.sandbox.jobs.workers import run

LONG = 30.0
"""Seconds after which what is waited for will not come."""


def prepared() -> Preparation:
    return Preparation(read=(), devices=(), landlock=False, seccomp=False, namespaces=False, identity=None)


@needs(ProcessBackend(layers=WITHOUT_NAMESPACES).missing())
def test_an_answer_does_not_wait_for_the_workers_of_the_next_jobs(
    light: Interpreter, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_go_on = threading.Event(), threading.Event()

    def refill(_: Pool, __: Prepare) -> None:
        begun.set()
        may_go_on.wait(LONG)

    monkeypatch.setattr(Pool, "refill", refill)
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES, interpreter=light)

    answered = run(backend, package, "def tool(): return 'here'")

    assert answered.answers[0].text == "here"
    assert begun.wait(LONG)
    may_go_on.set()
    backend.close()


def test_an_error_nobody_foresaw_is_told_and_loses_no_request_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told: SimpleQueue[BaseException | None] = SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", lambda found: told.put(found.exc_value))
    served: SimpleQueue[Preparation] = SimpleQueue()
    refiller = Refiller(lambda prepare: served.put(prepare()))
    is_failing, may_fail = threading.Event(), threading.Event()

    def fails() -> Preparation:
        is_failing.set()
        may_fail.wait(LONG)
        raise MemoryError("no room")

    refiller.ask(fails)
    assert is_failing.wait(LONG)
    refiller.ask(prepared)
    may_fail.set()

    assert repr(told.get(timeout=LONG)) == "MemoryError('no room')"
    assert served.get(timeout=LONG) == prepared()
    refiller.end()


def test_where_no_thread_can_be_started_nobody_who_asks_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    served: SimpleQueue[Preparation] = SimpleQueue()
    refiller = Refiller(lambda prepare: served.put(prepare()))

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        refiller.ask(prepared)
    refiller.ask(prepared)

    assert served.get(timeout=LONG) == prepared()
    assert served.empty()
    refiller.end()


@pytest.mark.parametrize(("count", "is_closed"), [(1, True), (0, False)])
def test_a_pool_that_is_closed_or_keeps_no_worker_starts_no_thread(
    light: Interpreter, count: int, is_closed: bool
) -> None:
    pool = Pool(light, count)
    if is_closed:
        pool.close()
    before = refilling()

    pool.refill_soon(prepared)

    assert refilling() == before


def test_an_open_pool_starts_one(light: Interpreter) -> None:
    before = refilling()
    pool = Pool(light, 1)

    pool.refill_soon(prepared)

    assert len(refilling() - before) == 1
    pool.close()


def test_a_pool_that_is_forgotten_ends_its_thread_without_being_closed(
    light: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: SimpleQueue[Preparation] = SimpleQueue()
    monkeypatch.setattr(Pool, "refill", lambda _, prepare: served.put(prepare()))
    before = refilling()
    pool = Pool(light, 1)
    pool.refill_soon(prepared)
    served.get(timeout=LONG)
    (thread,) = refilling() - before

    del pool

    thread.join(LONG)
    assert not thread.is_alive()


def test_a_process_that_was_forked_refills_with_a_thread_of_its_own() -> None:
    served: SimpleQueue[Preparation] = SimpleQueue()
    refiller = Refiller(lambda prepare: served.put(prepare()))
    refiller.ask(prepared)
    served.get(timeout=LONG)  # the thread is there

    child = os.fork()
    if child == 0:
        try:
            refiller.ask(prepared)
            served.get(timeout=LONG)
            os._exit(0)
        finally:
            os._exit(1)

    assert os.waitpid(child, 0)[1] == 0
    refiller.end()


def test_nothing_of_a_caller_is_kept_while_the_thread_waits() -> None:
    served: SimpleQueue[Preparation] = SimpleQueue()
    refiller = Refiller(lambda prepare: served.put(prepare()))

    class Caller:
        def prepare(self) -> Preparation:
            return prepared()

    caller = Caller()
    forgotten = threading.Event()
    weakref.finalize(caller, forgotten.set)
    refiller.ask(caller.prepare)
    served.get(timeout=LONG)
    del caller

    assert forgotten.wait(LONG)
    refiller.end()


def refilling() -> set[threading.Thread]:
    """Return the threads of this process that refill a pool, or wait to."""
    return {thread for thread in threading.enumerate() if thread.name == "refill"}
