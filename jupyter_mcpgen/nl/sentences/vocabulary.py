"""The words of sentences beside a question, read from the language's data file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from jupyter_mcpgen.precomputed import words_of

Within = Callable[[str], re.Pattern[str]]
"""Returns the pattern of those phrases that a text may hold: few, where all would take long to compile."""


@dataclass(frozen=True)
class Remark:
    """What a question may say that changes nothing of what is computed, with what is noted of it."""

    within: Within
    nouns: tuple[str, ...]
    """Words that a column may be called after: it may be meant then."""
    note: str
    whole: bool
    """True where it must be a sentence, or stand in brackets."""
    tests: bool
    """True where only the result of a test says it."""
    largest_first: bool
    """True where only a result with the largest figure first says it."""
    beside: tuple[str, ...]
    """Phrases of which the question must hold one; none where it may hold any."""
    unless: tuple[str, ...]
    """Phrases in a question that it would change the answer of."""


@dataclass(frozen=True)
class Vocabulary:
    """What begins a sentence that keeps or drops rows, what may stand around it, and remarks."""

    keep: Within
    drop: Within
    opening: Within
    closing: Within
    dropped_behind: Within
    kept_behind: Within
    again: re.Pattern[str]
    """A condition and "only" behind it."""
    joining: re.Pattern[str]
    """What stands between two steps of one sentence."""
    kept: str
    dropped: str
    abbreviations: tuple[str, ...]
    remarks: tuple[Remark, ...]


@lru_cache(maxsize=4)
def load_sentences(language: str) -> Vocabulary | None:
    """Return a language's words of such sentences, or None where it has none; read once per process."""
    tree = words_of(f"{language}_sentences")
    if not tree:
        return None
    numeral = rf"(?:\d+|{'|'.join(tree['numerals'])})"
    remarks = tuple(
        Remark(
            within=_any_of(entry["phrases"], numeral),
            nouns=tuple(entry["nouns"]),
            note=entry["note"],
            whole=entry.get("whole", False),
            tests=entry.get("tests", False),
            largest_first=entry.get("largest_first", False),
            beside=tuple(entry.get("beside", ())),
            unless=tuple(entry.get("unless", ())),
        )
        for entry in tree["remark"]
    )
    return Vocabulary(
        keep=_any_of(tree["keep"], numeral),
        drop=_any_of(tree["drop"], numeral),
        opening=_any_of(tree["opening"], numeral),
        closing=_any_of(tree["closing"], numeral),
        dropped_behind=_any_of(tree["dropped_behind"], numeral),
        kept_behind=_any_of(tree["kept_behind"], numeral),
        again=re.compile(
            rf"(?P<condition>\b(?:{'|'.join(tree['again_behind'])})\s+[^,;.?]+?)\s+(?:{'|'.join(tree['again'])})(?=\W*$)",
            re.IGNORECASE,
        ),
        joining=re.compile(rf"\s*,?\s+(?:{'|'.join(tree['joining'])})\s+", re.IGNORECASE),
        kept=tree["kept"],
        dropped=tree["dropped"],
        abbreviations=tuple(tree["abbreviations"]),
        remarks=remarks,
    )


def _any_of(phrases: list[str], numeral: str) -> Within:
    """Return what gives the pattern of the longest of some phrases, as whole words with the space behind them."""
    needed = {
        _written(phrase, numeral): [word.casefold().split("/") for word in phrase.split() if word[0] not in "(#"]
        for phrase in phrases
    }
    longest_first = sorted(needed, key=len, reverse=True)

    def within(text: str) -> re.Pattern[str]:
        said = text.casefold()
        return _either(*(one for one in longest_first if all(any(map(said.__contains__, w)) for w in needed[one])))

    return within


@lru_cache(maxsize=256)
def _either(*written: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?:{'|'.join(written) or '(?!)'})", re.IGNORECASE)


def _written(phrase: str, numeral: str) -> str:
    parts = []
    for word in phrase.split():
        one = "|".join(numeral if each == "#" else re.escape(each) for each in word.strip("()").split("/"))
        parts.append(rf"(?:(?:{one}){_END})?" if word.startswith("(") else rf"(?:{one}){_END}")
    return "".join(parts)


_END = r"(?:\s+|(?=[\s.,;:?!)])|$)"
"""Behind a word."""
