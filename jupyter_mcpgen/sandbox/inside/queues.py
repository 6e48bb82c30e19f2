"""How much of the kernel's own memory a program may have filled with what nobody has read: pipes and pairs of sockets.

The kernel tells nobody how full they are, so each counts as full. Standard library only, for the supervisors.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from .mappings import Effort

_PIPE_BYTES = 65536
_SOCKET_BYTES = 212_992  # what the kernel gives a socket by default, whoever asks


def queued_bytes(pids: Iterable[int], effort: Effort) -> int:
    """Return what all pipes and sockets that these processes hold can have in them; none is counted twice.

    Raises `TimeIsUp`.
    """
    found: dict[tuple[int, int], int] = {}
    for pid in pids:
        for folder in _tables(pid):
            effort.go_on()
            for name in _listed(folder):
                try:
                    facts = os.stat(f"{folder}/{name}")
                except OSError:
                    continue  # closed meanwhile
                if stat.S_ISSOCK(facts.st_mode) or stat.S_ISFIFO(facts.st_mode):
                    size = _SOCKET_BYTES if stat.S_ISSOCK(facts.st_mode) else _PIPE_BYTES
                    found[facts.st_dev, facts.st_ino] = size
    return sum(found.values())


def _tables(pid: int) -> list[str]:
    """Return where the descriptors of each thread of a process are told."""
    return [f"/proc/{pid}/task/{thread}/fd" for thread in _listed(f"/proc/{pid}/task")]


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []  # it ended meanwhile, or keeps us out, which the look at the disk takes for too much
