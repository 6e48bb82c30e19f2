"""One change at a time, between threads and processes; reads never see half of one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from filelock import FileLock, Timeout

from jupyter_mcpgen.errors import CorruptRegistry, RegistryBusy, RegistryNotYours, RegistryReadOnly
from jupyter_mcpgen.registry import atomic
from jupyter_mcpgen.registry.journal import Checkpoint, Transaction, recover
from jupyter_mcpgen.registry.layout import Layout

LOCK_SECONDS = 30.0
READ_ATTEMPTS = 100
READ_PAUSE = 0.02
_ADMINISTRATOR = 0
T = TypeVar("T")


class _Disturbed(Exception):
    """A change went on while something was read."""


class Guard:
    """Holds the lock of one registry, and finishes what a killed process left before anything else happens."""

    def __init__(self, layout: Layout, checkpoint: Checkpoint) -> None:
        self._layout = layout
        self._checkpoint = checkpoint
        self._lock = FileLock(layout.lock, mode=0o600, poll_interval=0.01)

    def read(self, reader: Callable[[], T]) -> T:
        """Return what the reader finds between two changes; reading creates nothing and makes nobody wait."""
        self._refuse_links()
        try:
            return self._undisturbed(reader)
        except _Disturbed:
            return self._read_locked(reader)

    @contextmanager
    def change(self, operation: str) -> Iterator[Transaction]:
        """Collect a change and carry it out when the block ends well; on an error nothing happens."""
        self._refuse_links()
        try:
            atomic.make_folder(self._layout.root)
            with self._held():
                transaction = Transaction(self._layout, operation, self._checkpoint)
                for path, content in self._layout.git_files.items():
                    if not path.exists():
                        atomic.replace_file(path, content)
                try:
                    yield transaction
                    transaction.commit()
                finally:
                    self._forget_unfinished()
        except OSError as error:
            raise RegistryReadOnly(self._layout.root, error.strerror or str(error)) from error

    def obstacle(self) -> str | None:
        """Say why nothing can be written, or `None` when it can; creates nothing."""
        place = self._layout.root
        while not os.path.lexists(place) and place != place.parent:
            place = place.parent
        if not place.is_dir():
            return f"`{place}` is not a folder"
        return None if os.access(place, os.W_OK | os.X_OK) else f"`{place}` is not yours to write"

    def _undisturbed(self, reader: Callable[[], T]) -> T:
        before = self._pulse()
        if before is None:
            raise _Disturbed
        try:
            found = reader()
        except Exception:
            if self._pulse() != before:
                raise _Disturbed from None
            raise
        if self._pulse() != before:
            raise _Disturbed
        return found

    def _pulse(self) -> tuple[atomic.Mark | None, ...] | None:
        # A change replaces one of these files while its journal is there, so an equal pulse on both sides of a
        # reading means that nothing moved in between.
        return None if self._layout.journal.exists() else tuple(map(atomic.mark, self._layout.pulse))

    def _read_locked(self, reader: Callable[[], T]) -> T:
        try:
            with self._held():
                return reader()
        except PermissionError as error:
            return self._read_without_lock(reader, error)

    def _read_without_lock(self, reader: Callable[[], T], error: PermissionError) -> T:
        for _ in range(READ_ATTEMPTS):  # a folder that this user may only read: wait for whoever changes it
            with suppress(_Disturbed):
                return self._undisturbed(reader)
            time.sleep(READ_PAUSE)
        raise RegistryReadOnly(self._layout.root, "a change that was cut short waits to be finished") from error

    @contextmanager
    def _held(self) -> Iterator[None]:
        try:
            self._lock.acquire(timeout=LOCK_SECONDS)
        except Timeout as error:
            raise RegistryBusy(self._layout.root, LOCK_SECONDS) from error
        try:
            recover(self._layout, self._checkpoint)
            yield
        finally:
            self._lock.release()

    def _forget_unfinished(self) -> None:
        # Only tidiness: whoever locks next does the same.
        with suppress(OSError):
            if not self._layout.journal.exists():
                atomic.remove(self._layout.workshop)

    def _refuse_strangers(self) -> None:
        """Refuse a root that another user owns: they could change an approval after it was given."""
        try:
            owner = self._layout.root.stat().st_uid
        except OSError:
            return  # not there yet, or not to be looked at, which the next step says better
        if hasattr(os, "geteuid") and owner not in (os.geteuid(), _ADMINISTRATOR):  # Windows has no such numbers
            raise RegistryNotYours(self._layout.root)

    def _refuse_links(self) -> None:
        self._refuse_strangers()
        for folder in self._layout.folders:
            if folder.is_symlink():
                raise CorruptRegistry(folder, "it is a symbolic link")
