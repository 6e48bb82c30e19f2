"""What the words of a language say in the name of a column: its part `headers`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from jupyter_mcpgen.nl.lexicon.reading import parts

Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Weights:
    """Words of names that tell little apart, and what the last word of a name says."""

    light: Words
    connecting: Words
    """Function words that may stand between the words of one name."""
    negations: Words
    identifiers: Words
    codes: Words
    naming: Words
    doers: Words
    """Words behind a verb that say that a column names who did it."""
    tables: Words


@dataclass(frozen=True, slots=True)
class AdditivityWords:
    """Words, and units of numbers, that say whether numbers add up."""

    additive: Words
    semi_additive: Words
    increments: Words
    ratio: Words
    level: Words
    running: Words
    running_beside_new: Words
    running_before: Words
    of_each: Words
    of_one: Words
    amount_units: Words
    """Kinds of units of amounts."""
    time_units: Words
    level_units: Words


@dataclass(frozen=True, slots=True)
class MoneyWords:
    """Words and signs of money."""

    money: Words
    currencies: Words


@dataclass(frozen=True, slots=True)
class DateWords:
    """Words that say what happened at a date."""

    birth: Words
    due: Words
    start: Words
    end: Words
    created: Words
    years: Words
    """Words that say that whole numbers are years."""


@dataclass(frozen=True, slots=True)
class TruthWords:
    """Words around what a column of yes and no says."""

    auxiliaries: Words
    flags: Words
    negations: Words
    plain: Words
    """What a cell says of itself that is no more than yes or no."""


@dataclass(frozen=True, slots=True)
class Relations:
    """Words by which the names of related columns differ."""

    opposites: tuple[tuple[str, str], ...]
    variants: Mapping[str, Words]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All of these words of one language."""

    words: Weights
    additivity: AdditivityWords
    money: MoneyWords
    dates: DateWords
    truth: TruthWords
    relations: Relations


@lru_cache(maxsize=4)
def load_vocabulary(language: str) -> Vocabulary:
    """Return the words of a language; raises `FileNotFoundError` for one without files."""
    tables = parts(language)["headers"]
    relations = tables["relations"]
    return Vocabulary(
        words=Weights(**_sets(tables["words"])),
        additivity=AdditivityWords(**_sets(tables["additivity"])),
        money=MoneyWords(**_sets(tables["money"])),
        dates=DateWords(**_sets(tables["dates"])),
        truth=TruthWords(**_sets(tables["truth"])),
        relations=Relations(
            opposites=tuple((one, other) for one, other in relations["opposites"]),
            variants=_sets(relations["variants"]),
        ),
    )


def _sets(table: Mapping[str, list[str]]) -> dict[str, Words]:
    return {key: frozenset(words) for key, words in table.items()}
