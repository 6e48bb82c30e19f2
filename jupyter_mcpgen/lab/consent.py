"""Consent on the page: pages hear of each tool that an AI client offers, in whatever process it was offered.

A kernel listens over a comm, and the Jupyter server over web sockets; both are the same from here on.

Requests wait in the registry's folder, so no other process needs to reach this one: while a page is open, a thread
looks whether the list there changed. Nothing heavy is imported here; the clerk is hired when an offer waits.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from jupyter_mcpgen.lab.following import Follower
from jupyter_mcpgen.lab.wire import Say, Serve, Wire

TARGET = "mcp:capcall"
OFFERS = "candidates/*/offered.json"
"""What lies beside the list of what waits where a client offers something."""

OpenWire = Callable[[str, Serve, Callable[[], None]], Wire]
"""Opens a way to the pages under a name; it is given what serves them, and what to do when one came."""


class ConsentClerk(Protocol):
    """Who reads what the pages say, and knows what waits."""

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Carry out what a page said."""

    def look(self, tell_all: Say) -> None:
        """Tell the pages what waits since the last look, and what waits no more."""


class ConsentChannel:
    """Consent in one process; pages open it, `close` takes it away.

    `find_list` returns where the registry keeps the list of what waits; `open_wire` returns the way to the pages.
    """

    def __init__(self, hire: Callable[[], ConsentClerk], find_list: Callable[[], Path], open_wire: OpenWire) -> None:
        self._hire = hire
        self._find_list = find_list
        self._clerk: ConsentClerk | None = None
        self._follower = Follower(
            "mcpgen-consents", lambda: (find_list(),), lambda: self._wire.has_pages, self._look_in_line
        )
        self._wire = open_wire(TARGET, self._serve, self._follower.follow)

    @property
    def wire(self) -> Wire:
        """The way to the pages."""
        return self._wire

    def close(self) -> None:
        """Stop listening and looking."""
        self._follower.close()
        self._wire.close()

    def _serve(self, data: object, reply: Say) -> None:
        if self._clerk is None and not self._may_wait(self._find_list()):
            return  # a page asks what waits, and nothing does
        self._at_work().serve(data, reply, self._wire.tell_all)

    def _look_in_line(self) -> None:
        self._wire.put(self._look)

    def _look(self) -> None:
        if self._clerk is not None or self._may_wait(self._find_list()):
            self._at_work().look(self._wire.tell_all)

    def _at_work(self) -> ConsentClerk:
        if self._clerk is None:
            self._clerk = self._hire()
        return self._clerk

    @staticmethod
    def _may_wait(listed: Path) -> bool:
        return any(listed.parent.glob(OFFERS))
