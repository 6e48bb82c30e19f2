"""Texts that many tables have where there is no value: marks, error values of spreadsheets, and words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_MARKS = re.compile(r"[-–—−._?/*:\s]*")
_ERROR = re.compile(r"#[a-zäöü0-9/]+[!?]")
"""`#DIV/0!`, `#REF!`, `#NAME?` and what they are called in other languages."""
_BETWEEN = re.compile(r"±|\+/-")
_IN_BRACKETS = re.compile(r"\((.*)\)|\[(.*)\]|<(.*)>")
_WORDS = frozenset(
    {
        *("n/a", "n.a.", "na", "nan", "nil", "null", "none", "unknown", "missing", "tbd", "tba", "#n/a", "#nv", "#na"),
        *("not available", "not applicable", "no data", "not stated", "not reported", "not recorded", "not given"),
        *("not known", "not specified", "no answer", "no response", "no value", "no entry"),
        *("n.v.", "k.a.", "keine angabe", "keine angaben", "entfällt", "unbekannt", "nicht verfügbar", "fehlt"),
        *("n.d.", "n/d", "s/d", "s.o.", "non disponible", "inconnu", "desconocido", "sin datos", "sin dato"),
    }
)
"""In lower case, without blanks around them."""
_EMPTY = frozenset({"blank", "empty", "leer", "vide", "vacío", "vuoto"})
"""What spreadsheets call an empty cell, in brackets."""
_LONGEST_MARK = 5
_LONGEST = 20


def is_missing_word(word: str) -> bool:
    """Tell whether a text spells that there is no value."""
    text = word.strip().casefold()
    if len(text) > _LONGEST:
        return False
    if text in _WORDS or text.replace(" ", "") in _WORDS or _ERROR.fullmatch(text):
        return True
    if _MARKS.fullmatch(text):
        return len(text) <= _LONGEST_MARK
    if (bracketed := _IN_BRACKETS.fullmatch(text)) is not None:
        inside = next(part for part in bracketed.groups() if part is not None)
        return inside in _WORDS | _EMPTY
    parts = _BETWEEN.split(text)
    return len(parts) > 1 and all(part.strip() in _WORDS for part in parts)


def words_for_nothing(words: Iterable[str], repeated: Collection[str]) -> frozenset[str]:
    """Return the words that spell a missing value in a column of numbers or dates; `repeated` stand in several rows.

    Beside those that spell it anywhere, it is the only other word without a figure, where it is short and repeated.
    """
    words = list(words)
    known = frozenset(filter(is_missing_word, words))
    others = {word for word in words if word not in known and not any(map(str.isdigit, word))}
    short = {word for word in others if len(word) <= _LONGEST and word in repeated}
    return known | (short if len(others) == 1 else frozenset())
