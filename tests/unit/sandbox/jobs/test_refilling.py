"""What gets the next workers ready while the caller goes on."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

import pytest

from jupyter_mcpgen.sandbox.inside.confinement import Preparation
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.pool import Pool
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.jobs.refilling import Prepare, Refiller
from tests.unit.sandbox.jobs.workers import run

LONG = 30.0
"""Seconds after which what is waited for will not come."""


def prepared() -> Preparation:
    return Preparation(read=(), devices=(), landlock=False, seccomp=False, namespaces=False, identity=None)


@pytest.mark.skipif(
    ProcessBackend(layers=WITHOUT_NAMESPACES).missing() is not None,
    reason=str(ProcessBackend(layers=WITHOUT_NAMESPACES).missing()),
)
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


def test_an_error_nobody_foresaw_is_told_and_ends_no_later_refill(monkeypatch: pytest.MonkeyPatch) -> None:
    told: SimpleQueue[BaseException | None] = SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", lambda found: told.put(found.exc_value))
    served: SimpleQueue[Preparation] = SimpleQueue()
    refiller = Refiller(lambda prepare: served.put(prepare()))

    def fails() -> Preparation:
        raise MemoryError("no room")

    with _its_thread_ended():
        refiller.ask(fails)
        error = told.get(timeout=LONG)
    refiller.ask(prepared)

    assert repr(error) == "MemoryError('no room')"
    assert served.get(timeout=LONG) == prepared()
    refiller.end()


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


@contextmanager
def _its_thread_ended() -> Iterator[None]:
    """Leave once every thread that was started inside has ended."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(LONG)
