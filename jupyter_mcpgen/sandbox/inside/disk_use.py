"""How much disk space a folder takes that hostile code fills; standard library only, for the supervisors too."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from os import PathLike

MOST_ENTRIES = 20_000
_BLOCK = 512
_DELETED = b" (deleted)\n"

File = tuple[int, int]
"""A file by its device and its number there."""


def used_bytes(folder: str | PathLike[str], enough: int, most_entries: int = MOST_ENTRIES) -> int:
    """Return the disk space a folder takes; more than `most_entries` in it count as more than `enough`.

    So does what cannot be counted in reasonable time.
    """
    waiting, total, entries = [os.fspath(folder)], 0, 0
    while waiting and total <= enough:
        try:
            with os.scandir(waiting.pop()) as listed:
                for entry in listed:
                    entries += 1
                    if entries > most_entries:
                        return enough + 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    total += _taken(entry)
        except FileNotFoundError:
            continue  # the job removed it meanwhile
        except OSError:
            return enough + 1  # hidden, or nested too deeply to be followed: nobody does that by accident
    return total


def deleted_bytes(
    pids: Iterable[int], folders: Collection[str], enough: int, hides: Callable[[int, int], bool] = lambda *_: False
) -> int:
    """Return the disk space of files that are deleted and yet held by processes that write to these folders.

    What cannot be looked at counts as more than `enough`: a thread of a process of which `hides` says that it keeps us
    from looking on purpose, and a file that is nowhere open any more and only mapped, where the kernel does not tell us
    its size. Nobody may look at a thread that is about to end, so that alone says nothing.
    """
    held: dict[File, int] = {}
    mapped: dict[File, str] = {}
    devices = {os.stat(folder).st_dev for folder in folders if os.path.exists(folder)}
    begins = tuple(os.fsencode(folder) + b"/" for folder in folders)
    for pid in pids:
        threads = _threads(pid)
        for thread in threads:  # each may have descriptors of its own
            try:
                held.update(_open_and_deleted(f"{pid}/task/{thread}"))
            except PermissionError:
                if hides(pid, thread):
                    return enough + 1
        for thread in threads:  # of a process whose first thread left, only the other ones tell
            try:
                lines = _mappings(thread)
            except PermissionError:
                if hides(pid, thread):
                    return enough + 1
                continue
            mapped |= {
                file: place
                for file, place, path in _deleted(lines, thread)
                if file[0] in devices or path.startswith(begins)
            }
            if lines:
                break
    for file, place in mapped.items():
        if file not in held:
            try:
                held[file] = os.stat(place).st_blocks * _BLOCK
            except PermissionError:
                if _mappings(int(place.split("/")[2])):
                    return enough + 1
            except (FileNotFoundError, ProcessLookupError):
                continue  # it is mapped no longer
    return sum(held.values())


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


def _threads(pid: int) -> list[int]:
    try:
        return sorted(map(int, os.listdir(f"/proc/{pid}/task")))
    except (FileNotFoundError, ProcessLookupError):
        return []  # it ended meanwhile


def _mappings(thread: int) -> list[bytes]:
    """Return what a thread has mapped, a line each; nothing once it has let go of its memory."""
    try:
        with open(f"/proc/{thread}/maps", "rb") as told:
            return told.readlines()
    except (FileNotFoundError, ProcessLookupError):
        return []


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
