"""Processes of ours that end later than whoever started them cares: each is waited for, so none stays as a zombie."""

from __future__ import annotations

import subprocess
import threading
from contextlib import suppress


def reap_later(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a child in a thread of its own."""
    with suppress(RuntimeError):  # no thread begins while the interpreter ends, and the child is buried by another
        threading.Thread(target=process.wait, name="mcpgen-reap", daemon=True).start()
