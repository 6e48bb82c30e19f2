"""A figure that a tool drew: a file of its run."""

from __future__ import annotations

from base64 import b64encode

from jupyter_mcpgen.model.record import Record

PNG = "image/png"
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
LARGEST = 512 * 1024
"""How many bytes a figure may have to be shown; a larger one is named only."""
MOST = 4
"""How many figures of one run are shown."""


class Figure(Record):
    """One figure: its name, its type, its size in bytes, and what it holds in base64, empty where it is too large."""

    name: str
    type: str = PNG
    size: int
    content: str

    @property
    def told(self) -> str:
        """What a person reads of it."""
        large = "" if self.content else ", too large to be shown"
        return f"{self.name} ({max(1, self.size // 1024):,} KB, {self.type}{large})"


def is_figure(content: bytes) -> bool:
    """Tell whether a file is a figure by its first bytes; its name is the tool's."""
    return content.startswith(_SIGNATURE)


def figure_of(name: str, content: bytes) -> Figure:
    """Return a file as a figure."""
    kept = b64encode(content).decode() if len(content) <= LARGEST else ""
    return Figure(name=name, size=len(content), content=kept)
