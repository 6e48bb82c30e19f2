"""Reads and writes files of a workspace that hostile code writes too: no path leaves it and no link is followed.

Each part of a path is opened below the one before it and never followed, so nothing that changes meanwhile leads out.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.errors import PathRefused, SessionError
from jupyter_mcpgen.sandbox.inside.disk_use import MOST_ENTRIES as MOST_COUNTED
from jupyter_mcpgen.sandbox.inside.disk_use import used_bytes

MOST_ENTRIES = 10_000
MOST_LISTED_CHARACTERS = 2_000_000
_MOST_PARTS = 64
_MOST_CHARACTERS = 4_096
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not waiting for a writer, should something other than a file be there.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ABOUT_THE_PATH = {
    errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.ENAMETOOLONG,
    errno.ENOTEMPTY, errno.ENXIO,
}  # fmt: skip
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class FileEntry:
    r"""One file or folder of a workspace, its path with `/` and relative to the workspace.

    Bytes of a name that are no Unicode are spelled as `\xff` in it; code in the session can use such a file, no path
    can.
    """

    path: str
    is_folder: bool
    size: int
    modified: float
    """When it was written, by its own word: a program may be able to set that, to any number."""
    changed: float = 0.0
    """When anything about it was last changed, by the kernel's word."""


@dataclass(frozen=True)
class Listing:
    """What there is in a workspace, sorted by path, and whether there is more than is listed."""

    entries: tuple[FileEntry, ...]
    is_cut: bool


@dataclass(frozen=True)
class FilePart:
    """Some bytes of a file, and how many the whole of it has."""

    content: bytes
    size: int


@dataclass(frozen=True)
class Files:
    """The files below one folder, which belong to `owner` if that is another user."""

    folder: Path
    owner: int | None
    most_bytes: int

    def read(self, path: str) -> bytes:
        """Return a file's bytes as they are."""
        return self.part(path, 0, self.most_bytes).content

    def part(self, path: str, offset: int, limit: int) -> FilePart:
        """Return at most `limit` bytes of a file, and take no more of them into memory."""
        *parents, name = _file_parts(path)
        with (
            self._opened(parents, path) as place,
            _opening(path),
            open(os.open(name, _READ, dir_fd=place), "rb") as file,
        ):
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode):
                raise PathRefused(path, "it is no file")
            if facts.st_size > self.most_bytes:
                raise SessionError(
                    f"`{path}` has {facts.st_size:,} bytes, and at most {self.most_bytes:,} can be read."
                )
            return FilePart(os.pread(file.fileno(), limit, min(offset, facts.st_size)), facts.st_size)

    def write(self, path: str, content: bytes) -> None:
        """Write a file as a whole, with the folders above it; an existing file is replaced in one step."""
        *parents, name = _file_parts(path)
        if used_bytes(self.folder, self.most_bytes) + len(content) > self.most_bytes:
            raise SessionError(
                f"`{path}` was not written: the workspace may hold {self.most_bytes:,} bytes "
                f"in {MOST_COUNTED:,} files and folders. Delete some first."
            )
        with self._opened(parents, path, make=True) as place, _opening(path):
            if _mode(name, place) not in (None, stat.S_IFREG):
                raise PathRefused(path, "something that is no file stands there")
            temporary = f".{secrets.token_hex(8)}.part"
            try:
                with open(os.open(temporary, _CREATE, 0o600, dir_fd=place), "wb") as file:
                    file.write(content)
                    self._hand_over(file.fileno())
                os.rename(temporary, name, src_dir_fd=place, dst_dir_fd=place)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=place)
                raise

    def delete(self, path: str) -> None:
        """Remove a file or an empty folder."""
        *parents, name = _file_parts(path)
        with self._opened(parents, path) as place, _opening(path):
            if _mode(name, place) == stat.S_IFDIR:
                os.rmdir(name, dir_fd=place)
            else:
                os.unlink(name, dir_fd=place)

    def listing(self, path: str = ".") -> Listing:
        """Return all files and folders below one; links and the like are left out.

        What is listed has at most `MOST_ENTRIES` paths with `MOST_LISTED_CHARACTERS` together, as paths may be long.
        """
        waiting, found, room = [_parts(path)], list[FileEntry](), MOST_LISTED_CHARACTERS
        with self._opened(waiting[0], path):
            pass  # what was asked for must be there; what vanishes below it is only left out
        while waiting and len(found) <= MOST_ENTRIES and room >= 0:
            parts = waiting.pop()
            with suppress(SessionError), self._opened(parts, path) as place:
                for name, entry in _listed(place, parts):
                    found.append(entry)
                    room -= len(entry.path)
                    if len(found) > MOST_ENTRIES or room < 0:
                        break
                    if entry.is_folder and len(parts) < _MOST_PARTS:
                        waiting.append([*parts, name])
        is_cut = len(found) > MOST_ENTRIES or room < 0
        return Listing(tuple(sorted(found[:-1] if is_cut else found, key=lambda entry: entry.path)), is_cut)

    @contextmanager
    def _opened(self, parts: list[str], path: str, *, make: bool = False) -> Iterator[int]:
        place = os.open(self.folder, _FOLDER)
        try:
            for part in parts:
                with _opening(path):
                    if make:
                        self._make(part, place)
                    below = os.open(part, _FOLDER, dir_fd=place)
                os.close(place)
                place = below
            yield place
        finally:
            os.close(place)

    def _make(self, name: str, place: int) -> None:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=place)
            if self.owner is not None:
                os.chown(name, self.owner, self.owner, dir_fd=place, follow_symlinks=False)

    def _hand_over(self, descriptor: int) -> None:
        if self.owner is not None:
            os.fchown(descriptor, self.owner, self.owner)


def _parts(path: object) -> list[str]:
    if not isinstance(path, str) or not path or "\0" in path or not _is_unicode(path):
        raise PathRefused(path, "it is no path")
    if len(path) > _MOST_CHARACTERS:
        raise PathRefused(f"{path[:64]}…", f"it has more than {_MOST_CHARACTERS:,} characters")
    if path.startswith("/") or "\\" in path:
        raise PathRefused(path, "only relative paths with `/` are taken")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise PathRefused(path, "`..` is not taken")
    if len(parts) > _MOST_PARTS:
        raise PathRefused(path, f"it has more than {_MOST_PARTS} parts")
    return parts


def _is_unicode(text: str) -> bool:
    # Half of a surrogate pair stands for a byte of a name that is no UTF-8, and cannot be sent.
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def _file_parts(path: object) -> list[str]:
    parts = _parts(path)
    if not parts:
        raise PathRefused(path, "it is the workspace itself")
    return parts


def _mode(name: str, place: int) -> int | None:
    try:
        return stat.S_IFMT(os.stat(name, dir_fd=place, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return None


def _listed(place: int, above: list[str]) -> Iterator[tuple[str, FileEntry]]:
    with os.scandir(place) as entries:
        for entry in entries:
            facts = _facts(entry)
            if facts is not None:
                yield entry.name, FileEntry(_as_unicode("/".join([*above, entry.name])), *facts)


def _as_unicode(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _facts(entry: os.DirEntry[str]) -> tuple[bool, int, float, float] | None:
    """Return whether it is a folder, its size and times; nothing for a link or the like, or if it is gone by now."""
    try:
        facts = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(facts.st_mode):
        return True, 0, facts.st_mtime, facts.st_ctime
    return (False, facts.st_size, facts.st_mtime, facts.st_ctime) if stat.S_ISREG(facts.st_mode) else None


@contextmanager
def _opening(path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise SessionError(f"There is no `{path}` in the workspace. List its files to see what is there.") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        if error.errno in _ABOUT_THE_PATH:
            raise PathRefused(path, reason) from error
        raise SessionError(f"`{path}` cannot be used: {reason}.") from error
