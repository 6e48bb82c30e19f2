"""Files that only their owner may read: the log of requests, kept replies, what was learned of servers."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


def write_record(path: Path, record: Any) -> None:
    """Replace a file of JSON in one step; raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")  # with mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(record, file)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_record(path: Path) -> Any:
    """Return what a file of JSON holds, or `None` where there is none that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def append_line(path: Path, line: str, most_bytes: int) -> None:
    """Add a line to a file; once it is too large it becomes `<name>.1`, in place of the one before.

    Raises `OSError`.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, _APPEND, 0o600)
    try:
        os.write(descriptor, f"{line}\n".encode())
        size = os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)
    if size > most_bytes:
        path.replace(path.with_name(f"{path.name}.1"))
