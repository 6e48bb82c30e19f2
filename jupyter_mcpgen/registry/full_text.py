"""Finds tools by words, ranked by BM25: SQLite's full-text search, in the file of the index or in memory."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

MOST_WORDS = 32
"""A longer query is cut: what a person asks for is said by then."""
TABLE = "CREATE VIRTUAL TABLE texts USING fts5(name, description, parameters, tokenize = 'porter unicode61')"
_ADD = "INSERT INTO texts (rowid, name, description, parameters) VALUES (?, ?, ?, ?)"
# A word of a name says more than one of a description, and that more than one of a parameter.
_BEST = "SELECT name FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 8.0, 3.0, 1.0), name LIMIT ?"
_FOUND = "SELECT count(*) FROM texts WHERE texts MATCH ?"


class Words(NamedTuple):
    """The texts of a tool in which words are looked for."""

    name: str
    description: str
    parameters: str


class Hits(NamedTuple):
    """The names of the tools that fit best, the best one first, and how many have a word of the query."""

    best: tuple[str, ...]
    found: int


class WordIndex:
    """The words of some tools, in memory; may be asked from several threads."""

    def __init__(self, tools: Iterable[Words]) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute(TABLE)
        for tool in tools:
            add(self._database, tool)

    def find(self, query: str, most: int) -> Hits:
        """Return the tools that fit best."""
        with self._lock:
            return find(self._database, query, most)


def add(database: sqlite3.Connection, tool: Words, row: int | None = None) -> None:
    """Add the words of a tool, at the number of its row elsewhere."""
    database.execute(_ADD, (row, *tool))


def find(database: sqlite3.Connection, query: str, most: int) -> Hits:
    """Return the tools of a database that fit best; a tool fits that has one of the words, inflected or not."""
    words = re.findall(r"[^\W_]+", query)[:MOST_WORDS]
    if not words:
        return Hits((), 0)
    asked = " OR ".join(f'"{word}"' for word in words)
    best = tuple(name for (name,) in database.execute(_BEST, (asked, most)))
    found: int = database.execute(_FOUND, (asked,)).fetchone()[0]
    return Hits(best, found)


def words_of_parameters(schema: Mapping[str, Any]) -> str:
    """Return the names and descriptions of the parameters in a JSON Schema."""
    return " ".join(_texts_of(schema))


def _texts_of(schema: Mapping[str, Any]) -> Iterator[str]:
    for name, parameter in schema.get("properties", {}).items():
        yield name
        if isinstance(parameter, dict) and isinstance(parameter.get("description"), str):
            yield parameter["description"]
