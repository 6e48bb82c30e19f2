"""Builds on disk: one folder for each, whose lock is held by the process that builds, for as long as it lives."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from jupyter_mcpgen.build.records import Artifact, State
from jupyter_mcpgen.errors import RegistryError
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.registry.folder import Folder

MOST_KEPT = 200
"""Older builds that are over are forgotten."""
_ID = re.compile(r"build_[0-9a-f]{24}")
_STATE, _LOG, _LOCK, _CANCEL = "build.json", "build.log", "lock", "cancel"


class KeptBuild(Record):
    """A build and its status."""

    build_id: str
    target: str
    content: str
    """A digest of all that decides what is built, and where it is written."""
    created_at: str
    state: State = State.PENDING
    progress: int = 0
    message: str = "Waiting for its turn."
    artifacts: tuple[Artifact, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class KeptBuilds:
    """The builds of all processes that share a state folder."""

    root: Path

    def create(self, build: KeptBuild) -> Claim:
        """Keep a new build, and return the claim of this process to it."""
        folder = self._folder
        folder.make(self.root / build.build_id)
        claim = Claim(folder.open_own(self._place(build.build_id, _LOCK)))
        fcntl.flock(claim.descriptor, fcntl.LOCK_EX)
        self.write(build)
        folder.write_new(self.log(build.build_id), b"")
        self._forget_oldest()
        return claim

    def write(self, build: KeptBuild) -> None:
        """Keep the status of a build; readers see the old one or the new one."""
        self._folder.replace(self._place(build.build_id, _STATE), build.model_dump_json(indent=2).encode())

    def read(self, build_id: str) -> KeptBuild | None:
        """Return a build with its status; None for an id that no build has.

        A build whose process is gone has failed, and is kept so.
        """
        build = self._read(build_id)
        if build is None or build.state.is_over or self._is_owned(build_id):
            return build
        build = self._read(build_id) or build  # it may have ended between the two looks
        if build.state.is_over:
            return build
        lost = build.replace(
            state=State.FAILURE,
            message="The build failed.",
            error="The process that built it ended before the build did. Start it again.",
        )
        self.write(lost)
        return lost

    def everything(self) -> Iterator[KeptBuild]:
        """Yield the builds that can be read, newest first."""
        found = [build for path in self._folders() if (build := self._read(path.name)) is not None]
        yield from sorted(found, key=lambda build: (build.created_at, build.build_id), reverse=True)

    def log(self, build_id: str) -> Path:
        """Return where the log of a build is."""
        return self._place(build_id, _LOG)

    def write_log(self, build_id: str, line: str) -> None:
        """Add a line to the log of a build."""
        with open(self._folder.open_own(self.log(build_id)), "ab") as file:
            file.write(line.encode("utf-8", "replace") + b"\n")

    def read_log(self, build_id: str) -> str:
        """Return the log of a build."""
        return self._folder.read(self.log(build_id)).decode("utf-8", "replace")

    def ask_to_stop(self, build_id: str) -> None:
        """Let the process of a build know that it is not wanted any more."""
        os.close(self._folder.open_own(self._place(build_id, _CANCEL)))

    def is_asked_to_stop(self, build_id: str) -> bool:
        """Tell whether a build is not wanted any more."""
        return self._folder.exists(self._place(build_id, _CANCEL))

    @property
    def _folder(self) -> Folder:
        return Folder(self.root)

    def _place(self, build_id: str, name: str) -> Path:
        return self.root / build_id / name

    def _folders(self) -> tuple[Path, ...]:
        return self._folder.entries(self.root) if self.root.is_dir() else ()

    def _read(self, build_id: str) -> KeptBuild | None:
        if not _ID.fullmatch(build_id):
            return None
        with suppress(OSError, RegistryError, ValidationError):  # no build, or a folder that somebody damaged
            return KeptBuild.model_validate_json(self._folder.read(self._place(build_id, _STATE)))
        return None

    def _is_owned(self, build_id: str) -> bool:
        try:
            descriptor = self._folder.open_own(self._place(build_id, _LOCK))
        except (OSError, RegistryError):
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def _forget_oldest(self) -> None:
        over = [build for build in self.everything() if build.state.is_over]
        for build in over[MOST_KEPT:]:
            self._folder.remove(self.root / build.build_id)


@dataclass(frozen=True)
class Claim:
    """The lock of a build; the kernel gives it up when the process that holds it ends, however it does."""

    descriptor: int

    def give_up(self) -> None:
        """Let others see that nobody builds any more."""
        os.close(self.descriptor)


def new_id() -> str:
    """Return an id that nobody can guess: who knows it may ask for the build."""
    return f"build_{secrets.token_hex(12)}"
