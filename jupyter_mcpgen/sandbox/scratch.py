"""The one folder a job may write: made for one run, measured while it runs, wiped after it."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jupyter_mcpgen.sandbox.inside.disk_use import MOST_ENTRIES, deleted_bytes, used_bytes

__all__ = ("MOST_ENTRIES", "deleted_bytes", "scratch_folder", "used_bytes", "wipe")
_ATTEMPTS, _PAUSE_SECONDS = 100, 0.02
_STILL_CHANGING = (errno.ENOTEMPTY, errno.ENOENT)


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

    A folder that is not there needs no wiping. The job is killed, and yet a thread of it may be in the middle of making
    one last file.
    """
    for attempt in range(_ATTEMPTS):
        try:
            if folder.exists():
                _wipe(folder)
            return
        except OSError as error:
            if error.errno not in _STILL_CHANGING or attempt == _ATTEMPTS - 1:
                raise
        time.sleep(_PAUSE_SECONDS)


def _wipe(folder: Path) -> None:
    """Move every folder found to the top before it is emptied, so that no path grows and nothing recurses."""
    mark = f".wipe-{secrets.token_hex(8)}"
    waiting, moved = [folder], 0
    while waiting:
        current = waiting.pop()
        current.chmod(0o700)
        for path, is_folder in _listed(current):
            if not is_folder:
                path.unlink()
                continue
            with suppress(OSError):  # the most there can be of are empty ones, and these need no more than this
                path.rmdir()
                continue
            moved += 1
            path.chmod(0o700)  # renaming a folder into another one needs write access to it
            waiting.append(path.rename(folder / f"{mark}-{moved}"))
        if current != folder:
            current.rmdir()
    folder.rmdir()


def _listed(folder: Path) -> list[tuple[Path, bool]]:
    with os.scandir(folder) as entries:
        return [(Path(entry.path), entry.is_dir(follow_symlinks=False)) for entry in entries]
