"""Texts that many tables have where there is no value: marks, error values of spreadsheets, and words."""

from __future__ import annotations

import re

_NOTHING_MARKS = re.compile(r"[-–—−._?/*:\s]*")
_SHEET_ERROR = re.compile(r"#[a-zäöü0-9/]+[!?]")
"""`#DIV/0!`, `#REF!`, `#NAME?` and what they are called in other languages."""
_PLUS_MINUS = re.compile(r"±|\+/-")
_IN_BRACKETS = re.compile(r"\((.*)\)|\[(.*)\]|<(.*)>")
_NOTHING_WORDS = frozenset(
    {
        *("n/a", "n.a.", "na", "nan", "nil", "null", "none", "unknown", "missing", "tbd", "tba", "#n/a", "#nv", "#na"),
        *("not available", "not applicable", "no data", "not stated", "not reported", "not recorded", "not given"),
        *("not known", "not specified", "no answer", "no response", "no value", "no entry", "blank"),
        *("n.v.", "k.a.", "keine angabe", "keine angaben", "entfällt", "unbekannt", "nicht verfügbar", "fehlt"),
        *("n.d.", "n/d", "s/d", "s.o.", "non disponible", "inconnu", "desconocido", "sin datos", "sin dato"),
    }
)
"""In lower case, without blanks around them."""
_EMPTY_CELL = frozenset({"blank", "empty", "leer", "vide", "vacío", "vuoto"})
"""What spreadsheets call an empty cell, in brackets."""
_LONGEST_NOTHING_MARK = 5
LONGEST_MISSING_WORD = 20


def is_missing_word(word: str) -> bool:
    """Tell whether a text spells that there is no value."""
    text = word.strip().casefold()
    if len(text) > LONGEST_MISSING_WORD:
        return False
    if text in _NOTHING_WORDS or text.replace(" ", "") in _NOTHING_WORDS or _SHEET_ERROR.fullmatch(text):
        return True
    if _NOTHING_MARKS.fullmatch(text):
        return len(text) <= _LONGEST_NOTHING_MARK
    if (bracketed := _IN_BRACKETS.fullmatch(text)) is not None:
        inside = next(part for part in bracketed.groups() if part is not None)
        return inside in _NOTHING_WORDS | _EMPTY_CELL
    parts = _PLUS_MINUS.split(text)
    return len(parts) > 1 and all(part.strip() in _NOTHING_WORDS for part in parts)
