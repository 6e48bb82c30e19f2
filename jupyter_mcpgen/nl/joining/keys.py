"""Which columns say that rows of two tables belong together: those that are named, else those that look so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, any_of
from jupyter_mcpgen.nl.words.forms import singular, split_name

Pair = tuple[str, str]
"""A column of the first table, and the one of the second that it must equal."""


SHORTEST_HEAD = 3
"""A shorter beginning of a name is none of a word."""
_ROW_NUMBERS = (("id",), ("index",))
"""Names that say which row it is of its own table, and nothing about another one."""


@dataclass(frozen=True)
class NamedKeys:
    """The keys that a question names, and what follows them; `unknown` is a word that is no column where it must be."""

    pairs: tuple[Pair, ...] = ()
    after: str = ""
    unknown: str | None = None


@dataclass(frozen=True)
class FoundKeys:
    """The pairs of columns that may be the key. `sure` ones have the names of keys."""

    pairs: tuple[Pair, ...] = ()
    sure: bool = False


def named_keys(after: str, first: Profile, second: Profile, vocabulary: Vocabulary) -> NamedKeys | None:
    """Read "on customer_id", "on customer_id = id and shop" at the beginning of a text; None where it names no key."""
    opened = re.match(rf"\s*(?P<on>{vocabulary.any('on')})\s+", after, re.IGNORECASE)
    if opened is None:
        return None
    surely = " ".join(opened["on"].casefold().split()) in vocabulary.words["surely_on"]
    rest, pairs = after[opened.end() :], []
    while True:
        pair, rest_after = _pair(rest, first, second, vocabulary)
        if pair is None:
            break
        pairs.append(pair)
        rest = rest_after
        more = re.match(rf"\s*(?:,|{vocabulary.any('and')})\s+", rest, re.IGNORECASE)
        if more is None or _pair(rest[more.end() :], first, second, vocabulary)[0] is None:
            return NamedKeys(tuple(pairs), rest)
        rest = rest[more.end() :]
    if not surely:
        return None  # "by country" groups, where only one of the tables has a country
    return NamedKeys(after=after, unknown=rest.split()[0].strip(",.;:?") if rest.split() else "")


def later_keys(
    text: str, first: Profile, second: Profile, vocabulary: Vocabulary
) -> tuple[tuple[Pair, ...], str] | None:
    """Return the keys that are named anywhere in a text, and the text without them."""
    for found in re.finditer(rf"[\s,]+(?=\b(?:{any_of(vocabulary.words['surely_on'])})\s)", text, re.IGNORECASE):
        keys = named_keys(text[found.start() :].lstrip(" ,"), first, second, vocabulary)
        if keys is not None and keys.pairs:
            return keys.pairs, f"{text[: found.start()]} {keys.after}".strip()
    return None


def is_told(found: FoundKeys, first: Profile, second: Profile) -> bool:
    """Tell whether the first pair is the only one that names single rows of one of the tables."""
    telling = [p for p in found.pairs if is_unique(first.column(p[0]), first) or is_unique(second.column(p[1]), second)]
    return telling == [found.pairs[0]]


def _pair(text: str, first: Profile, second: Profile, vocabulary: Vocabulary) -> tuple[Pair | None, str]:
    """Read one pair of columns at the beginning of a text: one name that both have, or two with `=` between."""
    for side, (own, other) in enumerate(((first, second), (second, first))):
        for name, rest in _columns_at(text, own):
            equals = re.match(rf"\s*(?:{vocabulary.any('equals')})\s+", rest, re.IGNORECASE)
            if equals is not None:
                for partner, after in _columns_at(rest[equals.end() :], other):
                    return ((name, partner) if side == 0 else (partner, name)), after
            partners = [column for column in other.schema_.names if split_name(column) == split_name(name)]
            if equals is None and partners:
                return ((name, partners[0]) if side == 0 else (partners[0], name)), rest
    return None, text


def _columns_at(text: str, profile: Profile) -> Iterator[tuple[str, str]]:
    """Yield the columns whose name a text begins with, the longest first, and what follows; `orders.id` is a name."""
    owner = rf"(?:{re.escape(profile.name)}\s*\.\s*)?"
    for name in sorted(profile.schema_.names, key=lambda known: (-len(known), known)):
        spaced = r"[\s_]+".join(map(re.escape, name.replace("_", " ").split())) or re.escape(name)
        found = re.match(rf"\s*{owner}[`\"']?(?:{re.escape(name)}|{spaced})[`\"']?(?!\w)", text, re.IGNORECASE)
        if found is not None:
            yield name, text[found.end() :]


def found_keys(first: Profile, second: Profile, vocabulary: Vocabulary) -> FoundKeys:
    """Return the pairs that look like keys and whose values meet: sure ones by their names, else what both have."""
    sure = [pair for pair in _named_like_keys(first, second, vocabulary) if _can_meet(first, second, pair)]
    if sure:
        return FoundKeys(tuple(dict.fromkeys(sure)), sure=True)
    shared = [
        (own, other)
        for own in first.schema_.names
        for other in second.schema_.names
        if split_name(own) == split_name(other) and _can_meet(first, second, (own, other))
    ]
    told = [
        pair for pair in shared if is_unique(first.column(pair[0]), first) or is_unique(second.column(pair[1]), second)
    ]
    return FoundKeys(tuple(told))


def _named_like_keys(first: Profile, second: Profile, vocabulary: Vocabulary) -> Iterator[Pair]:
    ids = vocabulary.words["id"]
    for own in first.schema_.names:
        for other in second.schema_.names:
            words, others = split_name(own), split_name(other)
            roles = first.column(own).role, second.column(other).role
            same = words == others and words not in _ROW_NUMBERS
            named = (len(words) > 1 and words[-1] in ids) or Role.IDENTIFIER in roles
            pointing = _points_at(words, others, second, ids) or _points_at(others, words, first, ids)
            if (same and named) or pointing or _shortens(words, others, ids):
                yield own, other


def _points_at(words: tuple[str, ...], others: tuple[str, ...], owner: Profile, ids: tuple[str, ...]) -> bool:
    """Tell whether a column is called after a table and its key: `customer_id` for `id` of `customers`."""
    called = tuple(singular(word) for word in split_name(owner.name))
    return len(others) == 1 and others[0] in ids and tuple(map(singular, words)) == (*called, singular(others[0]))


def _shortens(words: tuple[str, ...], others: tuple[str, ...], ids: tuple[str, ...]) -> bool:
    """Tell whether two names of keys are one, written short: `cust_id` for `customer_id`."""
    if not len(words) == len(others) == 2 or words[1] != others[1] or words[1] not in ids:
        return False
    short, long = sorted((words[0], others[0]), key=len)
    return len(short) >= SHORTEST_HEAD and short != long and singular(long).startswith(singular(short))


def _can_meet(first: Profile, second: Profile, pair: Pair) -> bool:
    """Tell whether two columns may have equal values: of one type, and neither ranges nor known values apart."""
    types = first.schema_.type_of(pair[0]), second.schema_.type_of(pair[1])
    if types[0] is not types[1] and not all(type_.is_number for type_ in types):
        return False
    own, other = first.column(pair[0]), second.column(pair[1])
    if own.complete and other.complete:
        return not own.values or not other.values or bool(set(own.values) & set(other.values))
    bounds = (own.minimum, own.maximum, other.minimum, other.maximum)
    if all(bound is not None for bound in bounds):
        return bool(own.minimum <= other.maximum and other.minimum <= own.maximum)
    return True


def is_unique(column: ColumnProfile, profile: Profile) -> bool:
    """Tell whether each value of a column is there once, as far as the profile knows."""
    return column.distinct > 0 and column.distinct == profile.rows - column.nulls
