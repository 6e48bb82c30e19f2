"""The product's own shelf: a registry, and whatever runs its tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_mcpgen.card_text import markdown
from jupyter_mcpgen.errors import RegistryError, UnknownTool
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.listing import Active, read_listing
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.server.exhibits import Exhibit


@dataclass(frozen=True)
class RegistryShelf:
    """The active tools of a registry; `run` checks the fingerprint once more and calls the sandbox."""

    registry: Registry
    run: Callable[[str, Mapping[str, Any], Cancellation], ToolAnswer]

    @property
    def folder(self) -> Path:
        """The folder of the active tools."""
        return self._list.parent

    def mark(self) -> object:
        """Return what tells one list of active tools from the next."""
        return Layout(self.registry.root).folder.mark(self._list)

    def active(self) -> tuple[PromotedTool, ...]:
        """Return the promoted tools whose files are the approved ones."""
        return self.registry.active()

    def refused(self) -> Mapping[str, str]:
        """Return the listed tools that do not load, each with the reason."""
        reasons = {}
        for name in read_listing(Layout(self.registry.root).folder, self._list, Active).tools:
            try:
                self.registry.tool(name)
            except UnknownTool:
                continue  # taken out between the two readings
            except RegistryError as error:
                reasons[name] = str(error)
        return reasons

    def exhibit(self, name: str) -> Exhibit:
        """Return what is to read of a tool, from files that were compared with the approval just now."""
        package, card = self.registry.shown(name)
        return Exhibit(source=package.code, card=markdown(card), chart=card.chart)

    def call_tool(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation) -> ToolAnswer:
        """Run a tool until it is over or cancelled."""
        return self.run(name, arguments, cancellation)

    @property
    def _list(self) -> Path:
        return Layout(self.registry.root).active_metadata
