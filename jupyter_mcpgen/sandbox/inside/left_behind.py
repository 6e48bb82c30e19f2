"""Reads what a job left in its scratch folder, following nothing that the job planted there.

Every name is opened relative to the folder that was read it in, and never through a link; what is no plain file, or
too much, stays behind and is named. Runs on the host, and inside a container. Standard library only.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

DEEPEST = 8
_MOST_ENTRIES = 10_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class _LeftOut(Exception):
    """Something that is not taken; the message says why."""


def plain_files(folder: int, most_files: int, most_bytes: int, left_out: list[str]) -> Iterator[tuple[str, bytes]]:
    """Give what lies below an open folder, as path and content, in the order of the paths; the rest is named."""
    taken, room = 0, most_bytes
    for path, opened in _found(folder, left_out):
        try:
            if taken >= most_files:
                raise _LeftOut(f"there are more than {most_files} files")
            content = _content(opened, room)
        except _LeftOut as error:
            left_out.append(f"`{path}`: {error}")
            continue
        taken, room = taken + 1, room - len(content)
        yield path, content


def _found(folder: int, left_out: list[str]) -> Iterator[tuple[str, int]]:
    """Give each plain file as its path and an open descriptor, which is closed when the next one is asked for."""
    entries = 0
    waiting = [("", os.dup(folder))]
    try:
        while waiting:
            inside, current = waiting.pop()
            try:
                names = sorted(os.listdir(current))
                entries += len(names)
                if entries > _MOST_ENTRIES:
                    left_out.append(f"`{inside or '.'}`: there are more than {_MOST_ENTRIES:,} entries")
                    continue
                for name in names:
                    yield from _entry(inside, current, name, waiting, left_out)
            finally:
                os.close(current)
    finally:
        for _, descriptor in waiting:
            os.close(descriptor)


def _entry(
    inside: str, current: int, name: str, waiting: list[tuple[str, int]], left_out: list[str]
) -> Iterator[tuple[str, int]]:
    path = f"{inside}{name}"
    try:
        if not name.isprintable():
            raise _LeftOut("its name holds what cannot be printed")
        if stat.S_ISDIR(os.lstat(name, dir_fd=current).st_mode):
            if path.count("/") >= DEEPEST:
                raise _LeftOut("it is nested too deeply")
            waiting.append((f"{path}/", os.open(name, _FOLDER, dir_fd=current)))
            return
        opened = os.open(name, _FILE, dir_fd=current)
    except (OSError, _LeftOut) as error:
        told = error.strerror if isinstance(error, OSError) else error
        left_out.append(f"`{path if path.isprintable() else ascii(path)[1:-1]}`: {told}")
        return
    try:
        yield path, opened
    finally:
        os.close(opened)


def _content(opened: int, room: int) -> bytes:
    facts = os.fstat(opened)
    if not stat.S_ISREG(facts.st_mode):
        raise _LeftOut("it is no plain file")
    if facts.st_size > room:
        raise _LeftOut(f"its {facts.st_size:,} bytes are more than there is room for")
    with open(opened, "rb", closefd=False) as stream:
        return stream.read(facts.st_size)
