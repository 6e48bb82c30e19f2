"""What a row of a table is: the nouns for it, its keys, and what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.nl.schema.dependencies import Dependency, find_dependencies, find_keys
from jupyter_mcpgen.nl.schema.headers import HeaderWord, read_header
from jupyter_mcpgen.nl.schema.vocabulary import Vocabulary, Words
from jupyter_mcpgen.plan.schema import ColumnType


@dataclass(frozen=True, slots=True)
class RowNoun:
    """A name for a row, as lemmas with the noun last, and why a row may be called so."""

    words: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity that rows are about: its noun as lemmas, and the columns of its identifier and its name."""

    words: tuple[str, ...]
    identifier: str | None
    name: str | None


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What a row is; `nouns` are the surest first."""

    nouns: tuple[RowNoun, ...]
    keys: tuple[tuple[str, ...], ...]
    things: tuple[Thing, ...]
    dependencies: tuple[Dependency, ...]

    def depends(self, column: str, on: str) -> bool:
        """Tell whether a column's value is known where that of another is."""
        return Dependency(column, on) in self.dependencies


@dataclass(frozen=True, slots=True)
class Named:
    """What of a column counts for what a row is."""

    name: str
    type: ColumnType
    words: tuple[HeaderWord, ...]
    additivity: Additivity


def find_row_facts(profile: Profile, columns: Sequence[Named], lexicon: Lexicon, vocabulary: Vocabulary) -> RowFacts:
    """Return what a row of a table is."""
    naming = [column for column in columns if _may_name_rows(column)]
    known = [profile.column(column.name) for column in naming]
    keys = find_keys(known, profile.rows)
    single = frozenset(key[0] for key in keys if len(key) == 1)
    others = [profile.column(column.name) for column in columns]
    return RowFacts(
        nouns=tuple(_nouns(profile.name, columns, single, lexicon, vocabulary)),
        keys=keys,
        things=_things(columns, vocabulary),
        dependencies=find_dependencies([column for column in known if column.name not in single], others),
    )


def _may_name_rows(column: Named) -> bool:
    return column.additivity in (Additivity.IDENTIFIER, Additivity.CODE) or column.type in (
        ColumnType.TEXT,
        ColumnType.DATE,
    )


def _nouns(
    table: str, columns: Sequence[Named], keys: frozenset[str], lexicon: Lexicon, vocabulary: Vocabulary
) -> Iterator[RowNoun]:
    seen: set[tuple[str, ...]] = set()
    for noun in _all_nouns(table, columns, keys, lexicon, vocabulary):
        if noun.words and noun.words not in seen:
            seen.add(noun.words)
            yield noun


def _all_nouns(
    table: str, columns: Sequence[Named], keys: frozenset[str], lexicon: Lexicon, vocabulary: Vocabulary
) -> Iterator[RowNoun]:
    for column in columns:
        if column.name in keys and (called := _identified(column, vocabulary)):
            yield RowNoun(called, f"`{column.name}` is different in each row")
    told = vocabulary.words.tables
    called = _lemmas(read_header(table, None, lexicon, vocabulary), told)
    yield RowNoun(called, f"the table is called `{table}`")
    texts = [column for column in columns if column.type is ColumnType.TEXT and column.additivity is Additivity.NONE]
    for column in texts:
        naming = column is texts[0] or any(word.known & vocabulary.words.naming for word in column.words)
        if column.name in keys and naming:
            yield RowNoun(_named(column, vocabulary), f"`{column.name}` is different in each row")


def _things(columns: Sequence[Named], vocabulary: Vocabulary) -> tuple[Thing, ...]:
    """Return the entities with an identifier or a name among the columns, in the order of these."""
    identifiers: dict[tuple[str, ...], str] = {}
    names: dict[tuple[str, ...], str] = {}
    for column in columns:
        if called := _identified(column, vocabulary):
            identifiers.setdefault(called, column.name)
        elif column.type is ColumnType.TEXT and (called := _named(column, vocabulary)):
            names.setdefault(called, column.name)
    return tuple(
        Thing(words, identifiers.get(words), names.get(words))
        for words in dict.fromkeys((*identifiers, *names))
        if words in identifiers or _says_name(names[words], columns, vocabulary)
    )


def _says_name(name: str, columns: Sequence[Named], vocabulary: Vocabulary) -> bool:
    """Tell whether a header has a word for names; one without names a thing only beside its identifier."""
    words = next(column.words for column in columns if column.name == name)
    return any(word.known & vocabulary.words.naming for word in words)


def _identified(column: Named, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the words of what a column has identifiers of; nothing for other columns."""
    told = vocabulary.words.identifiers
    if column.additivity is not Additivity.IDENTIFIER or not any(word.known & told for word in column.words):
        return ()
    inner = [place for place, word in enumerate(column.words) if word.function]
    return _lemmas(column.words[inner[-1] + 1 if inner else 0 :], told)


def _named(column: Named, vocabulary: Vocabulary) -> tuple[str, ...]:
    return _lemmas(column.words, vocabulary.words.naming)


def _lemmas(words: Sequence[HeaderWord], left_out: Words) -> tuple[str, ...]:
    """Return the lemmas of words that name a thing, without numbers."""
    return tuple(word.base for word in words if not (word.known & left_out or word.function or word.text.isdigit()))
