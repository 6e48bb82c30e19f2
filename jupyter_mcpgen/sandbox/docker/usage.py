"""What a container uses while it runs: from its control group where that can be seen, else as the engine tells it.

The engine answers once a second at best, so a short container would never be measured; its control group answers at
once, on the machine where the engine runs. Both are read until the end, so the last reading is the least that was used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

_Figure = TypeVar("_Figure", int, float)
_GROUPS = Path("/sys/fs/cgroup")
_PEAK = ("memory.peak", "memory.max_usage_in_bytes", "memory.current")
_MICROSECOND, _NANOSECOND = 1e-6, 1e-9


@dataclass(frozen=True)
class Reading:
    """What a container used so far; `None` where it is not known."""

    cpu_seconds: float | None = None
    peak_memory_bytes: int | None = None

    def joined(self, later: Reading) -> Reading:
        """Return what is known after a second reading; no figure ever shrinks."""
        return Reading(
            _larger(self.cpu_seconds, later.cpu_seconds), _larger(self.peak_memory_bytes, later.peak_memory_bytes)
        )


def of_group(container: str, pid: int, groups: Path = _GROUPS) -> Callable[[], Reading] | None:
    """Return a way to read a container's control group, or `None` where it is not this machine's to be seen."""
    try:
        rows = [line.split(":", 2) for line in Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8").splitlines()]
    except OSError:
        return None
    # An engine elsewhere names processes of its own machine: the id says whether this is the container.
    own = [
        (named, place.lstrip("/")) for _, named, place in rows if container in place and ".." not in Path(place).parts
    ]
    folders = [folder for named, place in own for folder in (groups / named / place, groups / place)]
    folders = [folder for folder in folders if folder.is_dir()]
    return (lambda: _read(folders)) if folders else None


def of_stats(stats: Mapping[str, Any]) -> Reading:
    """Return what the engine says of a container."""
    memory = stats.get("memory_stats") or {}
    sizes = [size for size in (memory.get("max_usage"), memory.get("usage")) if isinstance(size, int) and size]
    spent = ((stats.get("cpu_stats") or {}).get("cpu_usage") or {}).get("total_usage")
    return Reading(spent * _NANOSECOND if spent else None, max(sizes, default=None))


def _read(folders: list[Path]) -> Reading:
    peak = next((size for size in (_number(folder / name) for name in _PEAK for folder in folders) if size), None)
    spent = next((size for size in (_number(folder / "cpuacct.usage") for folder in folders) if size), None)
    return Reading(spent * _NANOSECOND if spent else _spent(folders), peak)


def _spent(folders: list[Path]) -> float | None:
    for folder in folders:
        with suppress(OSError):  # the group is gone, or is of the other version
            for line in (folder / "cpu.stat").read_text(encoding="ascii").splitlines():
                if line.startswith("usage_usec "):
                    return int(line.split()[1]) * _MICROSECOND
    return None


def _number(path: Path) -> int | None:
    with suppress(OSError, ValueError):  # as above
        return int(path.read_text(encoding="ascii"))
    return None


def _larger(one: _Figure | None, other: _Figure | None) -> _Figure | None:
    known = [figure for figure in (one, other) if figure is not None]
    return max(known, default=None)
