"""How much memory this machine has, how much of it is to spare, and whether that is enough to begin."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from jupyter_mcpgen.sandbox.programs.program import MEGABYTE

_LEAST_FREE_BYTES = 64 * MEGABYTE
_CRITICAL_USE = 0.95
_OF_THE_CONTAINER = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


@dataclass(frozen=True)
class FreeMemory:
    """What is known about the machine's memory: free bytes, and the share in use; `None` where unknown."""

    free_bytes: int | None
    used_share: float | None


def free_memory() -> FreeMemory:
    """Return the state of this machine's memory."""
    try:
        memory = psutil.virtual_memory()
    except (OSError, ValueError):
        return FreeMemory(None, None)
    return FreeMemory(memory.available, memory.percent / 100)


def whole_memory_mb() -> int | None:
    """Return the memory of this machine, or of the container that we are in; `None` where it is not known."""
    found = []
    with suppress(OSError, ValueError):
        found.append(psutil.virtual_memory().total)
    for path in _OF_THE_CONTAINER:
        with suppress(OSError, ValueError):  # it is not there, or says `max`
            found.append(int(path.read_text()))
    return min(found) // MEGABYTE if found else None


def shortage(memory: FreeMemory) -> str | None:
    """Return why too little memory is free to begin; what is not known is no reason unless nearly all is in use."""
    if memory.free_bytes is not None:
        short = memory.free_bytes < _LEAST_FREE_BYTES
        found = f"{memory.free_bytes // MEGABYTE} MB are free"
    else:
        short = memory.used_share is not None and memory.used_share >= _CRITICAL_USE
        found = f"{memory.used_share or 0:.0%} are in use"
    needed = _LEAST_FREE_BYTES // MEGABYTE
    told = f"This machine has too little memory: {found}, {needed} MB are needed. Close other programs."
    return told if short else None
