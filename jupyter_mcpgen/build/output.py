"""Where artifacts are written: a folder that is reached without following a link, and no file that is not ours.

A path is checked before a build begins, and somebody may plant a link in it before the build ends. So each part is
opened below the one before it. A file that is there is replaced only if a build made it and nobody changed it since.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.build.records import Artifact
from jupyter_mcpgen.errors import BuildError, FileInTheWay

_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MODE = 0o644


@dataclass(frozen=True)
class Output:
    """A folder for artifacts, links in its path followed before; it is made when something is written."""

    folder: Path

    def write(self, files: Mapping[str, bytes], made: Callable[[Path], Collection[str]]) -> tuple[Artifact, ...]:
        """Write files, or none where one is in the way; `made` returns the digests of what builds wrote at a path.

        A name may begin with folders (`tests/test_it.py`). Raises `FileInTheWay` for a file that no build made.
        """
        try:
            for name, content in files.items():
                known = {digest(content), *made(self.folder / name)}
                if not self._is_free(self.folder / name, known):
                    raise FileInTheWay(self.folder / name)
            for name, content in files.items():
                with _opened((self.folder / name).parent, makes=True) as place:
                    _put(place, Path(name).name, content)
        except OSError as error:
            raise BuildError(
                f"`{self.folder}` cannot be written: {error.strerror or error}. Choose another folder."
            ) from error
        return tuple(
            Artifact(path=str(self.folder / name), sha256=digest(content), size=len(content))
            for name, content in files.items()
        )

    def _is_free(self, path: Path, known: Collection[str]) -> bool:
        """Tell whether nothing is at a path, or a file that has one of the known digests."""
        try:
            with _opened(path.parent) as place:
                about = os.stat(path.name, dir_fd=place, follow_symlinks=False)
                is_file = stat.S_ISREG(about.st_mode)
                return is_file and _digest_of(os.open(path.name, _READ, dir_fd=place)) in known
        except FileNotFoundError:
            return True


def digest(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def is_unchanged(artifact: Artifact) -> bool:
    """Tell whether a file is there as a build made it."""
    try:
        descriptor = os.open(artifact.path, _READ)
    except OSError:
        return False
    return _digest_of(descriptor) == artifact.sha256


@contextmanager
def _opened(folder: Path, *, makes: bool = False) -> Iterator[int]:
    """Open a folder, each part of its path below the one before it; without `makes` it has to be there."""
    if ".." in folder.parts:
        raise FileNotFoundError(f"`{folder}` leads up")
    place = os.open(folder.anchor, _FOLDER)
    try:
        for part in folder.parts[1:]:
            below = _below(place, part, makes=makes)
            os.close(place)
            place = below
        yield place
    finally:
        os.close(place)


def _below(place: int, part: str, *, makes: bool) -> int:
    with suppress(FileNotFoundError):
        return os.open(part, _FOLDER, dir_fd=place)
    if makes:
        with suppress(FileExistsError):  # somebody else made it meanwhile
            os.mkdir(part, 0o755, dir_fd=place)
    return os.open(part, _FOLDER, dir_fd=place)


def _digest_of(descriptor: int) -> str:
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return hashlib.file_digest(file, "sha256").hexdigest()


def _put(place: int, name: str, content: bytes) -> None:
    """Put a file in place: readers see the old content or the new one."""
    temporary = f".{name}.{secrets.token_hex(8)}"
    try:
        with open(os.open(temporary, _NEW, _MODE, dir_fd=place), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=place, dst_dir_fd=place)
    except OSError:
        with suppress(OSError):  # what went wrong first is what is told
            os.unlink(temporary, dir_fd=place)
        raise
