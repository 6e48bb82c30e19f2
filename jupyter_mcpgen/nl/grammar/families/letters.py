"""Texts that a column contains, begins or ends with, as they are said of the rows: "with an S in their name"."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Column, Either, Like, Term, Test, Word
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import MatchMode

LETTERS = Family("letters")
rule = LETTERS.rule

_MODES = {"contains": MatchMode.CONTAINS, "starts": MatchMode.STARTS, "ends": MatchMode.ENDS}


@rule(C.LETTERED, C.LETTER, C.TEXT)
def letter(table: Table, said: Word, text: str) -> tuple[str, ...]:
    """Read "the letter S"."""
    return (text,)


@rule(C.LETTERED, C.LETTERED, C.OR, C.TEXT)
def letters(table: Table, before: tuple[str, ...], said: Word, text: str) -> tuple[str, ...] | None:
    """Read "the letters S or K"."""
    return (*before, text) if text not in before else None


@rule(C.TEST, maybe(C.WHERE), C.LETTERED, a(C.IN), C.TERM)
def lettered_in(table: Table, have: Word | None, texts: tuple[str, ...], in_: Word, term: Term) -> Test | None:
    """Read "who have the letter S in their name"."""
    return _like(table, term, MatchMode.CONTAINS, texts)


@rule(C.TEST, C.NOT, maybe(C.WHERE), C.LETTERED, a(C.IN), C.TERM)
def not_lettered_in(
    table: Table, denied: Word, have: Word | None, texts: tuple[str, ...], in_: Word, term: Term
) -> Test | None:
    """Read "without the letter S in their name"."""
    found = _like(table, term, MatchMode.CONTAINS, texts)
    return Like(found.column, found.mode, found.text, negated=True) if isinstance(found, Like) else None


@rule(C.TEST, C.TERM, maybe(C.WHERE), C.CONTAINS, a(C.LETTERED, C.TEXT))
def term_with(table: Table, term: Term, that: Word | None, said: Word, text: str | tuple[str, ...]) -> Test | None:
    """Read "name contains oak", "names that end with the letter m"."""
    return _like(table, term, _MODES[said.meaning], text if isinstance(text, tuple) else (text,))


@rule(C.TEST, C.TERM, maybe(C.IS), C.NOT, C.CONTAINS, a(C.LETTERED, C.TEXT))
def term_without(
    table: Table, term: Term, is_: Word | None, denied: Word, said: Word, text: str | tuple[str, ...]
) -> Test | None:
    """Read "name does not contain the letter M"."""
    found = _like(table, term, _MODES[said.meaning], text if isinstance(text, tuple) else (text,))
    return Like(found.column, found.mode, found.text, negated=True) if isinstance(found, Like) else None


def _like(table: Table, term: Term, mode: MatchMode, texts: tuple[str, ...]) -> Like | Either | None:
    if not isinstance(term, Column) or not table.is_text(term.name):
        return None
    found = tuple(Like(term.name, mode, text) for text in texts)
    return found[0] if len(found) == 1 else Either(found)
