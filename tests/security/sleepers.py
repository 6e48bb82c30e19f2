"""A job that sleeps, seen from outside: for tests that kill what is around it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import psutil

SLEEPER = """
import threading, time
def tool():
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    time.sleep(600)
"""


def sleeper(folder: Path) -> Path:
    """Return a package whose tool is seen to run by its second thread, from outside of any namespace."""
    (folder / "tool.py").write_text(SLEEPER, encoding="utf-8")
    return folder


def wait_for_job(host: int) -> psutil.Process:
    for _ in range(1200):
        for process in descendants_of(host):
            with suppress(psutil.Error):
                if process.num_threads() == 2 and process.ppid() != host:
                    return process
        time.sleep(0.05)
    raise AssertionError("the job never started")


def descendants_of(pid: int) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []
