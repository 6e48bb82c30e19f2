"""Places for running calls, shared fairly: nobody who bears a token can keep the others from running code.

As many calls run as there are places. Whoever runs nothing gets one place more than that, as long as the whole is not
twice the places; and of those who wait, whoever runs the least is next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from jupyter_mcpgen.errors import SandboxBusy

MOST_WAITING = 32


@dataclass(eq=False)
class _Waiting:
    """One call in the line; `called` is set once it has its place."""

    owner: str
    called: anyio.Event = field(default_factory=anyio.Event)


class Slots:
    """The places of one server; used from its event loop only."""

    def __init__(self, places: int, most_waiting: int = MOST_WAITING) -> None:
        self._places = places
        self._most_waiting = most_waiting
        self._running: Counter[str] = Counter()
        self._line: list[_Waiting] = []

    @property
    def taken(self) -> int:
        """Return how many calls run now."""
        return self._running.total()

    @asynccontextmanager
    async def place(self, owner: str) -> AsyncIterator[None]:
        """Wait for a place and hold it; raises `SandboxBusy` when too many calls of the same owner wait already."""
        if sum(one.owner == owner for one in self._line) >= self._most_waiting:
            raise SandboxBusy(
                f"{self._most_waiting} calls of yours already wait for their turn, so this one was not begun. "
                "Try again when some of them are done."
            )
        one = _Waiting(owner)
        self._line.append(one)
        self._call_next()
        try:
            await one.called.wait()
            yield
        finally:
            if one.called.is_set():
                self._running[owner] -= 1
                self._call_next()
            else:
                self._line.remove(one)

    def _call_next(self) -> None:
        while (chosen := min(self._line, key=lambda one: self._running[one.owner], default=None)) is not None:
            is_first = self._running[chosen.owner] == 0
            if self.taken >= (2 * self._places if is_first else self._places):
                return
            self._line.remove(chosen)
            self._running[chosen.owner] += 1
            chosen.called.set()
