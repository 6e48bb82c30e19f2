"""Finds tools by words, ranked by BM25: SQLite's full-text search, in memory, made once per set of tools."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator

from fastmcp.tools import Tool

MOST_WORDS = 32
"""A longer query is cut: what a person asks for is said by then."""
_TABLE = "CREATE VIRTUAL TABLE tools USING fts5(name, description, parameters, tokenize = 'porter unicode61')"
_MATCHES = "FROM tools WHERE tools MATCH ?"
# A word of a name says more than one of a description, and that more than one of a parameter.
_BEST = f"SELECT name {_MATCHES} ORDER BY bm25(tools, 8.0, 3.0, 1.0), name LIMIT ?"


class WordIndex:
    """The words of some tools; may be asked from several threads."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute(_TABLE)
        self._database.executemany("INSERT INTO tools VALUES (?, ?, ?)", map(_words_of, tools))

    def find(self, query: str, most: int) -> tuple[list[str], int]:
        """Return the names of the tools that fit best, the best one first, and how many have a word of the query."""
        words = re.findall(r"[^\W_]+", query)[:MOST_WORDS]
        if not words:
            return [], 0
        asked = " OR ".join(f'"{word}"' for word in words)
        with self._lock:
            best = [name for (name,) in self._database.execute(_BEST, (asked, most))]
            found: int = self._database.execute(f"SELECT count(*) {_MATCHES}", (asked,)).fetchone()[0]
        return best, found


def _words_of(tool: Tool) -> tuple[str, str, str]:
    return tool.name, tool.description or "", " ".join(_texts_of(tool))


def _texts_of(tool: Tool) -> Iterator[str]:
    for name, parameter in tool.parameters.get("properties", {}).items():
        yield name
        if isinstance(parameter, dict) and isinstance(parameter.get("description"), str):
            yield parameter["description"]
