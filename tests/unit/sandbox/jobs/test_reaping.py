"""A child that ends when it will leaves no zombie, whoever else asks for it."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Collection
from errno import EMFILE

import psutil
import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.forkserver import ForkServer
from jupyter_mcpgen.sandbox.jobs.reaping import reap_at_its_end


def wait_for_gravediggers(others: Collection[threading.Thread]) -> None:
    """Wait for the threads that a test had begun; those of other tests wait for processes that live on."""
    for thread in threading.enumerate():
        if thread.name == "mcpgen-reap" and thread not in others:
            thread.join(30)


def test_a_child_that_ends_later_is_buried() -> None:
    others = threading.enumerate()
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    assert child.stdin is not None
    process = psutil.Process(child.pid)

    reap_at_its_end(child)
    assert child.poll() is None  # whoever asks meanwhile is answered
    child.stdin.close()

    wait_for_gravediggers(others)
    assert not process.is_running()
    assert child.returncode == 0


def test_who_waits_as_well_learns_how_it_ended() -> None:
    child = subprocess.Popen(["sh", "-c", "read line; exit 3"], stdin=subprocess.PIPE)
    reap_at_its_end(child)
    assert child.stdin is not None

    child.stdin.close()

    assert child.wait(30) == 3


def test_one_that_no_thread_could_begin_for_is_buried_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    others = threading.enumerate()
    first = subprocess.Popen(["true"])
    process = psutil.Process(first.pid)
    with monkeypatch.context() as machine:
        machine.setattr(threading.Thread, "start", full)
        reap_at_its_end(first)
    del first  # nobody else holds it, and a child that is dropped while it lives is warned of

    second = subprocess.Popen(["true"])
    reap_at_its_end(second)

    second.wait(30)
    wait_for_gravediggers(others)
    assert not process.is_running()


def test_a_zygote_that_cannot_be_followed_is_buried_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many(pid: int) -> int:
        begun.append(psutil.Process(pid))
        raise OSError(EMFILE, "Too many open files")

    begun: list[psutil.Process] = []
    with monkeypatch.context() as machine:
        machine.setattr("jupyter_mcpgen.sandbox.jobs.forkserver.os.pidfd_open", too_many)
        with pytest.raises(SandboxError, match="Too many open files"):
            ForkServer(Interpreter.current(), (), idle_seconds=60)

    assert psutil.wait_procs(begun, timeout=60)[1] == []


def test_without_that_it_stays() -> None:
    child = subprocess.Popen(["true"])
    process = psutil.Process(child.pid)

    while process.status() != psutil.STATUS_ZOMBIE:
        pass
    child.wait()

    assert not process.is_running()
