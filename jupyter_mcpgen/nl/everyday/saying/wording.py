"""How a rule's idea is worded in a language: the phrases that say it, and what is said instead of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from jupyter_mcpgen.nl.everyday.saying.phrases import Phrase

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`")


class Term(StrEnum):
    """What rules put into the planner's mouth; each language has its words for them."""

    HIGHEST = "highest"
    LOWEST = "lowest"
    TOTAL = "total"
    AVERAGE = "average"
    MEAN = "mean"
    MEDIAN = "median"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"
    TOP = "top"
    BOTTOM = "bottom"
    SHARE = "share"
    PERCENTAGE = "percentage"
    TRUE = "true"
    FALSE = "false"
    MOST = "most"
    FEWEST = "fewest"
    ASCENDING = "ascending"
    DESCENDING = "descending"


@dataclass(frozen=True, eq=False)
class Wording:
    """The phrases of one rule, in the order in which they are tried, and its templates by name."""

    phrases: tuple[Phrase, ...] = ()
    becomes: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all its phrases."""
        return frozenset(name for phrase in self.phrases for name in phrase.meanings)

    def say(self, way: str, parts: Mapping[str, str]) -> str:
        """Fill a template in; terms are said in the language."""
        said = {key: self.terms[part] if isinstance(part, Term) else part for key, part in parts.items()}
        return self.becomes[way].format_map(said)


@dataclass(frozen=True)
class Found:
    """Where a phrase stands in a question, with the words under its names."""

    match: re.Match[str]
    phrase: Phrase
    wording: Wording

    def __getitem__(self, name: str) -> str:
        """Return the words under a name as they were written, or nothing where the phrase has none."""
        return (self.match[name] or "").strip() if name in self.phrase.meanings else ""

    @property
    def text(self) -> str:
        """Everything that was found."""
        return self.match[0].strip()

    @property
    def start(self) -> int:
        """The place of the first letter."""
        return self.match.start()

    @property
    def end(self) -> int:
        """The place behind the last letter and the space after it."""
        return self.match.end()

    def folded(self, name: str) -> str:
        """Return the words under a name in lower case, with single spaces."""
        return " ".join(self[name].casefold().split())

    def meant(self, name: str) -> str:
        """Return the choice that the words under a name stand for, or the words where they are none."""
        said = self.folded(name)
        return self.phrase.meanings.get(name, {}).get(said, said)

    def said(self, way: str = "", **parts: str) -> str:
        """Return what is said instead: a template of the rule, with the words found and the parts given."""
        return self.wording.say(way, {name: self[name] for name in self.wording.names} | parts)


def find_all(text: str, phrase: Phrase, wording: Wording) -> Iterator[Found]:
    """Yield each place of a phrase that is outside quotation marks."""
    quoted: list[tuple[int, int]] | None = None
    for match in phrase.places(text):
        quoted = [found.span() for found in _QUOTED.finditer(text)] if quoted is None else quoted
        if not any(start < match.end() and match.start() < end for start, end in quoted):
            yield Found(match, phrase, wording)
