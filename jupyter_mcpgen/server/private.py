"""Files that only their owner may read: tokens, keys and the state of a running server."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jupyter_mcpgen.errors import ServerError

KEY_BYTES = 32


def private_folder(folder: Path) -> Path:
    """Create the folder of the server's private files when it is not there yet."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise _unwritable(folder, error) from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise ServerError(
            f"`{folder}` is not a private folder of yours: another user owns it or may write to it. "
            "Delete it, or choose another place."
        )
    return folder


def write_private(path: Path, text: str) -> None:
    """Replace a file in one step; nobody else can read it at any moment."""
    private_folder(path.parent)
    try:
        # `mkstemp` creates with mode 0600.
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError as error:
        with suppress(FileNotFoundError):  # the rename may have happened
            Path(name).unlink()
        raise _unwritable(path, error) from error


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one process at a time do something; the others wait."""
    from filelock import FileLock  # deferred: a command that changes nothing needs none

    with FileLock(path):
        yield


def is_locked(path: Path) -> bool:
    """Tell whether a process does something now that only one at a time may do."""
    from filelock import FileLock, Timeout  # deferred, as above

    try:
        with FileLock(path, timeout=0):
            return False
    except Timeout:
        return True


def state_key(folder: Path) -> bytes:
    """Return the key that seals request states, made on first use; it outlives the server, so open rounds do too."""
    path = private_folder(folder) / "state.key"
    with locked(path.with_suffix(".lock")):
        if not path.exists():
            write_private(path, secrets.token_hex(KEY_BYTES))
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise ServerError(f"`{path}` is not a key. Delete it; the next start makes a new one.") from error
    if len(key) != KEY_BYTES:
        raise ServerError(f"`{path}` is not a key. Delete it; the next start makes a new one.")
    return key


def _unwritable(path: Path, error: OSError) -> ServerError:
    return ServerError(
        f"`{path}` cannot be written ({error.strerror or error}). "
        "Free some space or take ownership of Jupyter's data folder."
    )
