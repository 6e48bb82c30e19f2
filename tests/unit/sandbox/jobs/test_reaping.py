"""A child that ends when it will leaves no zombie, whoever else asks for it."""

from __future__ import annotations

import subprocess
import threading

import psutil

from jupyter_mcpgen.sandbox.jobs.reaping import reap_at_its_end


def test_a_child_that_ends_later_is_buried() -> None:
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    assert child.stdin is not None
    process = psutil.Process(child.pid)

    reap_at_its_end(child)
    assert child.poll() is None  # whoever asks meanwhile is answered
    child.stdin.close()

    for thread in threading.enumerate():
        if thread.name == "mcpgen-reap":
            thread.join(30)
    assert not process.is_running()
    assert child.returncode == 0


def test_who_waits_as_well_learns_how_it_ended() -> None:
    child = subprocess.Popen(["sh", "-c", "read line; exit 3"], stdin=subprocess.PIPE)
    reap_at_its_end(child)
    assert child.stdin is not None

    child.stdin.close()

    assert child.wait(30) == 3


def test_without_that_it_stays() -> None:
    child = subprocess.Popen(["true"])
    process = psutil.Process(child.pid)

    while process.status() != psutil.STATUS_ZOMBIE:
        pass
    child.wait()

    assert not process.is_running()
