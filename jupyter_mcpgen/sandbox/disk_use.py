"""How much disk space a folder takes that hostile code fills; standard library only, for the supervisors too."""

from __future__ import annotations

import os
from os import PathLike

MOST_ENTRIES = 100_000
_BLOCK = 512


def used_bytes(folder: str | PathLike[str], enough: int) -> int:
    """Return the disk space a folder takes; what cannot be counted in reasonable time counts as more than `enough`."""
    waiting, total, entries = [os.fspath(folder)], 0, 0
    while waiting and total <= enough:
        try:
            with os.scandir(waiting.pop()) as listed:
                for entry in listed:
                    entries += 1
                    if entries > MOST_ENTRIES:
                        return enough + 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    total += _taken(entry)
        except FileNotFoundError:
            continue  # the job removed it meanwhile
        except OSError:
            return enough + 1  # hidden, or nested too deeply to be followed: nobody does that by accident
    return total


def _taken(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_blocks * _BLOCK
    except FileNotFoundError:
        return 0
