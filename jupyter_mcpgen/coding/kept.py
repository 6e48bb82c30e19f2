"""What checkers said of files, kept by content, so that only what changed is checked again.

Nothing is kept that another file of this machine may change: what a checker said that reads installed headers, and that
a file could not be checked, which is often for want of something.
A lost or broken store costs time and nothing else. It is the user's own, in their cache folder.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path
from pydantic import ValidationError

from jupyter_mcpgen.coding.checkers import Checker
from jupyter_mcpgen.coding.checking import Checked
from jupyter_mcpgen.coding.tree import SourceFile

MOST_KEPT = 200_000
_WAIT_SECONDS = 10.0
_LOG = logging.getLogger(__name__)
_TABLE = "CREATE TABLE IF NOT EXISTS said (key TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID"


@dataclass(frozen=True)
class Kept:
    """Answers of checkers in one file on disk; `None` keeps nothing."""

    path: Path | None

    def find(
        self,
        checker: Checker,
        files: Sequence[SourceFile],
        package: str | None = None,
        included: Sequence[SourceFile] = (),
    ) -> Mapping[str, Checked]:
        """Return what is known of these files, by path."""
        if self.path is None or checker.reads_headers or not self.path.is_file():
            return {}
        together = _together(checker, (*files, *included), package)
        keys = {_key(file, together): file.path for file in files}
        try:
            with self._opened(self.path) as store:
                found = [store.execute("SELECT key, answer FROM said WHERE key = ?", (key,)).fetchone() for key in keys]
            return {keys[key]: Checked.model_validate_json(answer) for key, answer in filter(None, found)}
        except (sqlite3.Error, ValidationError):
            _LOG.warning("What checkers said before cannot be read, so all is checked again.", exc_info=True)
            return {}

    @contextmanager
    def _opened(self, path: Path) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS)) as store:
            store.execute(_TABLE)
            yield store

    def keep(
        self,
        checker: Checker,
        files: Sequence[SourceFile],
        said: Mapping[str, Checked],
        package: str | None = None,
        included: Sequence[SourceFile] = (),
    ) -> None:
        """Keep what a checker said of the files that it checked."""
        if self.path is None or checker.reads_headers:
            return
        together = _together(checker, (*files, *included), package)
        keyed = ((_key(file, together), said.get(file.path)) for file in files)
        rows = [(key, checked.model_dump_json()) for key, checked in keyed if checked and checked.unchecked is None]
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._opened(self.path) as store, store:
                store.executemany("INSERT OR REPLACE INTO said VALUES (?, ?)", rows)
                (held,) = store.execute("SELECT count(*) FROM said").fetchone()
                if held > MOST_KEPT:
                    store.execute("DELETE FROM said")
        except (OSError, sqlite3.Error):
            _LOG.warning("What checkers said cannot be kept in `%s`.", self.path, exc_info=True)


def default_kept() -> Kept:
    """Return what is kept in the user's own cache folder."""
    return Kept(user_cache_path("jupyter-mcpgen") / "analysis.sqlite")


def _together(checker: Checker, files: Sequence[SourceFile], package: str | None) -> str:
    """Return what an answer depends on besides its file: the checker, and all files where it sees them together.

    Whether they are the content of a package, and of which name, matters to such a checker as well.
    """
    beside = "".join(f"{one.path}\0{one.digest}\0" for one in files) + (package or "") if checker.sees_all else ""
    return _digest(f"{checker.fingerprint}\0{beside}")


def _key(file: SourceFile, together: str) -> str:
    return _digest(f"{together}\0{file.path}\0{file.digest}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
