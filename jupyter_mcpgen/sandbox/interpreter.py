"""The Python that runs jobs: what it is started with, what it imports from, and what it must be able to read."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

_SYSTEM = (
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64",
    "/nix/store", "/gnu/store", "/usr/share", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts",
    "/sys/devices/system/cpu", "/proc/meminfo", "/proc/cpuinfo",
)  # fmt: skip
_CONTAINER_LIMITS = (
    "cpu.max", "memory.max", "memory.high",
    "cpu.cfs_quota_us", "cpu.cfs_period_us", "memory.limit_in_bytes",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")
"""Not `/dev/zero`: mapped by several, it is shared memory, which is counted nowhere."""


@dataclass(frozen=True)
class Interpreter:
    """An executable, the folders of its imports, every path it reads, resolved, and the links on the way there."""

    executable: Path
    imports: tuple[Path, ...]
    reads: tuple[Path, ...]
    links: tuple[tuple[str, str], ...] = ()

    @classmethod
    def current(cls) -> Interpreter:
        """Return the Python that runs this process, with its installed packages and no `.pth` files."""
        imports = _package_folders()
        prefixes = {Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)}
        # Not the prefixes themselves: an installation in a home folder would open the whole of it.
        own = [prefix / part for prefix in sorted(prefixes) for part in ("lib", "lib64", "share/zoneinfo")]
        standard = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
        named = (*map(Path, _SYSTEM), *own, *standard, *imports)
        return cls(Path(sys.executable), imports, existing(*named, *_container_limits()), links_on(*named))


def existing(*paths: Path) -> tuple[Path, ...]:
    """Return those of the paths that exist, resolved, each once, without any that lies inside another."""
    resolved = sorted({path.resolve() for path in paths if os.path.exists(path)})
    return tuple(path for path in resolved if not any(parent in resolved for parent in path.parents))


def links_on(*paths: Path) -> tuple[tuple[str, str], ...]:
    """Return the links that one meets when one follows these paths, each with its target."""
    found: dict[str, str] = {}
    waiting = [path.absolute() for path in paths]
    while waiting:
        current = Path("/")
        for part in waiting.pop().parts[1:]:
            current /= part
            if str(current) not in found and current.is_symlink():
                found[str(current)] = target = os.readlink(current)
                waiting.append(current.parent / target)
            current = Path(os.path.realpath(current))
    return tuple(sorted(found.items()))


def _package_folders() -> tuple[Path, ...]:
    named = {Path(entry) for entry in sys.path if Path(entry).name in {"site-packages", "dist-packages"}}
    named |= {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    named |= {Path(folder) for folder in site.getsitepackages()}
    ordered = [Path(entry) for entry in sys.path if Path(entry) in named]
    return tuple(dict.fromkeys(path for path in [*ordered, *sorted(named)] if os.path.isdir(path)))


def _container_limits() -> list[Path]:
    """Return the files that say what this container may use: duckdb ends its process when it cannot read them."""
    try:
        rows = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()]
    except OSError:
        return []  # no control groups here, so nothing looks for their limits
    root = Path("/sys/fs/cgroup")
    kinds = [(root / kind, place.strip("/")) for _, named, place in rows for kind in (named, *named.split(","))]
    return [folder / limit for kind, place in kinds for folder in (kind, kind / place) for limit in _CONTAINER_LIMITS]
