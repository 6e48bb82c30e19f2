"""Times a piece of work and its reference in turns, so that both meet the same machine."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

Timer = Callable[[], float]
"""Does the work once and returns its milliseconds."""
AsyncTimer = Callable[[], Awaitable[float]]


@dataclass(frozen=True)
class Times:
    """The milliseconds of every repetition."""

    samples: tuple[float, ...]

    @property
    def least(self) -> float:
        """The best repetition: what the work takes when nothing disturbs it."""
        return min(self.samples)

    @property
    def median(self) -> float:
        """The repetition in the middle."""
        return statistics.median(self.samples)

    @property
    def slowest(self) -> Times:
        """The repetition that 95 of 100 are not slower than, as the only one."""
        ordered = sorted(self.samples)
        return Times((ordered[math.ceil(0.95 * len(ordered)) - 1],))


@dataclass(frozen=True)
class Row:
    """One line of the table: our work beside its reference."""

    what: str
    ours: Times
    reference_name: str
    reference: Times

    @property
    def ratio(self) -> float:
        """How often the reference fits into our work, both at their best."""
        return self.ours.least / self.reference.least


def elapsed(work: Callable[[], object]) -> float:
    """Do some work and return its milliseconds."""
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


async def elapsed_async(work: Callable[[], Awaitable[object]]) -> float:
    """Do some work on the event loop and return its milliseconds."""
    begin = time.perf_counter()
    await work()
    return (time.perf_counter() - begin) * 1000


def in_turns(timers: Sequence[Timer], repeats: int) -> list[Times]:
    """Run all timers once, then all again, and so on."""
    rounds = [[timer() for timer in timers] for _ in range(repeats)]
    return [Times(column) for column in zip(*rounds, strict=True)]


async def in_turns_async(timers: Sequence[AsyncTimer], repeats: int) -> list[Times]:
    """Do the same on the event loop, one at a time."""
    rounds = [[await timer() for timer in timers] for _ in range(repeats)]
    return [Times(column) for column in zip(*rounds, strict=True)]
