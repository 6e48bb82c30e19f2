"""Processes of ours that end when they will: each is waited for from the first, so none stays as a zombie."""

from __future__ import annotations

import os
import subprocess
import threading
from contextlib import suppress


def reap_at_its_end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a child in a thread of its own; others may wait for it as well, or ask whether it lives."""
    with suppress(RuntimeError):  # no thread begins while the interpreter ends, and the child is buried by another
        threading.Thread(target=_bury, args=(process,), name="mcpgen-reap", daemon=True).start()


def _bury(process: subprocess.Popen[bytes]) -> None:
    # Not `wait` alone: it keeps everybody else from asking for as long as the child lives.
    with suppress(ChildProcessError):  # somebody else was first
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    process.wait()
