"""Which columns say that rows of two tables belong together: by their names, and because their values meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.joins.words import words_of

Pair = tuple[str, str]
"""A column of the first table, and the one of the second that it must equal."""
ALIKE = 0.75
"""Tables that share this part of the columns of the smaller one are taken to hold the same kind of rows."""
SHORTEST_HEAD = 3
"""A shorter beginning of a name is none of a word."""
_ROW_NUMBERS = (("id",), ("index",))
"""Names that say which row it is of its own table, and nothing about another one."""


@dataclass(frozen=True)
class FoundKeys:
    """The pairs of columns that may be the key; `sure` ones have the names of keys."""

    pairs: tuple[Pair, ...] = ()
    sure: bool = False


def found_keys(first: Table, second: Table) -> FoundKeys:
    """Return the pairs that look like keys and whose values meet: sure ones by their names, else what both have."""
    sure = [pair for pair in _named_like_keys(first, second) if _can_meet(first.profile, second.profile, pair)]
    if sure:
        return FoundKeys(tuple(dict.fromkeys(sure)), sure=True)
    told = [
        (own, other)
        for own in first.names
        for other in second.names
        if _bases(first, own) == _bases(second, other)
        and _can_meet(first.profile, second.profile, (own, other))
        and (is_unique(first.profile, own) or is_unique(second.profile, other))
    ]
    return FoundKeys(tuple(told))


def is_unique(profile: Profile, name: str) -> bool:
    """Tell whether each value of a column is there once, as far as the profile knows."""
    column = profile.column(name)
    return column.distinct > 0 and column.distinct == profile.rows - column.nulls


def is_told(found: FoundKeys, first: Table, second: Table) -> bool:
    """Tell whether the first pair is the only one that names single rows of one of the tables."""
    telling = [p for p in found.pairs if is_unique(first.profile, p[0]) or is_unique(second.profile, p[1])]
    return telling == [found.pairs[0]]


def are_alike(first: Table, second: Table) -> bool:
    """Tell whether two tables have nearly the same columns, so that they hold the same kind of rows."""
    shared = set(first.names) & set(second.names)
    return len(shared) >= ALIKE * min(len(first.names), len(second.names))


def _named_like_keys(first: Table, second: Table) -> Iterator[Pair]:
    ids = frozenset(phrase[0] for phrase in words_of(first.language).lists["id"])
    for own in first.names:
        for other in second.names:
            words, others = _bases(first, own), _bases(second, other)
            roles = first.profile.column(own).role, second.profile.column(other).role
            same = words == others and words not in _ROW_NUMBERS
            named = (len(words) > 1 and words[-1] in ids) or Role.IDENTIFIER in roles
            pointing = _points_at(words, others, second, ids) or _points_at(others, words, first, ids)
            if (same and named) or pointing or _shortens(words, others, ids):
                yield own, other


def _bases(table: Table, name: str) -> tuple[str, ...]:
    return tuple(word.base for word in table.column(name).facts.words)


def _points_at(words: tuple[str, ...], others: tuple[str, ...], owner: Table, ids: frozenset[str]) -> bool:
    """Tell whether a column is called after a table and its key: `customer_id` for `id` of `customers`."""
    called = (noun.words for noun in owner.schema.row.nouns)
    return len(others) == 1 and others[0] in ids and any(words == (*noun, others[0]) for noun in called)


def _shortens(words: tuple[str, ...], others: tuple[str, ...], ids: frozenset[str]) -> bool:
    """Tell whether two names of keys are one, written short: `cust_id` for `customer_id`."""
    if not len(words) == len(others) == 2 or words[1] != others[1] or words[1] not in ids:
        return False
    short, long = sorted((words[0], others[0]), key=len)
    return len(short) >= SHORTEST_HEAD and short != long and long.startswith(short)


def _can_meet(first: Profile, second: Profile, pair: Pair) -> bool:
    """Tell whether two columns may have equal values: of one type, and neither ranges nor known values apart."""
    types = first.schema_.type_of(pair[0]), second.schema_.type_of(pair[1])
    if types[0] is not types[1] and not all(type_.is_number for type_ in types):
        return False
    own, other = first.column(pair[0]), second.column(pair[1])
    if own.complete and other.complete:
        return not own.values or not other.values or bool(set(own.values) & set(other.values))
    return _ranges_meet(own, other)


def _ranges_meet(own: ColumnProfile, other: ColumnProfile) -> bool:
    bounds = (own.minimum, own.maximum, other.minimum, other.maximum)
    known = all(bound is not None for bound in bounds)
    return not known or bool(own.minimum <= other.maximum and other.minimum <= own.maximum)
