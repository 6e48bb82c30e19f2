"""How much memory processes hold, where some of them are one address space under several ids.

A process that was cloned with its parent's memory has all of it and takes none. The kernel puts the address spaces of
processes in an order, without telling where they are; so those that are the same end side by side.
A process that was forked has pages in common with its parent until one of them writes. The kernel tells how much of its
pages falls to a process when each is divided by those that map it. Memory without a file is only shared among the
processes of one program, since each program is executed; what has a file may be in use elsewhere, and is theirs then.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cmp_to_key
from typing import NamedTuple

from . import kernel
from .syscalls import MACHINE, MACHINES

_COMPARE = (312, 272)
_ADDRESS_SPACE = 1
_FIRST_IS_LESS = 1
_SHARE, _KILOBYTE = b"Pss:", 1024
_MOST_SECONDS = 0.5

Compare = Callable[[int, int], int]
"""Gives 0 for two threads with one address space, and else which of them comes first, as a sign."""


class Held(NamedTuple):
    """A thread of a process by its id, and the bytes that its address space has in memory."""

    thread: int
    memory: int


def compared(one: int, other: int) -> int:
    """Compare the address spaces of two threads; what is gone, or the kernel does not tell of, is like nothing else."""
    try:
        order = kernel.system_call("kcmp", _COMPARE[MACHINES[MACHINE]], one, other, _ADDRESS_SPACE, 0, 0)
    except OSError:
        return one - other
    if order == 0:
        # All that are about to end have the same: none. Whoever still has one now had it when they were compared.
        return 0 if _has_memory(one) and _has_memory(other) else one - other
    return -1 if order == _FIRST_IS_LESS else 1


def held_together(processes: Iterable[Held], compare: Compare = compared) -> int:
    """Return the bytes that all address spaces have in memory; those that cannot be told apart count each."""

    def order(one: Held, other: Held) -> int:
        return compare(one.thread, other.thread)

    total, before = 0, Held(0, 0)
    for one in sorted(processes, key=cmp_to_key(order)):
        if before.thread and compare(before.thread, one.thread) == 0:
            total += max(0, one.memory - before.memory)
            before = one._replace(memory=max(one.memory, before.memory))
        else:
            total += one.memory
            before = one
    return total


def without_copies(processes: Iterable[Held]) -> Iterator[Held]:
    """Give the processes with their share of what they have in common; they must stand still meanwhile.

    To tell it the kernel walks every page: what is too many for half a second of our time keeps all it has.
    """
    until = time.process_time() + _MOST_SECONDS
    for one in sorted(processes, key=lambda one: -one.memory):
        share = _share(one.thread) if time.process_time() < until else None
        yield one if share is None else one._replace(memory=min(one.memory, share))


def _share(thread: int) -> int | None:
    """Return the bytes that fall to a process; nothing where the kernel does not tell us."""
    try:
        with open(f"/proc/{thread}/smaps_rollup", "rb") as told:
            return next(int(line.split()[1]) * _KILOBYTE for line in told if line.startswith(_SHARE))
    except (OSError, StopIteration):
        return None


def _has_memory(thread: int) -> bool:
    try:
        with open(f"/proc/{thread}/statm", "rb") as told:
            return int(told.read().split()[1]) > 0
    except OSError:
        return False
