"""A question on its way into the table's own words: the text so far, and what was assumed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.vocabulary import Vocabulary

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`")
IN_ALL = r"\b(?:in\s+total|altogether|overall|in\s+all)\b"
NUMBERS = r"\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twenty"


@dataclass(frozen=True)
class Speech:
    """The text of a question, and the assumptions behind its words."""

    text: str
    notes: tuple[str, ...] = ()

    def find(self, pattern: str) -> re.Match[str] | None:
        """Return the first match outside quotation marks, in any case."""
        quoted = [found.span() for found in _QUOTED.finditer(self.text)]
        for found in _compiled(pattern).finditer(self.text):
            if not any(start < found.end() and found.start() < end for start, end in quoted):
                return found
        return None

    def put(self, found: re.Match[str], words: str, *notes: str) -> Speech:
        """Return the question with other words in the place of a match."""
        text = f"{self.text[: found.start()]} {words} {self.text[found.end() :]}"
        return Speech(_tidy(text), (*self.notes, *notes))

    def saying(self, text: str, *notes: str) -> Speech:
        """Return the question said in wholly other words."""
        return Speech(_tidy(text), (*self.notes, *notes))


@dataclass(frozen=True)
class Table:
    """What a rule may look at: the table with the language, and the everyday words."""

    context: Context
    vocabulary: Vocabulary

    def words(self, key: str) -> frozenset[str]:
        """Return a list of words by its key."""
        return self.vocabulary.words[key]

    def is_data(self, phrase: str) -> bool:
        """Tell whether a phrase, or a single word of the data, is a value or the whole name of a column."""
        folded = phrase.casefold().replace("-", " ")
        own = {" ".join(words) for words in self.context.column_words.values()}
        return folded in self.context.values or folded in own


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@lru_cache(maxsize=128)
def any_of(words: frozenset[str] | tuple[str, ...]) -> str:
    """Return a pattern for one of some phrases, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _tidy(text: str) -> str:
    return re.sub(r"\s+([?,.])", r"\1", re.sub(r"\s+", " ", text)).strip()
