"""The side panel's end at the Jupyter server: pages ask for what they show, and hear when it may have changed.

Nothing heavy is imported here; the clerk's process is started when a page asks for something.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from jupyter_mcpgen.lab.following import Follower
from jupyter_mcpgen.lab.wire import Say, Wire

CHANGED = {"kind": "panel_changed"}
"""What a page hears when it has to ask again."""


class PanelClerk(Protocol):
    """Who answers what pages ask for."""

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Carry out what a page said."""


class PanelChannel:
    """The panels of one server; `find_places` names the files and folders that change with what a panel shows."""

    def __init__(self, clerk: PanelClerk, find_places: Callable[[], tuple[Path, ...]]) -> None:
        self._follower = Follower(
            "mcpgen-panels", find_places, lambda: self.wire.has_pages, lambda: self.wire.tell_all(CHANGED)
        )
        self.wire = Wire(
            "panel", lambda data, reply: clerk.serve(data, reply, self.wire.tell_all), self._follower.follow
        )
