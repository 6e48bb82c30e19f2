"""One look through a file that somebody named: no link is followed to it, nothing but a file is read, and it ends.

Whoever may write to the folder may put something else there at any moment: what is looked at is what was opened.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.errors import DataMoved, DataTooSlow

_CHUNK_BYTES = 1 << 22
# A folder may be closed to a look inside and open to pass through.
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not waiting for a writer, should a pipe be there.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_LINK = (errno.ELOOP, errno.ENOTDIR)


@dataclass(frozen=True)
class OneLook:
    """A file that is open, and until when it may be read; `clock` gives seconds."""

    path: Path
    descriptor: int
    seconds: float
    clock: Callable[[], float]
    deadline: float

    @property
    def size(self) -> int:
        """Return its bytes."""
        return os.fstat(self.descriptor).st_size

    @property
    def place(self) -> str:
        """Return a path to what is open, for a library that opens files itself."""
        return f"/dev/fd/{self.descriptor}"

    def head(self, most: int) -> bytes:
        """Return how it begins."""
        return os.pread(self.descriptor, most, 0)

    def part(self, at: int, most: int) -> bytes:
        """Return what stands from a place on, nothing where there is no such place; raises `DataTooSlow` as below."""
        self.require_time()
        return os.pread(self.descriptor, most, at) if 0 <= at < self.size else b""

    def pieces(self) -> Iterator[bytes]:
        """Give all of it, piece by piece; raises `DataTooSlow` once the time is over."""
        at = 0
        while piece := os.pread(self.descriptor, _CHUNK_BYTES, at):
            yield piece
            at += len(piece)
            self.require_time()

    def require_time(self) -> None:
        """Raise `DataTooSlow` once the time is over."""
        if self.clock() > self.deadline:
            raise DataTooSlow(self.path.name, self.size, self.seconds)


@contextmanager
def one_look(path: Path, seconds: float, clock: Callable[[], float] = time.monotonic) -> Iterator[OneLook]:
    """Open a file by a path without links for so many seconds; raises `DataMoved` where that is none any more."""
    descriptor = _opened(path)
    try:
        yield OneLook(path, descriptor, seconds, clock, clock() + seconds)
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    parts = path.parts[1:] if path.anchor else path.parts
    if not parts:
        raise DataMoved(path, "it is no file")
    *folders, name = parts
    place = os.open(path.anchor or ".", _FOLDER)
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER, dir_fd=place)
            os.close(place)
            place = below
        descriptor = os.open(name, _FILE, dir_fd=place)
    except OSError as error:
        if error.errno in _LINK:
            raise DataMoved(path) from error
        raise DataMoved(path, (error.strerror or str(error)).lower()) from error
    finally:
        os.close(place)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise DataMoved(path, "it is no file")
    return descriptor
