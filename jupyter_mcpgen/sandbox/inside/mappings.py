"""What processes have mapped, as the kernel tells it, a line for each piece; and what one look at that may cost.

A process may have tens of thousands of pieces, each with a path of thousands of letters, and the kernel's own memory
for them is nobody's.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator

MOST_MAPPINGS, MOST_LETTERS = 262_144, 64 << 20
"""What one look reads: four times what one process may have on most machines, hundreds of times what one needs."""
_MAPPING_BYTES = 300
_BATCH_LETTERS = 1 << 16
_LONG_SECONDS = 0.05
_PAGE_TABLES, _KILOBYTE = b"VmPTE:", 1024


class TooManyMappings(Exception):
    """There is more than one look reads."""


class TimeIsUp(Exception):
    """The program has no time left, so that nothing more need be looked at."""


class Effort:
    """What one look at all processes has cost so far; `when_long` is called once in a look that takes long.

    `until` is the end of the program's time, on the monotonic clock.
    """

    def __init__(self, until: float = math.inf, when_long: Callable[[], None] = lambda: None) -> None:
        self._until = until
        self._when_long = when_long
        self._begin = time.process_time()
        self._is_long = False
        self._letters = 0
        self.mappings = 0

    @property
    def is_too_much(self) -> bool:
        """Return whether there was more than one look reads."""
        return self.mappings > MOST_MAPPINGS or self._letters > MOST_LETTERS

    def read(self, mappings: int, letters: int) -> None:
        """Count what was read; raises `TooManyMappings`, and `TimeIsUp`."""
        self.mappings += mappings
        self._letters += letters
        if self.is_too_much:
            raise TooManyMappings
        self.go_on()

    def go_on(self) -> None:
        """Mind the time; raises `TimeIsUp`."""
        if time.monotonic() > self._until:
            raise TimeIsUp
        if not self._is_long and time.process_time() - self._begin > _LONG_SECONDS:
            self._is_long = True
            self._when_long()


def mappings_of(thread: int, effort: Effort) -> Iterator[list[bytes]]:
    """Give what a thread has mapped, some lines at a time; nothing once it has let go of its memory.

    Raises `PermissionError` where nobody may look, and as `Effort.read` does.
    """
    try:
        with open(f"/proc/{thread}/maps", "rb") as told:
            while lines := told.readlines(_BATCH_LETTERS):
                effort.read(len(lines), sum(map(len, lines)))
                yield lines
    except (FileNotFoundError, ProcessLookupError):
        return


def kernel_bytes(threads: Iterable[int], mappings: int) -> int:
    """Return the memory that the kernel has for the mappings of processes, each told by a thread of it."""
    return mappings * _MAPPING_BYTES + sum(map(_page_table_bytes, threads))


def _page_table_bytes(thread: int) -> int:
    try:
        with open(f"/proc/{thread}/status", "rb") as told:
            return next((int(line.split()[1]) * _KILOBYTE for line in told if line.startswith(_PAGE_TABLES)), 0)
    except OSError:
        return 0  # it ended meanwhile
