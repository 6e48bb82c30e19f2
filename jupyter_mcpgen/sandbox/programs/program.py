"""A program to run in the sandbox, its bounds, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_mcpgen.sandbox.inside.program_report import Stop

MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Bounds:
    """What a program and all it starts may use; sizes in bytes, times in seconds.

    `address_bytes` bounds what one process may map, `memory_bytes` what all of them hold together.
    """

    wall_seconds: float = 30.0
    cpu_seconds: int = 30
    memory_bytes: int = 256 * MEGABYTE
    address_bytes: int = 1024 * MEGABYTE
    scratch_bytes: int = 256 * MEGABYTE
    output_bytes: int = 16 * MEGABYTE
    open_files: int = 256
    tasks: int = 128
    """How many processes and threads there may be at once."""


@dataclass(frozen=True)
class Program:
    """An argument list, never a shell line, and all that the program sees.

    It may read `read` and `run`, execute what is in `run`, and write and execute what is in `work` and in its scratch.
    """

    arguments: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]
    read: tuple[Path, ...]
    run: tuple[Path, ...]
    work: tuple[Path, ...] = ()
    stdin: Path | None = None
    links: tuple[tuple[str, str], ...] = ()
    """The links on the way to what it reads and runs, each with its target."""
    bounds: Bounds = field(default_factory=Bounds)


@dataclass(frozen=True)
class Ending:
    """The whole record of one program; `status` is what `wait` says about its first process.

    `peak_memory_bytes` is never below the ten megabytes of the process that becomes the program. The bytes read and
    written are those that really went to a disk, `None` where the kernel does not count them.
    """

    stop: Stop
    status: int
    stdout: bytes
    stderr: bytes
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    read_bytes: int | None = None
    written_bytes: int | None = None
