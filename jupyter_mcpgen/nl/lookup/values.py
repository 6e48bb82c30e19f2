"""Finds values of the data in a question: by their plain words, longest first, and numbers by what they are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import ColumnProfile, Profile
from jupyter_mcpgen.nl.lookup.words import Number, Word, other_way_to_write_years, plain_words
from jupyter_mcpgen.nl.words.forms import singular
from jupyter_mcpgen.plan.schema import ColumnType

MAX_WORDS = 24
"""The longest value that is looked for, in words."""
SAME, ALIKE, PART = 1.0, 0.9, 0.6
"""How well a text is met: sign by sign, by its words, without what stands in brackets or before it."""
KNOWN, POSSIBLE = 1.0, 0.5
"""How well a number fits a column: among its values, or within their range."""

_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*"
_DATE = re.compile(
    rf"\b(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    rf"|(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})"
    rf"|(?P<day_>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month_>{_MONTH})\.?,? (?P<year_>\d{{4}}))\b",
    re.IGNORECASE,
)
_DASHES = str.maketrans("–—−‐‑’‘“”", "-----''\"\"")


@dataclass(frozen=True)
class Cells:
    """What some words stand for in one column: the stored spellings, or a number."""

    column: str
    values: tuple[str | int | float, ...]
    fit: float


@dataclass(frozen=True)
class Mention:
    """Words that are a value of one or more columns."""

    start: int
    end: int
    cells: tuple[Cells, ...]
    number: int | float | None = None


class Values:
    """The values of a table's text columns by their words, and of its number columns."""

    def __init__(self, profile: Profile) -> None:
        self._texts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._parts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.longest = 1
        self.parts: set[str] = set()
        self._numbers = [
            (field.name, column, frozenset((*column.values, *column.more)))
            for field, column in zip(profile.schema_.fields, profile.columns, strict=True)
            if field.type.is_number
        ]
        self._dates = [
            (field.name, frozenset(str(value).removesuffix("T00:00:00") for value in (*column.values, *column.more)))
            for field, column in zip(profile.schema_.fields, profile.columns, strict=True)
            if field.type is ColumnType.DATE and not _has_times(column)
        ]
        for field, column in zip(profile.schema_.fields, profile.columns, strict=True):
            if field.type is ColumnType.TEXT:
                header = plain_words(field.name)
                for value in (*column.values, *column.more):
                    if plain_words(str(value)) != header:  # a header that was repeated among the rows
                        self._add(field.name, str(value))

    def _add(self, column: str, value: str) -> None:
        words = plain_words(value)
        if not words or len(words) > MAX_WORDS:
            return
        self.longest = max(self.longest, len(words))
        self.parts.update(words)
        self._texts[" ".join(words)][column].append(value)
        if (years := other_way_to_write_years(words)) is not None:
            self._texts[" ".join(years)][column].append(value)
        for other in _shorter(value, words):
            self._parts[other][column].append(value)

    def find(self, question: str, words: tuple[Word, ...], numbers: tuple[Number, ...]) -> Iterator[Mention]:
        """Yield every run of words that is a value somewhere."""
        texts = [word.text for word in words]
        inside = {i for number in numbers for i in range(number.start + 1, number.end)}
        by_span = {(number.start, number.end): number for number in numbers}
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + self.longest) + 1):
                number = by_span.get((start, end))
                if number is None and (start in inside or end in inside):
                    continue
                key = " ".join(texts[start:end])
                written = question[words[start].start : words[end - 1].end]
                around = question[max(words[start].start - 3, 0) : words[end - 1].end + 3]
                cells = (
                    *self._text_cells(key, written, around),
                    *self._number_cells(number),
                )
                if cells or number is not None:
                    yield Mention(start, end, cells, number.value if number else None)
        for number in numbers:
            if number.end - number.start > self.longest:
                yield Mention(number.start, number.end, tuple(self._number_cells(number)), number.value)

    def dates(self, question: str, words: tuple[Word, ...]) -> Iterator[Mention]:
        """Yield every date that is written out and stands in a date column."""
        for found in _DATE.finditer(question):
            covered = [i for i, word in enumerate(words) if found.start() <= word.start and word.end <= found.end()]
            day = _day(found)
            cells = tuple(Cells(name, (day,), SAME) for name, days in self._dates if day in days)
            if cells and covered:
                yield Mention(covered[0], covered[-1] + 1, cells)

    def _text_cells(self, key: str, written: str, around: str) -> Iterator[Cells]:
        found = self._texts.get(key) or self._texts.get(_singular(key))
        if found:
            for column, values in found.items():
                inside = [v for v in values if _flat(v) in _flat(around)]
                same = [v for v in inside if len(v) == max(map(len, inside))]
                close = same or [v for v in values if _flat(written) in _flat(v)] or values
                yield Cells(column, tuple(close), SAME if same else ALIKE)
            return
        for column, values in self._parts.get(key, {}).items():
            if len(set(values)) == 1:
                yield Cells(column, (values[0],), PART)

    def _number_cells(self, number: Number | None) -> Iterator[Cells]:
        if number is None:
            return
        for name, column, known in self._numbers:
            if number.value in known:
                yield Cells(name, (number.value,), KNOWN)
            elif (
                column.distinct > len(known)
                and column.minimum is not None
                and column.minimum <= number.value <= column.maximum
            ):
                yield Cells(name, (number.value,), POSSIBLE)


def _has_times(column: ColumnProfile) -> bool:
    """Tell whether dates hold times of day: a day is many moments of theirs, and no value."""
    return any(not str(value).endswith("T00:00:00") for value in (*column.values, *column.more))


def _day(found: re.Match[str]) -> str:
    """Return a date as ISO 8601 writes it."""
    if found["iso"]:
        return found["iso"]
    year, month, day = (found[name] or found[f"{name}_"] for name in ("year", "month", "day"))
    return f"{year}-{_MONTHS.index(month[:3].lower()) + 1:02}-{int(day):02}"


def _shorter(value: str, words: tuple[str, ...]) -> Iterator[str]:
    bare = plain_words(_BRACKETS.sub("", value))
    if bare and bare != words:
        yield " ".join(bare)
    if len(words) > 1 and words[0] == "the":
        yield " ".join(words[1:])
    if len(words) > 1 and value.replace(",", "").replace(".", "").isdigit():
        yield value.replace(",", "").replace(".", "")


def _flat(text: str) -> str:
    return text.translate(_DASHES).casefold()


def _singular(key: str) -> str:
    head, _, last = key.rpartition(" ")
    return f"{head} {singular(last)}".strip()
