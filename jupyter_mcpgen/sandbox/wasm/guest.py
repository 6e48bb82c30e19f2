"""What goes into a WebAssembly guest and what comes out, whichever runtime it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_MEGABYTE = 1024 * 1024
DEADLINE, CANCELLED = "deadline", "cancelled"
"""The traps that are ours, with those of `inside.reactor`; any other is the runtime's own message."""


@dataclass(frozen=True)
class GuestLimits:
    """What a guest may use; every one of them is always in force, and no one alone would stop everything."""

    fuel: int = 5_000_000_000
    wall_seconds: float = 30.0
    memory_bytes: int = 256 * _MEGABYTE
    output_bytes: int = 2_000_000

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise ValueError(f"`{name}` is {value:g} and must be more than 0.")


@dataclass(frozen=True)
class FolderGrant:
    """A folder of this machine that the guest sees under another name, read-only unless it says otherwise."""

    folder: Path
    guest: str
    writable: bool = False

    def __post_init__(self) -> None:
        if not self.guest.startswith("/") or ".." in self.guest.split("/"):
            raise ValueError(f"`{self.guest}` is not an absolute path of a guest.")


@dataclass(frozen=True)
class GuestRun:
    """How a guest ended; `fuel_used` is `None` where the runtime lost count, as it does at a deadline."""

    exit_code: int | None
    stdout: bytes
    stderr: bytes
    trap: str | None
    fuel_used: int | None
    truncated: tuple[str, ...]
    wall_seconds: float
    memory_bytes: int | None = None


class CappedOutput:
    """Keeps what a guest writes up to a cap and counts the rest; a flood costs the guest its fuel, not us memory."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._kept = bytearray()
        self.overflow = False

    def write(self, chunk: bytes) -> None:
        """Keep what fits."""
        room = self._cap - len(self._kept)
        self._kept += chunk[:room]
        self.overflow = self.overflow or len(chunk) > room

    @property
    def kept(self) -> bytes:
        """Return what was kept."""
        return bytes(self._kept)
