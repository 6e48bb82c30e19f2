"""A session that is idle, destroyed or closed leaves no file and no process, and gives its memory back."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import SessionError, UnknownSession
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.free_memory import whole_memory_mb
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.programs.languages import Language, Toolchain, find_toolchain
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.scratch import wipe
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.unit.sandbox.sessions.owner import Clock, Mine, needs_programs

pytestmark = needs_programs


def test_an_idle_session_is_destroyed_with_its_files(sessions: Sessions, clock: Clock, scratch: Path) -> None:
    old = Mine(sessions)
    old.out("x = 1")
    clock.now = 3000
    young = Mine(sessions)
    clock.now = 3700

    assert sessions.expire() == (old.id,)
    assert [info.session_id for info in sessions.list("me")] == [young.id]
    assert len(list(scratch.iterdir())) == 1
    with pytest.raises(UnknownSession):
        old.out("x")


def test_whoever_asks_for_something_else_does_not_wait_for_the_files_of_an_idle_session(
    sessions: Sessions, clock: Clock, monkeypatch: pytest.MonkeyPatch, scratch: Path
) -> None:
    old = Mine(sessions)
    old.write("large", b"x")
    begun, may_end = threading.Event(), threading.Event()

    def slowly(folder: Path) -> None:
        begun.set()
        assert may_end.wait(30)
        wipe(folder)

    monkeypatch.setattr("jupyter_mcpgen.sandbox.scratch.wipe", slowly)
    clock.now = 3700

    assert sessions.list("me") == ()
    assert begun.wait(30)
    with pytest.raises(UnknownSession):
        old.read("large")
    may_end.set()
    sessions.close()
    assert list(scratch.iterdir()) == []


def test_all_sessions_together_are_given_only_so_much_memory(tmp_path: Path) -> None:
    some = Sessions(Executor(pages=Pages(tmp_path)), most_memory_mb=1000)
    large = ExecutionLimits(memory_mb=600)
    first = some.create("me", limits=large)

    with pytest.raises(SessionError, match=r"600 MB was not made: .* may hold 1000 MB, and 600 MB are in use"):
        some.create("you", limits=large)

    some.create("you", limits=ExecutionLimits(memory_mb=400))
    some.destroy("me", first.session_id)
    some.create("you", limits=large)
    some.close()


def test_half_of_the_machines_memory_is_the_most_without_a_setting(tmp_path: Path) -> None:
    whole = whole_memory_mb()
    assert whole is not None
    some = Sessions(Executor(pages=Pages(tmp_path)))

    with pytest.raises(SessionError, match=f"may hold {whole // 2} MB, and 0 MB are in use"):
        some.create("me", limits=ExecutionLimits(memory_mb=whole // 2 + 1))


def test_use_keeps_a_session_from_being_idle(sessions: Sessions, clock: Clock, python: Mine) -> None:
    for clock.now in (3000, 6000, 9000):
        python.files()

    assert sessions.expire() == ()


def test_destroying_leaves_no_file_and_no_process(sessions: Sessions, python: Mine, scratch: Path) -> None:
    before = children()  # other tests' backends end when they are forgotten
    python.out("x = 1")
    assert children() - before

    sessions.destroy("me", python.id)

    assert list(scratch.iterdir()) == []
    assert children() - before == set()
    with pytest.raises(UnknownSession):
        sessions.destroy("me", python.id)


def children() -> set[int]:
    """Return the children of this process, those included that have ended and were not waited for."""
    return {child.pid for child in psutil.Process().children()}


def test_a_busy_session_can_be_destroyed_by_another_thread(sessions: Sessions, python: Mine, scratch: Path) -> None:
    python.out("x = 1")
    finished: list[Status] = []
    code = "open('begun', 'w').close()\nimport time; time.sleep(600)"
    thread = threading.Thread(
        target=lambda: finished.append(sessions.execute("me", python.id, code, timeout=60).status)
    )
    thread.start()
    while not list(scratch.glob("*/begun")):
        thread.join(0.05)

    sessions.destroy("me", python.id)

    thread.join(30)
    assert finished == [Status.ERROR]
    assert list(scratch.iterdir()) == []


def test_a_session_whose_making_was_cancelled_is_none(tmp_path: Path) -> None:
    def long_awaited(language: Language, cancellation: Cancellation) -> Toolchain:
        cancellation.cancel()
        return find_toolchain(language)

    some = Sessions(Executor(pages=Pages(tmp_path), toolchain=long_awaited))

    with pytest.raises(SessionError, match="cancelled before the session was made"):
        some.create("me", cancellation=Cancellation())
    assert some.list("me") == ()


def test_closing_ends_everything(tmp_path: Path, scratch: Path) -> None:
    executor = Executor(sandbox=ProgramSandbox(scratch_root=scratch), pages=Pages(tmp_path / "output"))
    descriptors = sorted(os.listdir("/proc/self/fd"))
    sessions = Sessions(executor)
    for owner in ("me", "you"):
        sessions.execute(owner, sessions.create(owner).session_id, "x = 1")

    sessions.close()

    assert list(scratch.iterdir()) == []
    assert sorted(os.listdir("/proc/self/fd")) == descriptors
