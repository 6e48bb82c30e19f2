"""The log of decisions: one JSON line each, every line bound to the one before by its hash."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jupyter_mcpgen.errors import LeadsOut
from jupyter_mcpgen.model.feedback import Reason
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.plan.visible import visible
from jupyter_mcpgen.registry.folder import MOST_BYTES
from jupyter_mcpgen.registry.layout import LOG, Layout

START = "0" * 64
"""What the first line names as the hash before it."""


class Head(Record):
    """Number and hash of the last line, kept beside the log so that a cut tail is noticed."""

    number: int = 0
    hash: str = START


class Action(StrEnum):
    """What was decided or done."""

    FEEDBACK = "FEEDBACK"
    READ_AGAIN = "READ_AGAIN"
    """A second reader read the question of a card that waits for a decision."""
    APPROVED = "APPROVED"
    """A person approved it; that it became a tool is a line of its own."""
    PROMOTED = "PROMOTED"
    DUPLICATE = "DUPLICATE"
    REJECTED = "REJECTED"
    UNDONE = "UNDONE"
    ROLLED_BACK = "ROLLED_BACK"
    """An approved version that lay in the archive is active again."""
    UNPUBLISHED = "UNPUBLISHED"
    """An active version was put into the archive, and none is active."""
    EXPIRED = "EXPIRED"
    REOPENED = "REOPENED"
    REBUILT = "REBUILT"
    REGISTER = "REGISTER"
    """A client offered a tool; that a person approved it is a line of its own (seed 002)."""
    UPDATE = "UPDATE"
    """A client offered the next version of a tool of its kind."""
    REVOKE = "REVOKE"
    """A client took back a tool of its kind."""
    CORRECTED = "CORRECTED"
    """Malformed JSON of a client was corrected, as the person wished."""
    ERROR = "ERROR"
    """A client offered what cannot be taken, or something went wrong about its tool."""
    MISSING_CAPABILITY = "MISSING_CAPABILITY"
    """A question asked for something that nothing here computes; nothing else was computed in its place."""


PLACED = frozenset({Action.PROMOTED, Action.ROLLED_BACK})
TAKEN_AWAY = frozenset({Action.UNDONE, Action.UNPUBLISHED})
"""What makes a version active, and what ends that."""


class Happening(Record):
    """One decision about one tool: who, what, when, about which content."""

    at: str
    action: Action
    by: str
    tool_id: str = ""
    tool_name: str = ""
    version: str = ""
    fingerprint: str = ""
    spec_hash: str = ""
    """The digest of the contract (seed 000, §8.2); lines that are older, or about no contract, leave it out."""
    notes: str | None = None
    reasons: tuple[Reason, ...] = ()
    """What a rejection finds wrong. Lines without one leave it out, as all lines did before there were any."""

    @property
    def fields(self) -> dict[str, Any]:
        """What a line says."""
        unsaid = {name for name in ("spec_hash", "reasons") if not getattr(self, name)}
        return self.model_dump(mode="json", exclude=unsaid)


class Entry(Happening):
    """A line of the log; `previous` is the hash of the line before, `hash` covers everything else in this one."""

    number: int
    previous: str
    hash: str

    @property
    def line(self) -> str:
        """The entry exactly as it stands in the log."""
        return _canonical(self.fields)

    @property
    def head(self) -> Head:
        """What `head.json` says when this is the last line."""
        return Head(number=self.number, hash=self.hash)

    @property
    def true_hash(self) -> str:
        """The hash that the content of the entry has."""
        return _digest({name: value for name, value in self.fields.items() if name != "hash"})


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _digest(value: object) -> str:
    return hashlib.sha256(_canonical(value).encode()).hexdigest()


class AuditLog:
    """Reads the logs, makes the entry that comes next, and says whether the chains are whole.

    A registry has one log, or in a folder that several people share one for each of them.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def next(self, happening: Happening) -> Entry:
        """Return the entry for something that happened, bound to what our log ended with.

        A damaged log never stops a decision; the damage stays visible, because the new line names the last line that
        was written and not the last one that is there.
        """
        head = _Log(self._layout, self._layout.audit, is_own=True).next_head()
        fields = {**happening.fields, "number": head.number + 1, "previous": head.hash}
        return Entry.model_validate({**fields, "hash": _digest(fields)})

    def entries(self) -> tuple[Entry, ...]:
        """Return the entries that can be read, oldest first; those of one log stay in their order."""
        return tuple(heapq.merge(*(log.entries() for log in self._logs()), key=lambda entry: entry.at))

    def own(self) -> tuple[Entry, ...]:
        """Return the entries of the log that is written here, oldest first: nobody else's line counts more."""
        return _Log(self._layout, self._layout.audit, is_own=True).entries()

    def verify(self) -> tuple[str, ...]:
        """Return what is wrong with the logs, in words; an empty result means that nothing was altered."""
        return tuple(problem for log in self._logs() for problem in log.problems())

    def untold(self, active: Iterable[PromotedTool]) -> tuple[str, ...]:
        """Name the active tools whose latest line does not say that they were promoted or rolled back to.

        Alone, a log that was rolled back together with its head is a whole chain.
        """
        happened = {
            (entry.tool_name, entry.version, entry.fingerprint): entry.action
            for entry in (*self.entries(), *self.own())
            if entry.action in PLACED | TAKEN_AWAY
        }
        return tuple(
            f"`{tool.name}` v{tool.version} is active, but the log does not say who approved it: lines were removed, "
            f"or the tool came from elsewhere. Unpublish it with `undo {tool.name}`, then decide again."
            for tool in active
            if happened.get((tool.name, tool.version, tool.fingerprint)) not in PLACED
        )

    def _logs(self) -> list[_Log]:
        """Return our log, whether it is there or not, and those of others that are."""
        found = {path for path in self._layout.folder.entries(self._layout.audits) if path.suffix == ".jsonl"}
        heads = {self._layout.audits / f"{path.name.removesuffix('.head.json')}.jsonl" for path in self._heads()}
        own = self._layout.audit
        return [_Log(self._layout, path, is_own=path == own) for path in sorted({own, *found, *heads})]

    def _heads(self) -> Iterator[Path]:
        entries = self._layout.folder.entries(self._layout.audits)
        return (path for path in entries if path.name.endswith(".head.json"))


@dataclass(frozen=True)
class _Log:
    """One log, and what is kept beside it of its last line."""

    layout: Layout
    path: Path
    is_own: bool
    """Whether it is written here; another one may be anything, and is read only so far."""

    def entries(self) -> tuple[Entry, ...]:
        """Return the entries that can be read, in the order in which they were written."""
        return tuple(entry for line in self._lines() if (entry := _parse(line)) is not None)

    def next_head(self) -> Head:
        """Return the number and hash that the next line follows."""
        head = self._head()
        if head is not None:
            return head
        entries = self.entries()
        return entries[-1].head if entries else Head()

    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with the log, in words."""
        called = "the log" if self.path.stem == LOG else f"the log `{visible(self.path.name)}`"
        try:
            lines = self._read()
        except (OSError, LeadsOut) as error:
            if self.is_own:
                raise
            return (f"{called[0].upper()}{called[1:]} cannot be read ({error}), so nothing in it counts.",)
        neighbours = enumerate(pairwise([None, *lines]), start=1)
        found = [p for number, (before, line) in neighbours if (p := _check(number, line, before, called))]
        head, last = self._head(), _parse(lines[-1]) if lines else None
        kept = self.layout.head_of(self.path)
        if head is None and not (lines or self.layout.folder.exists(kept)):
            return ()
        if head is None:
            found.append(f"`{kept}` cannot be read, so a cut tail of {called} would not be noticed.")
        elif head != (last.head if last else Head()):
            said = f"{called[0].upper()}{called[1:]}"
            found.append(f"{said} does not end with line {head.number}, the last one that was written.")
        return tuple(found)

    def _lines(self) -> list[str]:
        try:
            return self._read()
        except (OSError, LeadsOut):
            if self.is_own:
                raise
            return []  # `problems` says so

    def _read(self) -> list[str]:
        try:
            most = None if self.is_own else MOST_BYTES
            text = self.layout.folder.read(self.path, most=most).decode(errors="replace")
        except (FileNotFoundError, NotADirectoryError):
            return []
        whole = text.removesuffix("\n").split("\n") if text else []
        return whole if not text or text.endswith("\n") else [*whole[:-1], whole[-1] + "…"]  # an unfinished line

    def _head(self) -> Head | None:
        try:
            return Head.model_validate_json(self.layout.folder.read(self.layout.head_of(self.path)))
        except (OSError, ValidationError):
            return None


def _parse(line: str) -> Entry | None:
    try:
        return Entry.model_validate_json(line)
    except ValidationError:
        return None


def _check(number: int, line: str | None, before: str | None, log: str) -> str | None:
    entry = _parse(line or "")
    if entry is None or entry.line != line:
        return f"Line {number} of {log} is not an entry as it was written."
    if entry.hash != entry.true_hash:
        return f"Line {number} of {log} was changed: its hash does not match its content."
    last = _parse(before) if before is not None else None
    if entry.number != number or entry.previous != (START if before is None else last.hash if last else ""):
        return f"Line {number} of {log} does not follow the line before it: lines were removed, added or moved."
    return None
