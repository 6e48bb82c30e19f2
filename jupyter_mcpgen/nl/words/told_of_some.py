"""Which words of a table's name are said of some rows only.

"Returns" beside a column of which ones were returned, the "translation" of `translation_jobs` beside other services.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jupyter_mcpgen.model.profile import Kind, Profile, Role, Written
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.plan.schema import ColumnType


def told_of_some(nouns: set[str], profile: Profile, language: str) -> set[str]:
    """Return the nouns of deeds that a yes-or-no column tells; none where a table is called by nothing else.

    The "walk" of `night_walk` is none: such a walk is one of a kind, and the others are walks, too.
    """
    words = {word for name in _yes_or_no(profile) for word in split_name(name)} - nouns
    said = {stem(word, language) for word in words}
    return {noun for noun in nouns if len(nouns) > 1 and stem(noun, language) in said}


def kinds_in_name(
    profile: Profile, values: Mapping[str, tuple[m.Value, ...]], base: Callable[[str], str]
) -> frozenset[str]:
    """Return the words before the last of a table's name that are one of several values of a column."""
    before = {base(word) for word in split_name(profile.name)[:-1]}
    distinct = {column.name: column.distinct for column in profile.columns}
    return frozenset(
        word
        for word in before & values.keys()
        if any(1 < distinct[value.column] < profile.rows for value in values[word])
    )


def places_of_events(profile: Profile, base: Callable[[str], str], language: str) -> frozenset[str]:
    """Return the words before the last of a table's name whose last is an event that a date is called after.

    Each row of `cafe_inspections` with an `INSPECTION DATE` is an inspection, and no café.
    """
    words = split_name(profile.name)
    if len(words) < 2 or base(words[-1]) == words[-1]:
        return frozenset()
    dated = [one.name for one in profile.columns if one.role is Role.TIME or any(_is_date(way) for way in one.written)]
    said = {stem(base(word), language) for name in dated for word in split_name(name)}
    event = stem(base(words[-1]), language)
    return frozenset(base(word) for word in words[:-1]) if event in said else frozenset()


def counted_in_columns(profile: Profile, base: Callable[[str], str], counts: Callable[[str], bool]) -> frozenset[str]:
    """Return the nouns that a column says the number of: the "collisions" of rows with a `Number of Collisions`.

    `counts` tells whether words ask for a number. Each row is about several of them, so it is not one.
    """
    found = set[str]()
    for column in profile.columns:
        words = split_name(column.name)
        if column.role is not Role.MEASURE or len(words) < 2:
            continue
        if counts(words[-1]):
            found |= {base(words[-2])}
        if counts(" ".join(words[:2])) or counts(words[0]):
            found |= {base(words[-1])}
    return frozenset(found)


def _is_date(way: Written) -> bool:
    return way.type is ColumnType.DATE


def _yes_or_no(profile: Profile) -> list[str]:
    """Return the columns that say yes or no, in words or by 0 and 1."""
    return [
        field.name
        for field, known in zip(profile.schema_.fields, profile.columns, strict=True)
        if field.type is ColumnType.BOOLEAN
        or known.kind is Kind.TRUTH
        or (field.type is ColumnType.INTEGER and known.complete and set(known.values) == {0, 1})
    ]
