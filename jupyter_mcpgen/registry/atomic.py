"""Writing that is whole or not at all: data reaches the disk before its name does."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)  # absent on Windows
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)  # Windows only

MOST_BYTES = 64 * 1024 * 1024
"""More than a tool has in all its files; who shares the folder could else fill the memory with a file of holes.

The log of decisions alone is read whole, as it may grow for years.
"""

Mark = tuple[int, ...]


def json_text(value: Any, sort_keys: bool = True) -> str:
    """Return JSON as it is kept on disk: readable, stable, ending with a newline.

    Lists of names sort their keys; records keep the order of their fields, because the order of columns and
    parameters means something to a reader.
    """
    return json.dumps(value, indent=2, sort_keys=sort_keys, ensure_ascii=False) + "\n"


def make_folder(path: Path) -> None:
    """Create a private folder and its parents; existing ones stay as they are."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    sync_folder(path.parent)


def write_new_file(path: Path, content: bytes) -> None:
    """Create a private file and wait until its content is on the disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def write_new_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Create a private folder with its files, all of it on the disk when this returns."""
    path.mkdir(mode=0o700)
    for name, content in files.items():
        write_new_file(path / name, content)
    sync_folder(path)


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in place: readers see the old content or the new one."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.unlink(missing_ok=True)
    write_new_file(temporary, content)
    os.replace(temporary, path)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name == "nt":  # Windows has no handle for this; its renames are journaled by the file system
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_file(path: Path, most: int | None = MOST_BYTES) -> bytes:
    """Return the content of a regular file; a symbolic link, a device or more than `most` bytes raise `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _BINARY)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"`{path.name}` is not a regular file")
        content = file.read(-1 if most is None else most + 1)
    if most is not None and len(content) > most:
        raise OSError(f"`{path.name}` holds more than {most:,} bytes")
    return content


def mark(path: Path) -> Mark | None:
    """Return what tells one state of a file from the next without reading it; `None` for no file."""
    try:
        about = path.lstat()
    except OSError:
        return None
    return about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it; nothing there is fine, a link is never followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
