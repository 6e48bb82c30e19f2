"""Notices that the folder of active tools changed, whoever changed it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
from watchfiles import Change, awatch

logger = logging.getLogger(__name__)

INDEX = "metadata.json"
LOOK_EVERY_SECONDS = 2.0
_LEFT_OVER = (".tmp", ".swp", ".pyc", ".lock", "~")


def matters(_: Change, path: str) -> bool:
    """Tell the files of a registry from temporary names and caches."""
    name = Path(path).name
    return not name.startswith(".") and not name.endswith(_LEFT_OVER) and "__pycache__" not in path


async def changes(folder: Path, stop: anyio.Event) -> AsyncGenerator[bool]:
    """Yield True whenever the content of a folder may have changed, in milliseconds where the system tells us.

    In between yield False every two seconds, for whoever has something to try again.
    Set `stop` before cancelling: the waiting thread listens to it and not to a cancellation.

    The index file is looked at every two seconds as well: network file systems notify nobody, and a change between
    the first reading and the first notification must not be lost.
    """
    known = _state(folder)
    while not stop.is_set():
        try:
            async for batch in awatch(
                folder,
                watch_filter=matters,
                debounce=20,
                step=10,
                rust_timeout=int(LOOK_EVERY_SECONDS * 1000),
                yield_on_timeout=True,
                stop_event=stop,
            ):
                state = _state(folder)
                changed = bool(batch) or state != known
                known = state
                yield changed
        except (OSError, RuntimeError) as error:
            # No such folder yet, or the system's watches are used up: looking is slower and always works.
            logger.debug("`%s` is looked at instead of watched: %s", folder, error)
        with anyio.move_on_after(LOOK_EVERY_SECONDS):
            await stop.wait()
        state = _state(folder)
        changed, known = state != known, state
        yield changed


def _state(folder: Path) -> tuple[int, int, int] | None:
    try:
        found = (folder / INDEX).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
