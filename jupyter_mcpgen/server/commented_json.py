"""Changes one entry of a JSON file that people edit: comments, order and layout of everything else stay as they are.

Clients' settings are JSON with comments and commas before closing brackets. They are never written anew: an entry is
put in, replaced or taken out as text, and the result is read again and compared before anybody gets it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.errors import ServerError

_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_MOST_LEVELS = 100


class NotChangeable(ServerError):
    """A file cannot be changed without losing something; the message says what is in the way."""


@dataclass(frozen=True)
class _Value:
    """A value and where it stands; `members` are those of an object."""

    start: int
    end: int
    value: Any
    members: tuple[_Member, ...] = ()


@dataclass(frozen=True)
class _Member:
    """A key with its value; `comma` is the place after the comma behind it, or None."""

    start: int
    key: str
    inner: _Value
    comma: int | None


def value_of(text: str) -> Any:
    """Return the value of a file; an empty one is an empty object. Raises `NotChangeable`."""
    return _Reader(text).root.value if text.strip() else {}


def entry_of(text: str, section: str, name: str) -> Any:
    """Return an entry of a section, or None where there is none."""
    whole = value_of(text)
    inner = whole.get(section) if isinstance(whole, dict) else None
    return inner.get(name) if isinstance(inner, dict) else None


def with_entry(text: str, section: str, name: str, entry: Mapping[str, Any]) -> str:
    """Return the text with an entry in a section; raises `NotChangeable` where something else would be lost."""
    if not text.strip():
        return f"{json.dumps({section: {name: entry}}, indent=2, ensure_ascii=False)}\n"
    reader = _Reader(text)
    root = reader.root
    inside = _one(_object(root, "The file"), section)
    if inside is None:
        changed = _put(text, root, section, {name: entry})
    else:
        known = _one(_object(inside.inner, f"`{section}`"), name)
        if known is None:
            changed = _put(text, inside.inner, name, entry)
        else:
            _refuse_loss(reader, known, entry)
            indent = _indent_at(text, known.start)
            written = _written(text, entry, indent)
            changed = text[: known.inner.start] + written + text[known.inner.end :]
    expected = {**root.value, section: {**root.value.get(section, {}), name: dict(entry)}}
    return _proved(text, changed, expected)


def without_entry(text: str, section: str, name: str) -> str:
    """Return the text without an entry of a section."""
    root = _Reader(text).root
    inside = _one(_object(root, "The file"), section)
    members = _object(inside.inner, f"`{section}`") if inside is not None else ()
    known = _one(members, name)
    if inside is None or known is None:
        raise NotChangeable(f"There is no entry `{name}` in `{section}`.")
    place = members.index(known)
    start, end = _before(text, known.start), known.comma or known.inner.end
    changed = text[:start] + text[end:]
    comma = members[place - 1].comma if place else None
    if known.comma is None and comma is not None:
        changed = changed[: comma - 1] + changed[comma:]
    left = {key: value for key, value in root.value[section].items() if key != name}
    return _proved(text, changed, {**root.value, section: left}, taken=text[known.start : end])


def _object(value: _Value, what: str) -> tuple[_Member, ...]:
    if not isinstance(value.value, dict):
        raise NotChangeable(f"{what} is no JSON object.")
    return value.members


def _one(members: tuple[_Member, ...], key: str) -> _Member | None:
    found = [member for member in members if member.key == key]
    if len(found) > 1:
        raise NotChangeable(f"`{key}` stands there {len(found)} times.")
    return found[0] if found else None


def _refuse_loss(reader: _Reader, known: _Member, entry: Mapping[str, Any]) -> None:
    """Refuse to write over what is not ours: comments, and keys that a person added to the entry."""
    if any(known.start < start < known.inner.end for start, _ in reader.comments):
        raise NotChangeable(f"The entry `{known.key}` has comments.")
    old = known.inner.value if isinstance(known.inner.value, dict) else {}
    ours = {*entry, "type", "command", "args", "url", "httpUrl", "serverUrl", "headers"}
    added = sorted(set(old) - ours)
    if added:
        raise NotChangeable(f"The entry `{known.key}` has a key of yours: `{added[0]}`.")


def _put(text: str, into: _Value, key: str, value: Mapping[str, Any]) -> str:
    """Return the text with a member more at the end of an object, behind the comments that stand there."""
    brace = into.end - 1
    place = _before(text, brace)
    newline = _newline(text)
    outer = _indent_at(text, into.start)
    own_line = into.members and "\n" in text[into.start : into.members[0].start]
    indent = _indent_at(text, into.members[0].start) if own_line else outer + _unit(text)
    member = f"{newline}{indent}{json.dumps(key)}: {_written(text, value, indent)}"
    rest = text[place:brace] if "\n" in text[place:brace] else f"{newline}{outer}"
    last = into.members[-1] if into.members else None
    if last is not None and last.comma is not None:
        member += ","
    before = text[:place]
    if last is not None and last.comma is None:
        before = f"{text[: last.inner.end]},{text[last.inner.end : place]}"
    return f"{before}{member}{rest}{text[brace:]}"


def _written(text: str, value: Mapping[str, Any], indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return f"{_newline(text)}{indent}".join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """Return by how much the file indents a level."""
    found = re.search(r'^([ \t]+)"', text, re.MULTILINE)
    return found[1] if found else "  "


def _indent_at(text: str, place: int) -> str:
    """Return what the line of a place begins with."""
    line = text.rfind("\n", 0, place) + 1
    found = re.match(r"[ \t]*", text[line:])
    return found[0] if found else ""


def _before(text: str, place: int) -> int:
    """Return the end of what stands before a place, without the space between."""
    return len(text[:place].rstrip(" \t\r\n"))


def _proved(before: str, after: str, expected: Any, taken: str = "") -> str:
    """Return a changed text that says what is expected and has lost no comment beside those of what was taken out."""
    unusual = NotChangeable("Its layout is too unusual to change it safely.")
    kept = _Reader(before).comment_texts
    for comment in _Reader(f"{{{taken}}}").comment_texts if taken else ():
        kept.remove(comment)
    try:
        changed = _Reader(after)
    except NotChangeable as error:
        raise unusual from error
    if changed.root.value != expected or changed.comment_texts != kept:
        raise unusual
    return after


class _Reader:
    """Reads JSON with comments and remembers where everything stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 1 if text.startswith("\ufeff") else 0
        self.comments: list[tuple[int, int]] = []
        self._skip()
        self.root = self._value(0)
        self._skip()
        if self._at != len(text):
            raise self._wrong()

    @property
    def comment_texts(self) -> list[str]:
        """The comments in their order."""
        return [self._text[start:end] for start, end in self.comments]

    def _value(self, level: int) -> _Value:
        if level > _MOST_LEVELS:
            raise NotChangeable(f"It is nested more than {_MOST_LEVELS} levels deep.")
        start, text = self._at, self._text
        if text[start : start + 1] == "{":
            members = self._members(level)
            return _Value(start, self._at, {member.key: member.inner.value for member in members}, members)
        if text[start : start + 1] == "[":
            items = self._items(level)
            return _Value(start, self._at, items)
        found = _STRING.match(text, start) or _PLAIN.match(text, start)
        if found is None:
            raise self._wrong()
        self._at = found.end()
        try:
            return _Value(start, self._at, json.loads(found[0]))
        except ValueError as error:
            raise self._wrong() from error

    def _members(self, level: int) -> tuple[_Member, ...]:
        members: list[_Member] = []
        self._at += 1
        while not self._ends("}"):
            start = self._at
            key = _STRING.match(self._text, start)
            if key is None:
                raise self._wrong()
            self._at = key.end()
            self._skip()
            self._expect(":")
            self._skip()
            inner = self._value(level + 1)
            members.append(_Member(start, json.loads(key[0]), inner, self._comma("}")))
        return tuple(members)

    def _items(self, level: int) -> list[Any]:
        items: list[Any] = []
        self._at += 1
        while not self._ends("]"):
            items.append(self._value(level + 1).value)
            self._comma("]")
        return items

    def _ends(self, bracket: str) -> bool:
        self._skip()
        if self._text[self._at : self._at + 1] != bracket:
            return False
        self._at += 1
        return True

    def _comma(self, bracket: str) -> int | None:
        """Read the comma behind a part; the last part of all needs none."""
        self._skip()
        if self._text[self._at : self._at + 1] == bracket:
            return None
        self._expect(",")
        return self._at

    def _expect(self, sign: str) -> None:
        if self._text[self._at : self._at + 1] != sign:
            raise self._wrong()
        self._at += 1

    def _skip(self) -> None:
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space is not None else self._at
            comment = _COMMENT.match(self._text, self._at)
            if comment is None:
                return
            self.comments.append(comment.span())
            self._at = comment.end()

    def _wrong(self) -> NotChangeable:
        line = self._text.count("\n", 0, self._at) + 1
        return NotChangeable(f"Line {line} is not valid JSON.")
