"""Holds the texts that a query compares with against the values that the data have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sqlglot import exp

from jupyter_mcpgen.model.profile import ColumnProfile, Profile

_NEAREST = 3


@dataclass(frozen=True)
class Settled:
    """A query whose texts are those of the data, a note for each that was written otherwise, and what is missing."""

    statement: exp.Query
    notes: tuple[str, ...]
    absent: tuple[str, ...]
    """In a sentence each: a text that its column does not have, with the nearest that it has."""


def settle_literals(statement: exp.Query, tables: Sequence[Profile]) -> Settled:
    """Write each text as the data do where they differ in case or spaces alone; only fully known columns can tell."""
    known = known_texts(tables)
    notes: list[str] = []
    absent: list[str] = []
    settled = statement.copy()
    for column, literal in _compared(settled):
        found = settle_text(literal.this, column.name, known)
        notes += [found.note] if found.note else []
        absent += [found.absent] if found.absent else []
        literal.set("this", found.text)
    return Settled(settled, tuple(dict.fromkeys(notes)), tuple(dict.fromkeys(absent)))


@dataclass(frozen=True)
class Text:
    """A text as the data write it, with a note where it was written otherwise, or why the column does not have it."""

    text: str
    note: str = ""
    absent: str = ""


def settle_text(text: str, column: str, known: Mapping[str, list[str]]) -> Text:
    """Return a text that a column is compared with, as the data write it."""
    values = known.get(column.casefold())
    if values is None or text in values:
        return Text(text)
    written = {_plain(value): value for value in values}.get(_plain(text))
    if written is not None:
        return Text(written, note=f"“{text}” is written “{written}” in the data.")
    near = get_close_matches(text, values, n=_NEAREST, cutoff=0.5)
    offer = f" Nearest: {', '.join(near)}." if near else ""
    return Text(text, absent=f"`{column}` has no value “{text}”.{offer}")


def known_texts(tables: Sequence[Profile]) -> Mapping[str, list[str]]:
    """Return all values of each column of texts that is known completely and has a name of its own."""
    columns: dict[str, list[ColumnProfile]] = {}
    for profile in tables:
        for column in profile.columns:
            columns.setdefault(column.name.casefold(), []).append(column)
    return {
        name: [value for value in found[0].values if isinstance(value, str)]
        for name, found in columns.items()
        if len(found) == 1 and found[0].complete and any(isinstance(value, str) for value in found[0].values)
    }


def _compared(statement: exp.Query) -> Iterator[tuple[exp.Column, exp.Literal]]:
    for node in statement.walk():
        match node:
            case exp.EQ(this=exp.Column() as column, expression=exp.Literal(is_string=True) as literal):
                yield column, literal
            case exp.EQ(this=exp.Literal(is_string=True) as literal, expression=exp.Column() as column):
                yield column, literal
            case exp.In(this=exp.Column() as column):
                yield from (
                    (column, each) for each in node.expressions if isinstance(each, exp.Literal) and each.is_string
                )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
