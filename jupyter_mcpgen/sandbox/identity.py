"""Which user a job runs as: the caller, or for root a throw-away id whenever that id can read what the job needs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.sandbox.inside import landlock

# systemd's range for services that get a user of their own; no account lives there
_FIRST_ID, _LAST_ID = 61184, 65519
_OWN_TASKS = 2
_FIRST_THAT_COUNTS_BY_NAMESPACE = 2


@dataclass(frozen=True)
class Identity:
    """The user a job runs as (`None`: the caller), and the reason in words."""

    user: int | None
    explanation: str


def choose(needed: Iterable[Path], closed: Path | None = None) -> Identity:
    """Return who should run a job that needs to read these paths, and one that is known to be closed, if any."""
    if os.geteuid() != 0:
        return Identity(None, f"runs as user {os.geteuid()}, without capabilities")
    stays = "runs as user 0 without capabilities, because "
    closed = closed or first_closed(needed)
    if closed is not None:
        return Identity(None, f"{stays}`{closed}` is closed to every other user")
    if not _is_mapped(_FIRST_ID) or not _is_mapped(_LAST_ID):
        return Identity(None, f"{stays}this user namespace has no other ids")
    user = _FIRST_ID + secrets.randbelow(_LAST_ID - _FIRST_ID + 1)
    return Identity(user, "root gave its rights up for a throw-away user id")


def first_closed(paths: Iterable[Path]) -> Path | None:
    """Return the first path that a user without any rights of its own cannot read."""
    return next((path for path in paths if not readable_by_anyone(path)), None)


def readable_by_anyone(path: Path) -> bool:
    """Return whether a user without any rights of its own can reach and read a path."""
    try:
        last = path.stat().st_mode
        needed = 0o5 if path.is_dir() else 0o4
        return last & needed == needed and all(parent.stat().st_mode & 0o1 for parent in path.parents)
    except OSError:
        return False


def tasks_beside(user: int | None, *, inside: bool) -> int:
    """Return how many threads the kernel counts for a user beside those of what is run; `None` is the caller.

    In namespaces only our own are counted, where the kernel keeps a count for each.
    """
    if inside and landlock.abi() >= _FIRST_THAT_COUNTS_BY_NAMESPACE:
        return _OWN_TASKS
    return running_tasks(os.getuid() if user is None else user)


def running_tasks(user: int) -> int:
    """Return how many threads a user has now: what the kernel's process limit counts."""
    total = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == user:
                    total += os.stat(f"/proc/{entry.name}/task").st_nlink - 2
            except OSError:
                continue  # it ended meanwhile
    return total


def _is_mapped(user: int) -> bool:
    with open("/proc/self/uid_map", encoding="ascii") as ranges:
        rows = [tuple(map(int, line.split())) for line in ranges]
    return any(inside <= user < inside + count for inside, _, count in rows)
