"""The embeddings of texts, kept in the file of the index, so that what a tool is described in is embedded once.

They are derived like the index, and kept by model and by text: a tool whose text changes is another text. Where the
file cannot be read or written they are kept in memory.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from array import array
from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from pathlib import Path

Vector = tuple[float, ...]
_WAIT = 0.2
_NUMBER = array("d").itemsize
_TABLE = """
CREATE TABLE IF NOT EXISTS embeddings (
    model TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text)
)
"""


class KeptVectors:
    """The embeddings of one registry's tools; without a path they are kept in memory only."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._kept: dict[tuple[str, str], Vector] = {}

    def of(self, model: str, texts: Collection[str]) -> dict[str, Vector]:
        """Return the kept vectors of a model by text; a text that has none is missing."""
        wanted = {text: (model, _digest(text)) for text in texts}
        if not self._kept.keys() >= set(wanted.values()):
            self._kept.update(self._stored(model))
        return {text: self._kept[key] for text, key in wanted.items() if key in self._kept}

    def keep(self, model: str, vectors: Mapping[str, Vector], texts: Collection[str]) -> None:
        """Keep vectors by text, and forget those of texts that no tool has."""
        self._kept.update({(model, _digest(text)): vector for text, vector in vectors.items()})
        known = {_digest(text) for text in (*texts, *vectors)}
        self._kept = {key: vector for key, vector in self._kept.items() if key[1] in known}
        if self._path is None:
            return
        rows = [(model, _digest(text), array("d", vector).tobytes()) for text, vector in vectors.items()]
        # What cannot be kept for the next process is asked for again.
        with suppress(OSError, sqlite3.Error), closing(sqlite3.connect(self._path, timeout=_WAIT)) as file, file:
            file.execute(_TABLE)
            stored = {text for (text,) in file.execute("SELECT DISTINCT text FROM embeddings")}
            file.executemany("DELETE FROM embeddings WHERE text = ?", [(text,) for text in stored - known])
            file.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)", rows)

    def _stored(self, model: str) -> dict[tuple[str, str], Vector]:
        if self._path is None or not self._path.is_file():
            return {}
        try:
            with closing(sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, timeout=_WAIT)) as file:
                rows = file.execute("SELECT text, vector FROM embeddings WHERE model = ?", (model,)).fetchall()
        except sqlite3.Error:
            return {}  # locked, damaged, or none kept yet: the texts are embedded again
        read = {(model, text): _vector(blob) for text, blob in rows if isinstance(text, str)}
        return {key: vector for key, vector in read.items() if vector is not None}


def _vector(blob: object) -> Vector | None:
    if not isinstance(blob, bytes) or not blob or len(blob) % _NUMBER:
        return None
    vector = tuple(array("d", blob))
    return vector if all(map(math.isfinite, vector)) and any(vector) else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
