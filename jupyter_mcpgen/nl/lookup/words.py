"""Splits a question or a cell into plain words that can be compared: no case, no accents, no punctuation."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from jupyter_mcpgen.nl.text.tokens import MAX_TOKENS

_WORD = re.compile(
    r"(?<![^\W_])(?:[^\W\d_]\.){1,5}[^\W\d_](?![^\W_])\.?"  # U.S. and J.R. are words like US and JR
    r"|\d+(?=(?!(?:st|nd|rd|th)(?![^\W_]))[^\W\d_]{2,}(?![^\W_]))"  # 60GB is 60 GB, but 2nd and 1990s are one word
    r"|[Nn]°|[^\W_]+(?:\^\d)?|[#%$€£№]"
)
_STROKES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th", "ħ": "h"})
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_SIGNS = {ord("."): "", ord("^"): ""}
"""What initials and powers are written with: U.S. is us, km^2 is km2."""
_SWAPPED = str.maketrans(".,", ",.")
"""What points and commas in numbers mean where the comma is the decimal one."""
_QUOTED = re.compile(r"\"([^\"]{1,200})\"|“([^”]{1,200})”|`([^`]{1,200})`|(?<!\w)['‘]([^'’]{1,200})['’](?!\w)")
_NUMBER = re.compile(
    r"(?<![\w.,])(?:(?<![\d\w)])[-−–])?(?:(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,20})?|\.\d{1,20})(?!\d|[.,]\d)"
)


@dataclass(frozen=True)
class Word:
    """One word of a question: its plain form, and where and how it is written."""

    text: str
    written: str
    start: int
    end: int
    quoted: bool = False

    @property
    def is_capital(self) -> bool:
        """Tell whether the word is written with a capital letter."""
        return self.written[:1].isupper()

    @property
    def has_digit(self) -> bool:
        """Tell whether a digit stands in the word."""
        return any(letter.isdigit() for letter in self.text)


@dataclass(frozen=True)
class Number:
    """A number written in figures or words, over some words of the question."""

    start: int
    end: int
    value: int | float


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.lower().translate(_SIGNS)
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter)).translate(_STROKES | _SIGNS)


def runs(text: str) -> list[str]:
    """Return the words of a text as they are written."""
    return _WORD.findall(text)


def plain_words(text: str) -> tuple[str, ...]:
    """Return the plain words of a cell."""
    return tuple(fold(word) for word in runs(text))


def other_way_to_write_years(words: tuple[str, ...]) -> tuple[str, str] | None:
    """Return two years in a row in the other way to write them: 2006 and 07 for 2006–2007, or the reverse."""
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        return None
    first, second = words
    if len(first) != 4 or len(second) not in (2, 4) or (int(first) + 1) % 100 != int(second[-2:]):
        return None
    return first, second[2:] if len(second) == 4 else str(int(first) + 1)


def outside_brackets(text: str) -> str:
    """Return a text without what stands in brackets in it."""
    return _BRACKETS.sub(" ", text)


def split_question(question: str) -> tuple[Word, ...]:
    """Return the words of a question, at most `MAX_TOKENS`."""
    quotes = [found.span() for found in _QUOTED.finditer(question)]
    words: list[Word] = []
    for found in _WORD.finditer(question):
        quoted = any(start < found.start() and found.end() < end for start, end in quotes)
        words.append(Word(fold(found.group()), found.group(), found.start(), found.end(), quoted))
        if len(words) == MAX_TOKENS:
            break
    return tuple(words)


def numbers_in(question: str, words: tuple[Word, ...], *, decimal_comma: bool = False) -> tuple[Number, ...]:
    """Return the numbers written in figures, over the words that they cover."""
    numbers: list[Number] = []
    for found in _NUMBER.finditer(question.translate(_SWAPPED) if decimal_comma else question):
        covered = [i for i, word in enumerate(words) if found.start() <= word.start and word.end <= found.end()]
        if covered:
            text = found.group().replace(",", "").replace("-.", "-0.").replace("−", "-").replace("–", "-")
            value = float(text) if "." in text else int(text)
            numbers.append(Number(covered[0], covered[-1] + 1, int(value) if value == int(value) else value))
    return tuple(numbers)
