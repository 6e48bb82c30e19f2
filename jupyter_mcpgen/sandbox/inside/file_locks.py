"""The locks that processes hold on parts of files: the kernel's own memory, for each of them, and nobody's.

Each file of a process tells of its own. The list of all locks of the machine is not asked: while it is read, nobody
else can lock anything.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from .mappings import Effort

_FEW_LETTERS, _MANY_LETTERS = 1 << 12, 1 << 20
_LOCK = b"\nlock:"


def count_locks(pids: Iterable[int], effort: Effort) -> None:
    """Count the locks of processes as pieces that they have mapped, which take as much.

    Raises as `Effort.read` does.
    """
    for pid in pids:
        folder = f"/proc/{pid}/fdinfo"
        try:
            names = os.listdir(folder)
        except OSError:
            continue  # it ended meanwhile
        for name in names:
            _count(f"{folder}/{name}", effort)


def _count(path: str, effort: Effort) -> None:
    try:
        told = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return  # closed meanwhile
    try:
        text = os.read(told, _FEW_LETTERS)
        while text:
            effort.read(text.count(_LOCK), 0)
            text = os.read(told, _MANY_LETTERS) if _LOCK in text else b""
    except OSError:
        return
    finally:
        os.close(told)
