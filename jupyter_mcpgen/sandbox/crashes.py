"""Who on this machine is told of a crash in the sandbox, where no limit of ours can keep it from them."""

from __future__ import annotations

import resource
from pathlib import Path

_PATTERN = Path("/proc/sys/kernel/core_pattern")


def told_here() -> str | None:
    """Return in words who is told of a crash on this machine, if anybody is or may be."""
    try:
        pattern = _PATTERN.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None  # there is no such setting where the kernel writes no cores
    return told(pattern, resource.getrlimit(resource.RLIMIT_CORE)[1])


def told(pattern: str, most_core_bytes: int) -> str | None:
    """Return who is told with a kernel's `core_pattern` and the highest limit that may be set on a core.

    The kernel starts a program for a crash unless that limit is one byte, which a machine that forbids cores by 0 lets
    nobody set. A service that listens on a socket (Linux 6.16 and newer) it tells whatever the limit is.
    """
    if pattern.startswith("@"):
        return f"a crash is told to the service behind `{pattern}`"
    if pattern.startswith("|") and most_core_bytes == 0:
        program = pattern[1:].split(" ")[0]
        return f"a crash is handed to `{program}`, as this program may set no limit on cores but 0"
    return None
