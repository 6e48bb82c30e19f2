"""What the active tools compute, in one SQLite file, so that a search does not read the files of every tool.

The file is derived from the tools' folders and may be deleted at any time. It is read only where it fits the list of
active tools, and even then it is no proof of anything: whoever finds a tool in it loads the tool before using it.
Where the file cannot be read or written, what it would hold is kept in memory.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from jupyter_mcpgen.errors import CorruptRegistry, PlanError, TamperedTool
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.plan.traits import Traits, columns_by_role, traits_of
from jupyter_mcpgen.registry.contents import Contents
from jupyter_mcpgen.registry.shelves import Shelves

VERSION = 1
"""Of the tables; a file of another version is made anew."""
PLAN = "plan.json"
NO_PLAN = Traits("", "", "{}", "", "")
"""The traits of a tool that was not made from a plan: nothing is like it."""
_WAIT = 0.2
"""How many seconds to wait for somebody who writes the file; reading the tools themselves is always possible."""
_TABLES = """
DROP TABLE IF EXISTS about;
DROP TABLE IF EXISTS tools;
CREATE TABLE about (listed TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE tools (
    name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, words TEXT NOT NULL, shape TEXT NOT NULL,
    operation TEXT NOT NULL, inputs TEXT NOT NULL, output TEXT NOT NULL, constraints TEXT NOT NULL
);
"""


class IndexedTool(NamedTuple):
    """One active tool: its fingerprint in the list, its traits, and the words that it is described in."""

    name: str
    fingerprint: str
    words: str
    traits: Traits


class _State(NamedTuple):
    """The tools of an index, and the digest of the list that they are all of; empty where one could not be read."""

    listed: str
    tools: tuple[IndexedTool, ...]


class ToolIndex:
    """The index of one registry; without a path it is kept in memory only."""

    def __init__(self, path: Path | None, shelves: Shelves) -> None:
        self._path = path
        self._shelves = shelves
        self._kept = _State("", ())

    def tools(self) -> tuple[IndexedTool, ...]:
        """Return the active tools by name; only tools that the index does not know yet are read."""
        listed = self._shelves.active_digest()
        if listed and self._kept.listed == listed:
            return self._kept.tools
        stored = self._read()
        if stored is None or stored.listed != listed or not listed:
            known = self._kept if stored is None else stored
            stored, before = self._made(listed, known.tools), stored
            if stored != before:
                self._write(stored)
        self._kept = stored
        return stored.tools

    def forget(self) -> None:
        """Drop everything, so that the next search reads the tools themselves."""
        self._kept = _State("", ())
        if self._path is not None:
            self._write(self._kept)

    def _made(self, listed: str, known: Sequence[IndexedTool]) -> _State:
        by_name = {tool.name: tool for tool in known}
        tools: list[IndexedTool] = []
        entries = self._shelves.active.tools
        for name, entry in sorted(entries.items()):
            tool = by_name.get(name)
            if tool is None or tool.fingerprint != entry.fingerprint:
                with suppress(TamperedTool):  # `problems` reports it; one bad folder must not hide the others
                    tools.append(_described(self._shelves.tool(name)))
                continue
            tools.append(tool)
        return _State(listed if len(tools) == len(entries) else "", tuple(tools))

    def _read(self) -> _State | None:
        """Return what the file holds; `None` where it cannot be read, or was not written by `_write`."""
        if self._path is None or not self._path.is_file():
            return None
        try:
            with closing(sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, timeout=_WAIT)) as file:
                if file.execute("PRAGMA user_version").fetchone() != (VERSION,):
                    return None
                about = file.execute("SELECT listed, content FROM about").fetchall()
                rows = file.execute(
                    "SELECT name, fingerprint, words, shape, operation, inputs, output, constraints FROM tools "
                    "ORDER BY name"
                ).fetchall()
        except sqlite3.Error:
            return None  # locked, damaged, or not ours: the tools themselves are read instead
        return _state_of(about, rows)

    def _write(self, state: _State) -> None:
        """Replace what the file holds; a file that is no database is replaced itself."""
        if self._path is None:
            return
        # A search must not fail because nothing can be kept for the next one: it then reads the tools again.
        with suppress(OSError, sqlite3.Error):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                _fill(self._path, state)
            except sqlite3.OperationalError:
                return  # somebody else writes it, or nobody may
            except sqlite3.DatabaseError:
                self._path.unlink(missing_ok=True)
                _fill(self._path, state)


def _state_of(about: Sequence[tuple[Any, ...]], rows: Sequence[tuple[Any, ...]]) -> _State | None:
    if len(about) != 1 or not all(isinstance(value, str) for row in rows for value in row):
        return None
    listed, content = about[0]
    if content != _digest(listed, rows):
        return None
    tools = tuple(IndexedTool(row[0], row[1], row[2], Traits(*row[3:])) for row in rows)
    try:
        for inputs in {tool.traits.inputs for tool in tools}:
            columns_by_role(inputs)
    except (ValueError, RecursionError):
        return None
    return _State(listed, tools)


def _fill(path: Path, state: _State) -> None:
    with closing(sqlite3.connect(path, timeout=_WAIT, isolation_level=None)) as file:
        file.execute("BEGIN IMMEDIATE")
        for statement in filter(str.strip, _TABLES.split(";")):
            file.execute(statement)
        rows = [_row(tool) for tool in state.tools]
        file.execute("INSERT INTO about VALUES (?, ?)", (state.listed, _digest(state.listed, rows)))
        file.executemany("INSERT INTO tools VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        file.execute(f"PRAGMA user_version = {VERSION}")
        file.execute("COMMIT")


def _row(tool: IndexedTool) -> tuple[str, ...]:
    traits = tool.traits
    shared = (traits.shape, traits.operation, traits.inputs, traits.output, traits.constraints)
    return (tool.name, tool.fingerprint, tool.words, *shared)


def _digest(listed: object, rows: Sequence[Sequence[str]]) -> str:
    return hashlib.sha256("\0".join([str(listed), *chain.from_iterable(rows)]).encode()).hexdigest()


def _described(contents: Contents) -> IndexedTool:
    tool = contents.tool()
    return IndexedTool(tool.name, tool.fingerprint, in_words(" ".join(_texts(contents))), _traits(contents))


def _texts(contents: Contents) -> Iterator[str]:
    yield from (contents.spec.tool_name, contents.spec.description)
    with suppress(CorruptRegistry):  # a card of another version describes nothing
        yield contents.card.question


def _traits(contents: Contents) -> Traits:
    try:
        return traits_of(Shape.model_validate_json(contents.files.get(PLAN, b"")))
    except (PlanError, ValidationError):
        return NO_PLAN


def in_words(text: str) -> str:
    """Return the words of a text in small letters, as texts are compared here."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
