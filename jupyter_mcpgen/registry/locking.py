"""One change at a time, between threads and processes; reads never see half of one."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from jupyter_mcpgen.errors import LeadsOut, RegistryBusy, RegistryReadOnly
from jupyter_mcpgen.registry.folder import Mark
from jupyter_mcpgen.registry.git_files import keep_git_files
from jupyter_mcpgen.registry.journal import Checkpoint, Transaction, recover
from jupyter_mcpgen.registry.layout import Layout

LOCK_SECONDS = 30.0
_LOCK_PAUSE = 0.01
READ_ATTEMPTS = 100
READ_PAUSE = 0.02
T = TypeVar("T")


class _Disturbed(Exception):
    """A change went on while something was read."""


class Guard:
    """Holds the lock of one registry, and finishes what a killed process left before anything else happens."""

    def __init__(self, layout: Layout, checkpoint: Checkpoint) -> None:
        self._layout = layout
        self._folder = layout.folder
        self._checkpoint = checkpoint

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
            self._folder.make(self._layout.root)
            with self._held():
                transaction = Transaction(self._layout, operation, self._checkpoint)
                keep_git_files(self._layout)
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

    def _pulse(self) -> tuple[Mark | None, ...] | None:
        # A change replaces one of these files while its journal is there, so an equal pulse on both sides of a
        # reading means that nothing moved in between.
        return None if self._folder.exists(self._layout.journal) else tuple(map(self._folder.mark, self._layout.pulse))

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
        descriptor = self._locked()
        try:
            recover(self._layout, self._checkpoint)
            yield
        finally:
            os.close(descriptor)  # and with it the lock

    def _locked(self) -> int:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            descriptor = self._folder.open_own(self._layout.lock)
            try:
                if _locks(descriptor):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)
            if time.monotonic() > deadline:
                raise RegistryBusy(self._layout.root, LOCK_SECONDS)
            time.sleep(_LOCK_PAUSE)

    def _forget_unfinished(self) -> None:
        # Only tidiness: whoever locks next does the same.
        with suppress(OSError):
            if not self._folder.exists(self._layout.journal):
                self._folder.remove(self._layout.workshop)

    def _refuse_links(self) -> None:
        # Each would be refused where it is used; said beforehand, nothing is half done.
        for folder in self._layout.folders:
            if os.path.islink(folder):  # says no where a `Path` raises for want of rights
                raise LeadsOut(folder, "it is a symbolic link")


def _locks(descriptor: int) -> bool:
    """Lock a file, unless somebody else has it or took it away while it was opened."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(descriptor).st_nlink > 0
