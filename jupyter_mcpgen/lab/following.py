"""Looks whether files changed, as long as somebody wants to know: a thread of its own, which reads none of them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread

SECONDS = 0.5

log = logging.getLogger(__name__)

_Mark = tuple[int, int, int] | None


class Follower:
    """Calls `changed` when one of the files that `find` names changed, and once at its start.

    It looks while `is_wanted` says so; `follow` starts it again.
    """

    def __init__(
        self,
        name: str,
        find: Callable[[], tuple[Path, ...]],
        is_wanted: Callable[[], bool],
        changed: Callable[[], None],
    ) -> None:
        self._name = name
        self._find = find
        self._is_wanted = is_wanted
        self._changed = changed
        self._closed = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def follow(self) -> None:
        """Look from now on, unless it does already."""
        with self._lock:
            if self._thread is None and not self._closed.is_set():
                self._thread = Thread(target=self._keep_looking, name=self._name, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._closed.set()

    def _keep_looking(self) -> None:
        try:
            paths = self._find()
            seen: tuple[_Mark, ...] = ()
            while self._goes_on():
                marks = tuple(map(_mark, paths))
                if marks != seen:
                    seen = marks
                    self._changed()
                self._closed.wait(SECONDS)
        except Exception:
            # the thread is nobody's cell; the next page that opens starts another
            log.exception("`%s` could not look for changes.", self._name)
            with self._lock:
                self._thread = None

    def _goes_on(self) -> bool:
        with self._lock:
            if self._is_wanted() and not self._closed.is_set():
                return True
            self._thread = None
            return False


def _mark(path: Path) -> _Mark:
    """Return what tells one content of a file or a folder from another, without reading it."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
