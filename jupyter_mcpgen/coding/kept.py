"""What checkers said of files, kept by content, so that only what changed is checked again.

A lost or broken store costs time and nothing else. It is the user's own, in their cache folder.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
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

    def find(self, checker: Checker, files: Sequence[SourceFile]) -> Mapping[str, Checked]:
        """Return what is known of these files, by path."""
        if self.path is None or not self.path.is_file():
            return {}
        keys = {_key(checker, file, files): file.path for file in files}
        try:
            with closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS)) as store:
                rows = [
                    row
                    for key in keys
                    for row in store.execute("SELECT key, answer FROM said WHERE key = ?", (key,)).fetchall()
                ]
            return {keys[key]: Checked.model_validate_json(answer) for key, answer in rows}
        except (sqlite3.Error, ValidationError):
            _LOG.warning("What checkers said before cannot be read, so all is checked again.", exc_info=True)
            return {}

    def keep(self, checker: Checker, files: Sequence[SourceFile], said: Mapping[str, Checked]) -> None:
        """Keep what a checker said of these files."""
        if self.path is None:
            return
        rows = [(_key(checker, file, files), said[file.path].model_dump_json()) for file in files if file.path in said]
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS)) as store, store:
                store.execute(_TABLE)
                store.executemany("INSERT OR REPLACE INTO said VALUES (?, ?)", rows)
                (held,) = store.execute("SELECT count(*) FROM said").fetchone()
                if held > MOST_KEPT:
                    store.execute("DELETE FROM said")
        except (OSError, sqlite3.Error):
            _LOG.warning("What checkers said cannot be kept in `%s`.", self.path, exc_info=True)


def default_kept() -> Kept:
    """Return what is kept in the user's own cache folder."""
    return Kept(user_cache_path("jupyter-mcpgen") / "analysis.sqlite")


def _key(checker: Checker, file: SourceFile, files: Sequence[SourceFile]) -> str:
    """Return what an answer depends on: the checker, the file, and all files where the checker sees them together."""
    beside = "".join(f"{one.path}\0{one.digest}\0" for one in files) if checker.sees_all else ""
    text = f"{checker.fingerprint}\0{file.path}\0{file.digest}\0{hashlib.sha256(beside.encode()).hexdigest()}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
