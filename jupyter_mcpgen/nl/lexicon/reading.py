"""Reads the words of a language and refuses what they may not say.

A language is a folder of TOML files. Their top-level tables are its parts; how these are spread over files is free.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

from jupyter_mcpgen.nl.lexicon.entries import Unit
from jupyter_mcpgen.nl.text.morphology import Analysis, Ending, Form, Morphology
from jupyter_mcpgen.precomputed import precomputed

LANGUAGES = Path(__file__).parent
"""Where each language has a folder."""
PARTS = (
    "endings",
    "irregular",
    "concepts",
    "dimensions",
    "judgement",
    "families",
    "units",
    "abbreviations",
    "function",
    "numbers",
    "rows",
    "opposites",
    "kinds",
    "compounds",
)
"""What is read here. What words do in a question, in headers, in follow-ups and between tables is read there."""
_SIGNS = ("ordinal_endings", "decimal_comma")
_ORDERS = frozenset({"up", "down", "count"})


class UnfitLexicon(ValueError):
    """A part of a language says what it may not."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(f"`[{part}]` of the lexicon: {reason}. Correct the file.")


@dataclass(frozen=True)
class WordClass:
    """A class of words without content: what it costs to leave one out, and whether they connect others."""

    cost: float | None
    """None where the word changes what is asked, so that it is never left out."""
    closed: bool


@dataclass(frozen=True)
class Ordering:
    """An order that a word asks for: of what, and which way."""

    concepts: tuple[str, ...]
    descending: bool
    by_count: bool


class NounKind(Enum):
    """What a noun is about."""

    PERSON = "person"
    PLACE = "place"


@dataclass(frozen=True)
class RowKind:
    """What rows are called, if the table has columns for `least` of some words."""

    nouns: tuple[str, ...]
    columns: frozenset[str]
    least: int


@dataclass(frozen=True, eq=False)
class Words:
    """What the files say, by word."""

    concepts: Mapping[str, frozenset[str]]
    dimensions: Mapping[str, tuple[Ordering, ...]]
    judgements: Mapping[str, tuple[Ordering, ...]]
    families: Mapping[str, frozenset[str]]
    codes: Mapping[str, frozenset[str]]
    places: Mapping[str, frozenset[str]]
    abbreviations: Mapping[str, tuple[str, ...]]
    classes: Mapping[str, WordClass]
    units: Mapping[str, Unit]
    numbers: Mapping[str, float]
    multipliers: Mapping[str, float]
    ordinals: Mapping[str, int]
    ordinal_endings: tuple[str, ...]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    row_kinds: tuple[RowKind, ...]
    period_rows: Mapping[str, tuple[str, ...]]
    opposites: Mapping[str, frozenset[str]]
    kinds: Mapping[str, frozenset[NounKind]]
    generic: Mapping[str, frozenset[NounKind]]
    decimal_comma: bool
    compounds: Mapping[str, str]
    """The first part of a compound, and the word that says it alone."""


@lru_cache(maxsize=8)
def parts(language: str, languages: Path = LANGUAGES) -> dict[str, Any]:
    """Return the parts of a language by name; raises `FileNotFoundError` for one without files."""
    paths = sorted((languages / language).glob("*.toml"))
    if not paths:
        raise FileNotFoundError(f"There is no lexicon of the language `{language}`.")
    trees: dict[str, Any] = precomputed(f"lexicon_{language}", paths, lambda: _gathered_parts(paths))
    return trees


def _gathered_parts(paths: Iterable[Path]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in paths:
        for name, tree in tomllib.loads(path.read_text("utf-8")).items():
            if name in found:
                raise UnfitLexicon(name, "it is in two files")
            found[name] = tree
    return found


def read(language: str, languages: Path = LANGUAGES) -> tuple[Morphology, Words]:
    """Return how a language inflects and what its words mean."""
    trees = parts(language, languages)
    for name in PARTS:
        _refuse_unfit_words(name, trees[name])
    dimensions = _orders("dimensions", trees["dimensions"], trees["concepts"])
    judgements = _orders("judgement", trees["judgement"], trees["concepts"])
    families = _table("families", trees["families"], "families", "countries", "states", "months", "weekdays")
    numbers = _table("numbers", trees["numbers"], "numbers", "multipliers", "ordinals", *_SIGNS)
    areas = (*families["countries"].items(), *families["states"].items())  # Georgia is both
    codes = _gathered((name, area["codes"]) for name, area in areas)
    rows = _table("rows", trees["rows"], "kinds", "periods")
    kinds = _table("kinds", trees["kinds"], *(kind.value for kind in NounKind))
    words = Words(
        concepts=_gathered((word, (name,)) for name, words in trees["concepts"].items() for word in (name, *words)),
        dimensions=dimensions,
        judgements=judgements,
        families=_families((*families["families"], *(_names_of_area(name, area) for name, area in areas))),
        codes=codes,
        places=_gathered((code, (name,)) for name, own in codes.items() for code in own),
        abbreviations={short: tuple(long) for short, long in trees["abbreviations"].items()},
        classes=_classes(trees["function"]),
        units=_units(trees["units"]),
        numbers=numbers["numbers"],
        multipliers=numbers["multipliers"],
        ordinals=numbers["ordinals"],
        ordinal_endings=tuple(numbers["ordinal_endings"]),
        decimal_comma=numbers["decimal_comma"],
        compounds=trees["compounds"],
        months=_numbered(families["months"]),
        weekdays=_numbered(families["weekdays"]),
        row_kinds=tuple(map(_row_kind, rows["kinds"])),
        opposites=_opposites(trees["opposites"]),
        kinds=_of_kinds(kinds, "words"),
        generic=_of_kinds(kinds, "generic"),
        period_rows={period: tuple(nouns) for period, nouns in rows["periods"].items()},
    )
    gradable = frozenset(dimensions) | frozenset(judgements)
    return _morphology(trees["endings"], trees["irregular"], gradable), words


def _refuse_unfit_words(name: str, part: Any) -> None:
    """Refuse capitals, and a word that stands twice in one list."""
    match part:
        case dict():
            for key, value in part.items():
                _refuse_unfit_words(name, [key])
                _refuse_unfit_words(name, value)
        case list():
            texts = [entry for entry in part if isinstance(entry, str)]
            if capital := next((text for text in texts if text != text.lower()), None):
                raise UnfitLexicon(name, f"`{capital}` is not in lower case")
            if len(set(texts)) < len(texts):
                twice = next(text for text in texts if texts.count(text) > 1)
                raise UnfitLexicon(name, f"`{twice}` stands twice in one list")
            for entry in part:
                if not isinstance(entry, str):
                    _refuse_unfit_words(name, entry)


def _table(part: str, tree: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """Return a table that has exactly these keys."""
    if wrong := set(tree) ^ set(keys):
        raise UnfitLexicon(part, f"`{min(wrong)}` is missing or unknown; the keys are {', '.join(keys)}")
    return tree


def _morphology(endings: Mapping[str, Any], irregular: Mapping[str, Any], gradable: frozenset[str]) -> Morphology:
    forms: dict[str, list[Analysis]] = {}
    for form in Form:
        for lemma, irregulars in irregular.get(form.value, {}).items():
            for word in irregulars:
                forms.setdefault(word, []).append(Analysis(lemma, form))
    _table("irregular", irregular, "whole", *(form.value for form in Form if form.value in irregular))
    return Morphology(
        endings=tuple(_ending(entry) for entry in _table("endings", endings, "endings", "denials")["endings"]),
        denials=tuple(endings["denials"]),
        irregular={word: tuple(found) for word, found in forms.items()},
        whole=frozenset(irregular["whole"]),
        gradable=gradable,
    )


def _ending(entry: Mapping[str, Any]) -> Ending:
    undouble = {"undouble"} & set(entry)
    _table("endings", entry, "form", "cut", "put", "behind", *undouble)
    return Ending(
        form=Form(entry["form"]),
        cut=entry["cut"],
        put=tuple(entry["put"]),
        behind=re.compile(entry["behind"]),
        undouble=bool(undouble) and entry["undouble"],
    )


def _orders(file: str, tree: Mapping[str, Any], concepts: Mapping[str, Any]) -> dict[str, tuple[Ordering, ...]]:
    return {lemma: tuple(_orders_of(file, lemma, entry, concepts)) for lemma, entry in tree.items()}


def _orders_of(file: str, lemma: str, entry: Mapping[str, Any], concepts: Mapping[str, Any]) -> Iterator[Ordering]:
    """Yield the orders of an entry such as `old = { up = ["age"], down = ["birth"] }`, in the order written."""
    if not entry or not entry.keys() <= _ORDERS or entry.get("count", "up") not in ("up", "down"):
        raise UnfitLexicon(file, f"`{lemma}` has `up` and `down`, lists of concepts, and `count`, which is up or down")
    if unknown := {word for way in ("up", "down") for word in entry.get(way, ())} - set(concepts):
        raise UnfitLexicon(file, f"`{lemma}` is about `{min(unknown)}`, which is no concept")
    counted = entry.get("count")
    for way, told in entry.items():
        if way != "count":
            yield Ordering(tuple(told), way == "up", way == counted)
    if counted and counted not in entry:
        yield Ordering((), counted == "up", True)


def _gathered(entries: Iterable[tuple[str, Iterable[str]]]) -> dict[str, frozenset[str]]:
    """Return for each word all that is said of it."""
    found: dict[str, set[str]] = {}
    for word, told in entries:
        found.setdefault(word, set()).update(told)
    return {word: frozenset(told) for word, told in found.items()}


def _families(families: Iterable[Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return for each word the others of all its families."""
    found = _gathered((word, family) for family in families for word in family)
    return {word: family - {word} for word, family in found.items()}


def _names_of_area(name: str, area: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a country or state and its people are called."""
    _table("families", area, "codes", "people", *({"also"} & set(area)))
    return (name, *area["people"], *area.get("also", ()))


def _classes(tree: Mapping[str, Any]) -> dict[str, WordClass]:
    found: dict[str, WordClass] = {}
    for name, entry in tree.items():
        _table("function", entry, "closed", "words", *({"cost"} & set(entry)))
        for word in entry["words"]:
            if word in found:
                raise UnfitLexicon("function", f"`{word}` of `{name}` is of another class as well")
            found[word] = WordClass(entry.get("cost"), entry["closed"])
    return found


def _units(tree: Mapping[str, Any]) -> dict[str, Unit]:
    """Return each unit by all that names it; a group has the name of its base."""
    found: dict[str, Unit] = {}
    for kind, bases in tree.items():
        for base, units in bases.items():
            for name, entry in units.items():
                _table("units", entry, "factor", "words", *({"offset"} & set(entry)))
                unit = Unit(name, kind, base, entry["factor"], entry.get("offset", 0.0))
                for word in (name, *entry["words"]):
                    if word in found:
                        raise UnfitLexicon("units", f"`{word}` is `{found[word].name}` and `{name}`")
                    found[word] = unit
    return found


def _opposites(tree: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return for each word all that hold where it does not."""
    pairs = [(one, other) for one, others in tree.items() for other in others]
    for one, other in pairs:
        if one == other:
            raise UnfitLexicon("opposites", f"`{one}` is its own opposite")
        if one in tree.get(other, ()):
            raise UnfitLexicon("opposites", f"`{min(one, other)}` and `{max(one, other)}` are a pair already")
    return _gathered((one, (other,)) for pair in pairs for one, other in (pair, pair[::-1]))


def _of_kinds(tree: Mapping[str, Any], key: str) -> dict[str, frozenset[NounKind]]:
    """Return for each word of a list of the kinds which of them it is of."""
    found: dict[str, set[NounKind]] = {}
    for kind in NounKind:
        for word in _table("kinds", tree[kind.value], "generic", "words")[key]:
            found.setdefault(word, set()).add(kind)
    return {word: frozenset(own) for word, own in found.items()}


def _row_kind(entry: Mapping[str, Any]) -> RowKind:
    _table("rows", entry, "nouns", "columns", "least")
    if not 1 < entry["least"] <= len(entry["columns"]):
        raise UnfitLexicon("rows", f"`{entry['nouns'][0]}` needs at least two columns, and no more than it lists")
    return RowKind(tuple(entry["nouns"]), frozenset(entry["columns"]), entry["least"])


def _numbered(names: Mapping[str, Any]) -> dict[str, int]:
    """Return the place of each name and short form, from 1."""
    return {word: place for place, (name, short) in enumerate(names.items(), 1) for word in (name, *short)}
