"""The folder of one process for drafts and snapshots, and the sweeping of folders that killed processes left behind."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil
from pydantic import ValidationError

from jupyter_mcpgen.model.record import Record

PREFIX = "mcpgen-"
OWNER = ".mcpgen-owner.json"
_SAME_BIRTH_SECONDS = 1.0
"""Two processes with one id cannot have been born within a second of each other."""


class Owner(Record):
    """The process that a folder belongs to. `world` tells containers apart: each has process ids of its own."""

    pid: int
    born: float
    world: str


def make_workspace(parent: Path | None = None) -> Path:
    """Make a private folder for this process, after sweeping those whose processes are gone."""
    home = (parent or Path(tempfile.gettempdir())).resolve()
    sweep(home)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=home))
    owner = Owner(pid=os.getpid(), born=psutil.Process().create_time(), world=_world())
    (folder / OWNER).write_text(owner.model_dump_json(), encoding="utf-8")
    return folder


def sweep(home: Path) -> tuple[Path, ...]:
    """Remove the folders of ours that no living process owns, and return them; whatever is not surely ours stays."""
    gone = tuple(folder for folder in sorted(home.glob(f"{PREFIX}*")) if _is_left_behind(folder))
    for folder in gone:
        shutil.rmtree(folder, ignore_errors=True)  # another start may be sweeping it too
    return gone


def _is_left_behind(folder: Path) -> bool:
    try:
        is_mine = not folder.is_symlink() and folder.is_dir() and folder.stat().st_uid == os.geteuid()
        owner = Owner.model_validate_json(_plain_file(folder / OWNER)) if is_mine else None
    except (OSError, ValidationError):
        return False  # no folder of this kind, or one that is just being made
    return owner is not None and owner.world == _world() and not _lives(owner)


def _plain_file(path: Path) -> bytes:
    """Read a file that a killed tool may have left: no link is followed, and nobody waits at a pipe."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        return file.read()


def _lives(owner: Owner) -> bool:
    try:
        return abs(psutil.Process(owner.pid).create_time() - owner.born) <= _SAME_BIRTH_SECONDS
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True  # it is there, and more cannot be said


def _world() -> str:
    """Return what tells this machine's process ids from those of another machine or container."""
    with suppress(OSError):
        return f"{os.uname().nodename} {os.readlink('/proc/self/ns/pid')}"
    return os.uname().nodename
