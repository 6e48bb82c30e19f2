"""Writes the server into a client's own configuration file, and takes it out again; everything else there stays."""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.server.commented_json import NotChangeable, entry_of, with_entry, without_entry
from jupyter_mcpgen.server.connect import FORMS, NAME, Client, file_of

_PRIVATE = 0o600
_OTHERS = 0o077
_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Change:
    """What a client's file says now, and what it will say; `path` is the file itself, behind any link."""

    path: Path
    before: str
    after: str
    exists: bool

    @property
    def diff(self) -> str:
        """The lines that change, and no others: a file may hold secrets of other servers."""
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), str(self.path), str(self.path), lineterm="", n=0
        )
        return "\n".join(lines)


def installed(client: Client, home: Path) -> Mapping[str, Any] | None:
    """Return our entry in a client's file, or None where there is none."""
    text, _ = _read(_path(client, home))
    found = entry_of(text, FORMS[client].section, NAME)
    return found if isinstance(found, dict) else None


def installation(client: Client, entry: Mapping[str, Any], home: Path) -> Change:
    """Return the change that puts our entry into a client's file; raises `NotChangeable` where it cannot be made."""
    path = _path(client, home)
    before, exists = _read(path)
    return Change(path, before, with_entry(before, FORMS[client].section, NAME, entry), exists)


def removal(client: Client, home: Path) -> Change:
    """Return the change that takes our entry out of a client's file."""
    path = _path(client, home)
    before, exists = _read(path)
    if entry_of(before, FORMS[client].section, NAME) is None:
        raise ServerError(f"`{path}` has no entry `{NAME}`, so there is nothing to remove.")
    return Change(path, before, without_entry(before, FORMS[client].section, NAME), exists)


def require_private(change: Change) -> None:
    """Refuse a file that others can read; a token is to stand in it."""
    if change.exists and change.path.stat().st_mode & _OTHERS:
        raise NotChangeable(
            f"Other users can read `{change.path}`, and a token would stand in it. Run `chmod 600` on it first, or "
            "connect without `--http`."
        )


def carry_out(change: Change) -> Path | None:
    """Write a change in one step and return the copy of what was there before, or None where there was no file."""
    now, exists = _read(change.path)
    if (now, exists) != (change.before, change.exists):
        raise ServerError(f"`{change.path}` was changed meanwhile, so nothing was written. Try again.")
    try:
        change.path.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(change.path.stat().st_mode) if exists else _PRIVATE
        backup = _copy(change.path, change.before, mode) if exists else None
        _replace(change.path, change.after, mode)
    except OSError as error:
        raise ServerError(f"`{change.path}` was not changed: {error.strerror or error}.") from error
    return backup


def _path(client: Client, home: Path) -> Path:
    """Return the file itself: one that is a link stays a link."""
    return Path(os.path.realpath(home / file_of(client)))


def _read(path: Path) -> tuple[str, bool]:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES:
            raise NotChangeable(f"`{path}` is no file of settings.")
        with path.open(encoding="utf-8", newline="") as file:
            return file.read(), True
    except FileNotFoundError:
        return "", False
    except UnicodeDecodeError as error:
        raise NotChangeable(f"`{path}` is not UTF-8 text.") from error
    except OSError as error:
        raise ServerError(f"`{path}` cannot be read: {error.strerror or error}.") from error


def _copy(path: Path, text: str, mode: int) -> Path:
    """Keep what was there, under a name that is free."""
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.mcpgen-backup-{number}")
        try:
            descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
        return backup


def _replace(path: Path, text: str, mode: int) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        with suppress(FileNotFoundError):  # the rename may have happened
            Path(name).unlink()
        raise
