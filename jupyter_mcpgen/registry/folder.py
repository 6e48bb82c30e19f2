"""Every file of a registry is read and written here, and nothing here leads out of it.

A registry may come from somebody else (a clone, a shared folder), with links planted in it. So each part of a path is
opened below the one before it and no link is followed: whoever changes the folder meanwhile redirects nobody. Content
is added only to a file that has no second name elsewhere. What is written is whole or not at all: data reaches the
disk before its name does.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_mcpgen.errors import LeadsOut, RegistryNotYours

_FOLDER = os.O_RDONLY | os.O_DIRECTORY
# Not waiting for whoever is at the other end, should a pipe be there.
_READ = os.O_RDONLY | os.O_NONBLOCK
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_OWN = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK
_NOT_FOLLOWED = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)
_ADMINISTRATOR = 0

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


@dataclass(frozen=True)
class Folder:
    """The folder of one registry. All paths are below its root; a link or a special file raises `LeadsOut`.

    The root itself is where the person's settings lead. One that another user owns raises `RegistryNotYours`: they
    could change an approval after it was given.
    """

    root: Path

    def read(self, path: Path, most: int | None = MOST_BYTES) -> bytes:
        """Return the content of a regular file; more than `most` bytes raise `OSError`."""
        with self._parent(path) as (place, name):
            return _content(place, name, path, most)

    def read_all(self, path: Path) -> dict[str, bytes]:
        """Return the files of a folder that has nothing else in it, by name; too much of it raises `OSError`."""
        files: dict[str, bytes] = {}
        room = MOST_BYTES
        with self._opened(path) as place:
            for name in sorted(os.listdir(place)):
                files[name] = _content(place, name, path / name, room)
                room -= len(files[name])
        return files

    def mark(self, path: Path) -> Mark | None:
        """Return what tells one state of a file from the next without reading it; `None` for no file."""
        try:
            with self._parent(path) as (place, name):
                about = os.stat(name, dir_fd=place, follow_symlinks=False)
        except OSError:
            return None
        return about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns

    def exists(self, path: Path) -> bool:
        """Say whether anything has that name, be it a link that leads nowhere."""
        return self.mark(path) is not None

    def entries(self, path: Path) -> tuple[Path, ...]:
        """Return what lies in a folder, sorted; nothing where there is no such folder."""
        try:
            with self._opened(path) as place:
                return tuple(path / name for name in sorted(os.listdir(place)))
        except (FileNotFoundError, NotADirectoryError):
            return ()

    def free_name(self, path: Path) -> Path:
        """Return the path itself, or with `_2`, `_3`, … behind it when it exists."""
        free, count = path, 1
        while self.exists(free):
            count += 1
            free = path.with_name(f"{path.name}_{count}")
        return free

    def make(self, path: Path) -> None:
        """Create a private folder and its parents; existing ones stay as they are."""
        _make_root(self.root)
        made = self.root
        for part in self._parts(path):
            with self._opened(made) as place, suppress(FileExistsError):
                os.mkdir(part, 0o700, dir_fd=place)
                os.fsync(place)
            made /= part
        with self._opened(made):
            return  # it is a folder, and no link to one

    def write_new(self, path: Path, content: bytes) -> None:
        """Create a private file; `sync` waits until it is on the disk."""
        with (
            self._parent(path) as (place, name),
            open(_open(name, _CREATE, place, path), "wb") as file,
        ):
            file.write(content)

    def make_new(self, path: Path) -> None:
        """Create a private folder in one that is there; `sync` of that one waits until it is on the disk."""
        with self._parent(path) as (place, name):
            os.mkdir(name, 0o700, dir_fd=place)

    def replace(self, path: Path, content: bytes) -> None:
        """Put a file in place: readers see the old content or the new one."""
        temporary = path.with_name(f".{path.name}.new")
        self.remove(temporary)
        self.write_new(temporary, content)
        self.sync(temporary)
        with self._parent(path) as (place, name):
            os.replace(temporary.name, name, src_dir_fd=place, dst_dir_fd=place)
            os.fsync(place)

    def move(self, source: Path, target: Path) -> None:
        """Rename a file or folder, and replace a file; nothing happens when it was moved before.

        `sync` of both folders waits until that is on the disk.
        """
        if not self.exists(source):
            return
        with self._parent(source) as (old, old_name), self._parent(target) as (new, new_name):
            if _is_folder(old_name, old) and _is_folder(new_name, new):
                return
            os.replace(old_name, new_name, src_dir_fd=old, dst_dir_fd=new)

    def append_line(self, path: Path, line: str) -> None:
        """Add a line to a file unless it is the last one already; the beginning of it that a kill left is completed."""
        new = line.encode() + b"\n"
        with open(self.open_own(path), "r+b") as file:
            old = file.read()
            if old.endswith(new):
                return
            whole, separator, tail = old.rpartition(b"\n")
            if tail and new.startswith(tail):
                file.truncate(len(whole) + len(separator))
            elif tail:
                new = b"\n" + new
            file.seek(0, os.SEEK_END)
            file.write(new)
            file.flush()
            os.fsync(file.fileno())

    def open_own(self, path: Path) -> int:
        """Return a descriptor to change a file in its place, made when it is not there; a hard link is refused.

        Through a second name the change would reach a file outside.
        """
        with self._parent(path) as (place, name):
            descriptor = _regular(_open(name, _OWN, place, path), path)
        if os.fstat(descriptor).st_nlink > 1:
            os.close(descriptor)
            raise LeadsOut(path, "it is a hard link, and has another name elsewhere")
        return descriptor

    def remove(self, path: Path) -> None:
        """Remove a file or a folder with all that is in it; nothing there is fine, a link is never followed."""
        with suppress(FileNotFoundError), self._parent(path) as (place, name):
            if _is_folder(name, place):
                with _closing(_open(name, _FOLDER, place, path)) as folder:
                    _empty(folder)
                os.rmdir(name, dir_fd=place)
            else:
                os.unlink(name, dir_fd=place)

    def sync(self, path: Path) -> None:
        """Wait until the content of a file, or the names in a folder, are on the disk."""
        if path == self.root:
            with self._opened(path) as place:
                os.fsync(place)
            return
        with self._parent(path) as (place, name), _closing(_open(name, _READ, place, path)) as descriptor:
            os.fsync(descriptor)

    def _parts(self, path: Path) -> tuple[str, ...]:
        parts = path.relative_to(self.root).parts
        if ".." in parts:
            raise LeadsOut(path, "it leaves the registry's folder")
        return parts

    @contextmanager
    def _parent(self, path: Path) -> Iterator[tuple[int, str]]:
        with self._opened(path.parent) as place:
            yield place, path.name

    @contextmanager
    def _opened(self, path: Path) -> Iterator[int]:
        parts, reached = self._parts(path), self.root
        place = _open(str(self.root), _FOLDER, None, self.root)
        try:
            if os.fstat(place).st_uid not in (os.geteuid(), _ADMINISTRATOR):
                raise RegistryNotYours(self.root)
            for part in parts:
                reached /= part
                below = _open(part, _FOLDER, place, reached)
                os.close(place)
                place = below
            yield place
        finally:
            os.close(place)


def _open(name: str, flags: int, place: int | None, path: Path) -> int:
    try:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=place)
    except OSError as error:
        if error.errno in _NOT_FOLLOWED and _mode(name, place) == stat.S_IFLNK:
            raise LeadsOut(path, "it is a symbolic link") from error
        if error.errno == errno.ENXIO:  # a socket, or a pipe without a reader
            raise LeadsOut(path, "it is not a regular file") from error
        raise


def _content(place: int, name: str, path: Path, most: int | None) -> bytes:
    with open(_regular(_open(name, _READ, place, path), path), "rb") as file:
        content = file.read(-1 if most is None else most + 1)
    if most is not None and len(content) > most:
        raise OSError(f"`{path.name}` holds more than {most:,} bytes")
    return content


def _regular(descriptor: int, path: Path) -> int:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise LeadsOut(path, "it is not a regular file")
    return descriptor


def _mode(name: str, place: int | None) -> int | None:
    try:
        return stat.S_IFMT(os.stat(name, dir_fd=place, follow_symlinks=False).st_mode)
    except OSError:
        return None


def _is_folder(name: str, place: int) -> bool:
    return _mode(name, place) == stat.S_IFDIR


@contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _empty(top: int) -> None:
    """Empty a folder: what lies in a folder of it comes to the top first, so that nothing recurses however deep."""
    moved = 0
    while names := os.listdir(top):
        for name in names:
            if not _is_folder(name, top):
                os.unlink(name, dir_fd=top)
                continue
            with _closing(os.open(name, _FOLDER | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)) as folder:
                for inner in os.listdir(folder):
                    moved += 1
                    os.rename(inner, f".removed-{os.getpid()}-{moved}", src_dir_fd=folder, dst_dir_fd=top)
            os.rmdir(name, dir_fd=top)


def _make_root(path: Path) -> None:
    if path.is_dir():
        return
    _make_root(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    with _closing(os.open(path.parent, _FOLDER | os.O_CLOEXEC)) as place:
        os.fsync(place)
