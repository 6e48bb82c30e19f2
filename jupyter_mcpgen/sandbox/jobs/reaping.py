"""Processes of ours that end when they will: each is waited for from the first, so none stays as a zombie."""

from __future__ import annotations

import os
import subprocess
import threading
from collections import deque
from contextlib import suppress

_unwatched: deque[subprocess.Popen[bytes]] = deque()
"""Children that no thread waits for yet."""


def reap_at_its_end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a child in a thread of its own; others may wait for it as well, or ask whether it lives.

    Where no thread can begin, on a machine full of processes, the thread of a later child waits for this one too.
    """
    _unwatched.append(process)
    with suppress(RuntimeError):  # it stays in the queue
        threading.Thread(target=_bury_those_unwatched, name="mcpgen-reap", daemon=True).start()


def _bury_those_unwatched() -> None:
    with suppress(IndexError):  # the queue is empty
        while True:
            _bury(_unwatched.popleft())


def _bury(process: subprocess.Popen[bytes]) -> None:
    # Not `wait` alone: it keeps everybody else from asking for as long as the child lives.
    with suppress(ChildProcessError):  # somebody else was first
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    process.wait()
