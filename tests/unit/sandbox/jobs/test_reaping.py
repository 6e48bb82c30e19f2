"""A child that nobody waits for any more leaves no zombie."""

from __future__ import annotations

import subprocess
import threading

import psutil

from jupyter_mcpgen.sandbox.jobs.reaping import reap_later


def test_a_child_that_ends_later_is_buried() -> None:
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    assert child.stdin is not None
    process = psutil.Process(child.pid)

    reap_later(child)
    child.stdin.close()

    for thread in threading.enumerate():
        if thread.name == "mcpgen-reap":
            thread.join(30)
    assert not process.is_running()


def test_without_that_it_stays() -> None:
    child = subprocess.Popen(["true"])
    process = psutil.Process(child.pid)

    while process.status() != psutil.STATUS_ZOMBIE:
        pass
    child.wait()

    assert not process.is_running()
