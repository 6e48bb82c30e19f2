"""How long a supervisor waits until it looks at its program again.

A program that waits is looked at less often: what it could take meanwhile is bounded for each process. One whose memory
grows is looked at again when half of the time is over in which it would reach its bound, if it went on like that; one
whose processor time is bounded, as soon as it could have used that up on all processors.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os

_SHORTEST_SECONDS, USUAL_SECONDS, _IDLE_SECONDS = 0.04, 0.2, 1.0
_SHARE = 2


def soonest(cpu_seconds: float) -> float:
    """Return how long it takes at least, short of a moment, until so much processor time is used up."""
    return max(_SHORTEST_SECONDS, cpu_seconds / (os.cpu_count() or 1))


class Pauses:
    """The waits between looks at one program; times are in seconds, on any clock."""

    def __init__(self, now: float) -> None:
        self._usual = USUAL_SECONDS
        self._looked, self._memory = now, 0

    def after(self, now: float, memory: int, most: int, *, has_worked: bool) -> float:
        """Return how long to wait after a look that found so many bytes of those that there may be at most."""
        grown, since = memory - self._memory, now - self._looked
        self._looked, self._memory = now, memory
        self._usual = USUAL_SECONDS if has_worked else min(2 * self._usual, _IDLE_SECONDS)
        if grown <= 0:
            return self._usual
        left = max(0, most - memory) / grown * since
        return min(self._usual, max(_SHORTEST_SECONDS, left / _SHARE))
