"""What a job may do, as a value: closed by default, listed in full, compared in tests as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path


class Level(IntEnum):
    """How strongly a backend confines; a smaller number is stronger, 0 is an unconfined process."""

    UNCONFINED = 0
    NAMESPACES = 1
    LANDLOCK = 2
    CONTAINER = 3

    def satisfies(self, minimum: Level) -> bool:
        """Return whether this level is at least as strong as the minimum asked for."""
        return minimum is Level.UNCONFINED or (self is not Level.UNCONFINED and self <= minimum)


@dataclass(frozen=True)
class Limits:
    """Bounds of one job. Sizes are in bytes except `memory_mb`; times are in seconds."""

    wall_seconds: float = 30.0
    cpu_seconds: int = 30
    memory_mb: int = 4096
    scratch_bytes: int = 256 * 1024 * 1024
    open_files: int = 64
    threads: int = 64
    output_bytes: int = 1024 * 1024
    result_bytes: int = 64 * 1024 * 1024
    scratch_entries: int = 10_000
    artifact_bytes: int = 16 * 1024 * 1024
    artifacts: int = 100
    rows: int = 10_000_000
    columns: int = 10_000

    @property
    def table_bytes(self) -> int:
        """Return how large a table may be that a run reads: it is there twice while it is read."""
        return self.memory_mb * 1024 * 1024 // 2


@dataclass(frozen=True)
class Policy:
    """What one job may read and how much it may use; everything else is refused. There is no network, ever.

    `modules` are the installed packages that the tool's own code may import, `None` for all: it tells the tool what it
    was granted, and is no wall. With `keeps_files`, what it leaves in its scratch folder comes back as artifacts.
    Without `follows_links`, `read` are the very places that somebody checked: a link put there since is an error.
    With `other_seed` the job's interpreter was started apart from that of other jobs: words hash in another way in it.
    """

    read: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)
    modules: frozenset[str] | None = None
    keeps_files: bool = False
    follows_links: bool = True
    other_seed: bool = False
