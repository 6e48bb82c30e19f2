"""Looks at a running program at fixed intervals: how much memory it holds and how busy it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from jupyter_mcpgen.sandbox.programs.launch import Running

LEAST_INTERVAL_MS, DEFAULT_INTERVAL_MS, MOST_INTERVAL_MS = 10, 100, 10_000
MOST_SAMPLES = 5_000


@dataclass(frozen=True)
class Sample:
    """One look: when, counted from the start, how many bytes were held, and the processor's share since the last."""

    seconds: float
    memory_bytes: int
    cpu_percent: float


def clamped_interval(milliseconds: int) -> int:
    """Return an interval that can be kept: 10 ms to 10 s."""
    return min(max(milliseconds, LEAST_INTERVAL_MS), MOST_INTERVAL_MS)


class Timeline:
    """Collects samples of one program from a thread of its own, at most 5,000."""

    def __init__(self, interval_ms: int = DEFAULT_INTERVAL_MS) -> None:
        self.interval_ms = clamped_interval(interval_ms)
        self.samples: list[Sample] = []

    @contextmanager
    def follow(self, running: Running) -> Iterator[None]:
        """Look at a program for as long as the block lasts."""
        over = threading.Event()
        looking = threading.Thread(target=self._look, args=(running, over), name="mcpgen-timeline", daemon=True)
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()

    def _look(self, running: Running, over: threading.Event) -> None:
        begin = last = time.monotonic()
        worked = 0.0
        while not over.wait(self.interval_ms / 1000) and len(self.samples) < MOST_SAMPLES:
            seconds, held = running.used()
            if not held:
                continue  # it has ended, or nearly so
            now = time.monotonic()
            # A process that ended takes its share with it, so the sum can fall.
            busy = max(0.0, seconds - worked) / max(now - last, 1e-6)
            self.samples.append(Sample(now - begin, held, round(100 * busy, 1)))
            worked, last = seconds, now
