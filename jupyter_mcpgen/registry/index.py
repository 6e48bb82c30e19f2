"""What the active tools compute and their words, in one SQLite file, so that a search reads no other tool's files.

The file is derived from the tools' folders and may be deleted at any time. It is read only where it fits the list of
active tools, and even then it is no proof of anything: whoever finds a tool in it loads the tool before using it.
Where the file cannot be read or written, what it would hold is kept in memory.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from jupyter_mcpgen.errors import CorruptRegistry, PlanError, TamperedTool
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.plan.traits import Traits, columns_by_role, traits_of
from jupyter_mcpgen.registry import full_text
from jupyter_mcpgen.registry.contents import Contents
from jupyter_mcpgen.registry.folder import Mark
from jupyter_mcpgen.registry.full_text import Hits, WordIndex, Words, words_of_parameters
from jupyter_mcpgen.registry.shelves import Shelves

VERSION = 2
"""Of the tables; a file of another version is made anew."""
PLAN = "plan.json"
NO_PLAN = Traits("", "", "{}", "", "")
"""The traits of a tool that was not made from a plan: nothing is like it."""
_WAIT = 0.2
"""How many seconds to wait for somebody who writes the file; reading the tools themselves is always possible."""
_TABLES = f"""
DROP TABLE IF EXISTS about;
DROP TABLE IF EXISTS tools;
DROP TABLE IF EXISTS texts;
CREATE TABLE about (listed TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE tools (
    name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, words TEXT NOT NULL, parameters TEXT NOT NULL,
    shape TEXT NOT NULL, operation TEXT NOT NULL, inputs TEXT NOT NULL, output TEXT NOT NULL, constraints TEXT NOT NULL
);
{full_text.TABLE};
"""
_TOOLS = """
SELECT name, fingerprint, words, parameters, shape, operation, inputs, output, constraints FROM tools ORDER BY name
"""
_INSERT = "INSERT INTO tools VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_FORGET = "DELETE FROM texts WHERE rowid = (SELECT rowid FROM tools WHERE name = ?)"


class IndexedTool(NamedTuple):
    """One active tool: its fingerprint in the list, the words that describe it and its parameters, and its traits."""

    name: str
    fingerprint: str
    words: str
    parameters: str
    traits: Traits


class Family(NamedTuple):
    """The tools that calculate the same with the same conditions and give the same form of result, by name.

    They may differ in the columns that they take.
    """

    operation: str
    output: str
    constraints: str
    tools: tuple[IndexedTool, ...]


class _State(NamedTuple):
    """The tools of an index, and the digest of the list that they are all of; empty where one could not be read."""

    listed: str
    tools: tuple[IndexedTool, ...]


class _Kept(NamedTuple):
    """What a process keeps of one state of the list: that state's mark on the disk, the tools, and their families."""

    mark: Mark | None
    state: _State
    families: tuple[Family, ...]


_NOTHING = _Kept(None, _State("", ()), ())


class ToolIndex:
    """The index of one registry; without a path it is kept in memory only."""

    def __init__(self, path: Path | None, shelves: Shelves) -> None:
        self._path = path
        self._shelves = shelves
        self._kept = _NOTHING
        self._in_memory: tuple[_State, WordIndex] | None = None

    def tools(self) -> tuple[IndexedTool, ...]:
        """Return the active tools by name; only tools that the index does not know yet are read."""
        return self._current().state.tools

    def families(self) -> tuple[Family, ...]:
        """Return the active tools that were made from a plan, those that calculate the same together."""
        return self._current().families

    def find(self, query: str, most: int) -> Hits:
        """Return the names of the active tools that fit some words best."""
        state = self._current().state
        found = self._found_in_file(state, query, most)
        if found is not None:
            return found
        if self._in_memory is None or self._in_memory[0] != state:
            self._in_memory = state, WordIndex(map(_words_of, state.tools))
        return self._in_memory[1].find(query, most)

    def forget(self) -> None:
        """Drop everything, so that the next search reads the tools themselves."""
        self._kept = _NOTHING
        if self._path is not None:
            self._write(self._kept.state, None)

    def _current(self) -> _Kept:
        mark = self._shelves.active_mark()
        if mark is not None and self._kept.mark == mark and self._kept.state.listed:
            return self._kept
        listed = self._shelves.active_digest()
        state, stored = self._kept.state, None
        if not listed or state.listed != listed:
            stored = self._read()
            if stored is None or stored.listed != listed or not listed:
                state = self._made(listed, (state if stored is None else stored).tools)
                if state != stored:
                    self._write(state, stored)
            else:
                state = stored
        self._kept = _Kept(mark, state, families_of(state.tools))
        return self._kept

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
            with closing(_opened(self._path)) as file:
                if file.execute("PRAGMA user_version").fetchone() != (VERSION,):
                    return None
                about = file.execute("SELECT listed, content FROM about").fetchall()
                rows = file.execute(_TOOLS).fetchall()
        except sqlite3.Error:
            return None  # locked, damaged, or not ours: the tools themselves are read instead
        return _state_of(about, rows)

    def _found_in_file(self, state: _State, query: str, most: int) -> Hits | None:
        """Search in the file; `None` where it is not the index of this state."""
        if self._path is None or not self._path.is_file() or not state.listed:
            return None
        try:
            with closing(_opened(self._path)) as file:
                file.execute("BEGIN")
                if file.execute("SELECT listed FROM about").fetchall() != [(state.listed,)]:
                    return None
                return full_text.find(file, query, most)
        except sqlite3.Error:
            return None

    def _write(self, state: _State, before: _State | None) -> None:
        """Replace what the file holds, which was `before`; a file that is no database is replaced itself."""
        if self._path is None:
            return
        # A search must not fail because nothing can be kept for the next one: it then reads the tools again.
        with suppress(OSError, sqlite3.Error):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                _fill(self._path, state, before)
            except sqlite3.OperationalError:
                return  # somebody else writes it, or nobody may
            except sqlite3.DatabaseError:
                self._path.unlink(missing_ok=True)
                _fill(self._path, state, None)


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=_WAIT, isolation_level=None)


def _state_of(about: Sequence[tuple[Any, ...]], rows: Sequence[tuple[Any, ...]]) -> _State | None:
    if len(about) != 1:
        return None
    listed, content = about[0]
    try:
        if content != _digest(listed, rows):
            return None
    except TypeError:
        return None  # a value that is no text
    tools = tuple(IndexedTool(row[0], row[1], row[2], row[3], Traits(*row[4:])) for row in rows)
    try:
        for inputs in {tool.traits.inputs for tool in tools}:
            columns_by_role(inputs)
    except (ValueError, RecursionError):
        return None
    return _State(listed, tools)


def _fill(path: Path, state: _State, before: _State | None) -> None:
    """Write a state; where the file holds `before`, only what differs."""
    content = _digest(state.listed, list(map(_row, state.tools)))
    with closing(sqlite3.connect(path, timeout=_WAIT, isolation_level=None)) as file:
        file.execute("BEGIN IMMEDIATE")
        if before is None or not _holds(file, before):
            for statement in filter(str.strip, _TABLES.split(";")):
                file.execute(statement)
            before = _State("", ())
        gone, new = set(before.tools) - set(state.tools), set(state.tools) - set(before.tools)
        for tool in gone:
            file.execute(_FORGET, (tool.name,))
            file.execute("DELETE FROM tools WHERE name = ?", (tool.name,))
        for tool in sorted(new):
            row = file.execute(_INSERT, _row(tool)).lastrowid
            full_text.add(file, _words_of(tool), row)
        file.execute("DELETE FROM about")
        file.execute("INSERT INTO about VALUES (?, ?)", (state.listed, content))
        file.execute(f"PRAGMA user_version = {VERSION}")
        file.execute("COMMIT")


def _holds(file: sqlite3.Connection, state: _State) -> bool:
    about = [(state.listed, _digest(state.listed, list(map(_row, state.tools))))]
    return file.execute("SELECT listed, content FROM about").fetchall() == about


def _row(tool: IndexedTool) -> tuple[str, ...]:
    traits = tool.traits
    shared = (traits.shape, traits.operation, traits.inputs, traits.output, traits.constraints)
    return (tool.name, tool.fingerprint, tool.words, tool.parameters, *shared)


def _words_of(tool: IndexedTool) -> Words:
    return Words(tool.name, tool.words, tool.parameters)


def families_of(tools: Iterable[IndexedTool]) -> tuple[Family, ...]:
    """Return the families of tools that were made from a plan."""
    alike: dict[tuple[str, str, str], list[IndexedTool]] = defaultdict(list)
    for tool in tools:
        traits = tool.traits
        if traits != NO_PLAN:
            alike[traits.operation, traits.output, traits.constraints].append(tool)
    return tuple(Family(*key, tuple(members)) for key, members in alike.items())


def _digest(listed: object, rows: Sequence[Sequence[str]]) -> str:
    return hashlib.sha256("\0".join([str(listed), *chain.from_iterable(rows)]).encode()).hexdigest()


def _described(contents: Contents) -> IndexedTool:
    tool = contents.tool()
    words, parameters = in_words(" ".join(_texts(contents))), words_of_parameters(tool.spec.input_schema)
    return IndexedTool(tool.name, tool.fingerprint, words, in_words(parameters), _traits(contents))


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
