"""What a row of a table is: what it is called, its keys, and what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import ColumnProfile, Profile
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.nl.schema.dependencies import Dependency, find_dependencies, find_keys
from jupyter_mcpgen.nl.schema.row_nouns import Named, RowNoun, find_row_nouns, identified, named
from jupyter_mcpgen.nl.schema.vocabulary import Vocabulary
from jupyter_mcpgen.plan.schema import ColumnType

_MOSTLY = 0.9
"""An identifier with so many different values, measured by the rows, is meant to be different in each."""


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

    repeated: tuple[Thing, ...]
    """The things that several rows are about, told by identifiers that come back."""

    def depends(self, column: str, on: str) -> bool:
        """Tell whether a column's value is known where that of another is."""
        return Dependency(column, on) in self.dependencies


def find_row_facts(profile: Profile, columns: Sequence[Named], lexicon: Lexicon, vocabulary: Vocabulary) -> RowFacts:
    """Return what a row of a table is."""
    naming = [column for column in columns if _may_name_rows(column)]
    known = [profile.column(column.name) for column in naming]
    keys = find_keys(known, profile.rows)
    single = frozenset(key[0] for key in keys if len(key) == 1)
    others = [profile.column(column.name) for column in columns]
    things = _things(columns, vocabulary)
    repeated = tuple(
        one
        for one in things
        if (told := one.identifier or one.name) and _comes_back(profile.column(told), profile.rows)
    )
    return RowFacts(
        nouns=find_row_nouns(profile, columns, single, _called(repeated, columns, profile, keys), lexicon, vocabulary),
        keys=keys,
        things=things,
        repeated=repeated,
        dependencies=find_dependencies([column for column in known if column.name not in single], others),
    )


def _called(
    things: Sequence[Thing], columns: Sequence[Named], profile: Profile, keys: Sequence[tuple[str, ...]]
) -> frozenset[str]:
    """Return the nouns that things are called, also where a header abbreviates them.

    A text of one word that tells rows apart only with another column, such as a date, names a thing as well.
    """
    identifiers = {thing.identifier or thing.name: thing.words[-1] for thing in things}
    words = [
        word for one in columns if one.name in identifiers for word in one.words if word.base == identifiers[one.name]
    ]
    told = {name for key in keys if len(key) > 1 for name in key}
    words += [
        one.words[0]
        for one in columns
        if len(one.words) == 1 and one.name in told and one.type is ColumnType.TEXT
        if _comes_back(profile.column(one.name), profile.rows)
    ]
    return frozenset(noun for word in words for noun in (word.base, *word.known))


def _comes_back(column: ColumnProfile, rows: int) -> bool:
    """Tell whether identifiers are of things of several rows, and not of rows of which a few are double."""
    return column.distinct < _MOSTLY * (rows - column.nulls)


def _may_name_rows(column: Named) -> bool:
    return column.additivity in (Additivity.IDENTIFIER, Additivity.CODE) or column.type in (
        ColumnType.TEXT,
        ColumnType.DATE,
    )


def _things(columns: Sequence[Named], vocabulary: Vocabulary) -> tuple[Thing, ...]:
    """Return the entities with an identifier or a name among the columns, in the order of these."""
    identifiers: dict[tuple[str, ...], str] = {}
    names: dict[tuple[str, ...], str] = {}
    for column in columns:
        if called := identified(column, vocabulary):
            identifiers.setdefault(called, column.name)
        elif column.type is ColumnType.TEXT and (called := named(column, vocabulary)):
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
