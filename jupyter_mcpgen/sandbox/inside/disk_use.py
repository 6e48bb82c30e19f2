"""How much disk space a folder takes that hostile code fills; standard library only, for the supervisors too."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from os import PathLike

from .mappings import Effort, TooManyMappings, mappings_of
from .tasks import threads_of

MOST_ENTRIES = 20_000
MOST_DEPTH = 200
"""Folders in folders; the kernel walks a path part by part, so that a look at deeper ones would take minutes."""
_BLOCK = 512
_DELETED = b" (deleted)\n"

File = tuple[int, int]
"""A file by its device and its number there."""


def used_bytes(folder: str | PathLike[str], enough: int, most_entries: int = MOST_ENTRIES) -> int:
    """Return the disk space a folder takes; more than `most_entries` in it count as more than `enough`.

    So do folders that are nested more than `MOST_DEPTH` deep, and what cannot be looked at.
    """
    waiting, total, entries = [(os.fspath(folder), 0)], 0, 0
    while waiting and total <= enough:
        place, depth = waiting.pop()
        try:
            with os.scandir(place) as listed:
                for entry in listed:
                    entries += 1
                    if entries > most_entries:
                        return enough + 1
                    if entry.is_dir(follow_symlinks=False):
                        if depth == MOST_DEPTH:
                            return enough + 1
                        waiting.append((entry.path, depth + 1))
                    total += _taken(entry)
        except FileNotFoundError:
            continue  # the job removed it meanwhile
        except OSError:
            return enough + 1  # hidden: nobody does that by accident
    return total


def deleted_bytes(
    pids: Iterable[int],
    folders: Collection[str],
    enough: int,
    hides: Callable[[int, int], bool] = lambda *_: False,
    effort: Effort | None = None,
) -> int:
    """Return the disk space of files that are deleted and yet held by processes that write to these folders.

    What cannot be looked at counts as more than `enough`: a thread of a process of which `hides` says that it keeps us
    from looking on purpose, more mappings than one look reads, and a file that is nowhere open any more and only
    mapped, where the kernel does not tell us its size. Nobody may look at a thread that is about to end, so that alone
    says nothing. Raises `TimeIsUp` where `effort` has an end.
    """
    devices = {os.stat(folder).st_dev for folder in folders if os.path.exists(folder)}
    begins = tuple(os.fsencode(folder) + b"/" for folder in folders)
    held = _Held(devices, begins, effort or Effort())
    try:
        for pid in pids:
            held.look(pid, hides)
        return sum(held.sizes().values())
    except (TooManyMappings, _Hidden):
        return enough + 1


class _Hidden(Exception):
    """Somebody keeps us from looking."""


class _Held:
    """The deleted files that processes hold, open or mapped, of some devices or below some folders."""

    def __init__(self, devices: set[int], begins: tuple[bytes, ...], effort: Effort) -> None:
        self._devices = devices
        self._begins = begins
        self._effort = effort
        self._open: dict[File, int] = {}
        self._mapped: dict[File, str] = {}

    def look(self, pid: int, hides: Callable[[int, int], bool]) -> None:
        """Add what one process holds."""
        threads = threads_of(pid)
        for thread in threads:  # each may have descriptors of its own
            self._effort.go_on()
            try:
                self._open.update(_open_and_deleted(f"{pid}/task/{thread}"))
            except PermissionError:
                _require_that_it_ends(pid, thread, hides)
        for thread in threads:  # of a process whose first thread left, only the other ones tell
            try:
                if self._has_mapped(thread):
                    break
            except PermissionError:
                _require_that_it_ends(pid, thread, hides)

    def _has_mapped(self, thread: int) -> bool:
        """Add what a thread has mapped; return whether it has anything."""
        has_any = False
        for lines in mappings_of(thread, self._effort):
            has_any = True
            for file, place, path in _deleted(lines, thread):
                if file[0] in self._devices or path.startswith(self._begins):
                    self._mapped[file] = place
        return has_any

    def sizes(self) -> dict[File, int]:
        """Return the disk space of each file."""
        sizes = dict(self._open)
        for file, place in self._mapped.items():
            self._effort.go_on()
            if file not in sizes:
                try:
                    sizes[file] = os.stat(place).st_blocks * _BLOCK
                except PermissionError as error:
                    if any(mappings_of(int(place.split("/")[2]), Effort())):
                        raise _Hidden from error
                except (FileNotFoundError, ProcessLookupError):
                    continue  # it is mapped no longer
        return sizes


def _require_that_it_ends(pid: int, thread: int, hides: Callable[[int, int], bool]) -> None:
    if hides(pid, thread):
        raise _Hidden


def _open_and_deleted(thread: str) -> Iterator[tuple[File, int]]:
    folder = f"/proc/{thread}/fd"
    names: list[str] = []
    with suppress(FileNotFoundError, ProcessLookupError):  # it ended meanwhile
        names = os.listdir(folder)
    for name in names:
        with suppress(FileNotFoundError, ProcessLookupError):  # closed meanwhile
            facts = os.stat(f"{folder}/{name}")
            if facts.st_nlink == 0 and stat.S_ISREG(facts.st_mode):
                yield (facts.st_dev, facts.st_ino), facts.st_blocks * _BLOCK


def _deleted(lines: list[bytes], thread: int) -> Iterator[tuple[File, str, bytes]]:
    for line in lines:
        if not line.endswith(_DELETED):
            continue
        span, _, _, device, number, path = line.split(maxsplit=5)
        major, _, minor = device.partition(b":")
        file = os.makedev(int(major, 16), int(minor, 16)), int(number)
        yield file, f"/proc/{thread}/map_files/{span.decode()}", path


def _taken(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_blocks * _BLOCK
    except FileNotFoundError:
        return 0
