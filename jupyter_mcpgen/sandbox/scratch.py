"""The one folder a job may write: made for one run, measured while it runs, wiped after it."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOST_ENTRIES = 100_000
_BLOCK = 512


@contextmanager
def scratch_folder(root: Path | None, owner: int | None) -> Iterator[Path]:
    """Give an empty private folder, owned by `owner` if that is another user, and remove it with all it then holds."""
    folder = Path(tempfile.mkdtemp(prefix="mcpgen-", dir=root)).resolve()
    try:
        if owner is not None:
            os.chown(folder, owner, owner)
        yield folder
    finally:
        wipe(folder)


def wipe(folder: Path) -> None:
    """Remove a folder that hostile code filled: unreadable folders, and nesting deeper than recursion or paths allow.

    Every folder found is moved to the top before it is emptied, so no path grows and nothing recurses.
    A folder that is not there needs no wiping.
    """
    if not folder.exists():
        return
    mark = f".wipe-{secrets.token_hex(8)}"
    waiting, moved = [folder], 0
    while waiting:
        current = waiting.pop()
        current.chmod(0o700)
        for path, is_folder in _listed(current):
            if not is_folder:
                path.unlink()
                continue
            moved += 1
            path.chmod(0o700)  # renaming a folder into another one needs write access to it
            waiting.append(path.rename(folder / f"{mark}-{moved}"))
        if current != folder:
            current.rmdir()
    folder.rmdir()


def used_bytes(folder: Path, enough: int) -> int:
    """Return the disk space a folder takes; what cannot be counted in reasonable time counts as more than `enough`."""
    waiting, total, entries = [folder], 0, 0
    while waiting and total <= enough:
        current = waiting.pop()
        try:
            listed = _listed(current)
            entries += len(listed)
            waiting += [path for path, is_folder in listed if is_folder]
            total += sum(path.lstat().st_blocks * _BLOCK for path, _ in listed)
        except FileNotFoundError:
            continue  # the job removed it meanwhile
        except OSError:
            return enough + 1  # hidden, or nested too deeply to be followed: nobody does that by accident
        if entries > MOST_ENTRIES:
            return enough + 1
    return total


def _listed(folder: Path) -> list[tuple[Path, bool]]:
    with os.scandir(folder) as entries:
        return [(Path(entry.path), entry.is_dir(follow_symlinks=False)) for entry in entries]
