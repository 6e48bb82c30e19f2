"""Columns that belong together by their names: two sides of one thing, and variants of one measure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.nl.schema.headers import HeaderWord, split_words
from jupyter_mcpgen.nl.schema.vocabulary import Vocabulary, Words
from jupyter_mcpgen.plan.schema import ColumnType

PLAIN = "plain"
ACTUAL = "actual"


@dataclass(frozen=True, slots=True)
class Header:
    """A column's name, type, unit and words."""

    name: str
    type: ColumnType
    unit: str | None
    words: tuple[HeaderWord, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """Two columns that are called alike but for two opposite words, such as home and away."""

    first: str
    second: str
    words: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Variant:
    """A column that holds a measure in another way: its actual, average, extreme, target or earlier value."""

    column: str
    kind: str


@dataclass(frozen=True, slots=True)
class Variants:
    """The columns of one measure; `plain` is the one that is meant when nothing else is said."""

    plain: str
    others: tuple[Variant, ...]


def find_sides(headers: Sequence[Header], vocabulary: Vocabulary) -> tuple[Sides, ...]:
    """Return the pairs of columns of one type whose names differ by two opposite words only."""
    found = []
    for pair in vocabulary.relations.opposites:
        firsts, seconds = (dict(_without_word(headers, word)) for word in pair)
        found += [Sides(firsts[rest], seconds[rest], pair) for rest in firsts if rest in seconds]
    return tuple(found)


def _without_word(headers: Sequence[Header], side: str) -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield the columns with a word on one side: what is left of the name and its type, and the name."""
    for header in headers:
        texts = [word.text for word in header.words]
        places = [place for place, word in enumerate(header.words) if side in (word.text, word.base)]
        if len(places) == 1:
            texts[places[0]] = ""
            yield (header.type.is_number or header.type, *texts), header.name


def find_variants(headers: Sequence[Header], vocabulary: Vocabulary) -> tuple[Variants, ...]:
    """Return the measures that have several columns, each with the column that holds the plain measure."""
    kinds = vocabulary.relations.variants
    measures: dict[tuple[str, ...], list[Variant]] = defaultdict(list)
    for header in headers:
        units = frozenset(split_words(header.unit or ""))
        own = [word for word in header.words if not word.function and (word.heavy or word.base not in units)]
        rest = tuple(sorted(word.base for word in own if _kind(word, kinds) is None))
        said = next((kind for word in header.words if (kind := _kind(word, kinds))), PLAIN)
        if header.type.is_number and (rest or said != PLAIN):
            measures[rest].append(Variant(header.name, said))
    return tuple(found for columns in measures.values() if (found := _with_plain(columns)))


def _kind(word: HeaderWord, kinds: Mapping[str, Words]) -> str | None:
    return next((kind for kind, own in kinds.items() if word.known & own), None)


def _with_plain(columns: Sequence[Variant]) -> Variants | None:
    """Return the columns of a measure, the plain one apart; None where there is no single plain one."""
    for kind in (PLAIN, ACTUAL):
        plain = [column for column in columns if column.kind == kind]
        if plain:
            others = tuple(column for column in columns if column is not plain[0])
            return Variants(plain[0].column, others) if len(plain) == 1 and others else None
    return None
