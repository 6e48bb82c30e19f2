"""What the columns of a table say that a row is: one employee by `employee_id`, one track by `track_name`."""

from __future__ import annotations

from collections.abc import Collection

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.lexicon import Lexicon
from jupyter_mcpgen.plan.schema import ColumnType

_NAMES = frozenset({"name", "title"})
_EXTENTS = frozenset({"distance", "duration"})
"""What only something has that happens once, such as a trip: `trip_distance`."""
_STATES = frozenset({"stage", "status"})
"""What each row is in, where a key tells the rows apart: `deal_stage`."""
_KINDS = frozenset({"type", "category"})
"""What tells the kind of what happened, where a key of nothing else tells the rows apart: `Complaint Type`."""
_BARE_KEYS = frozenset({"unique", "key", "id", "identifier", "uid", "uuid", "row", "record", "number", "no", "index"})
_KEYS_OF_THINGS = frozenset({"id", "no", "number", "code"})
NEARLY_ALL = 0.95
"""Up to how many values for the rows of a table an identifier repeats beside a key of the rows."""
MOSTLY = 0.6
"""A table that has a row for this part of the pairs of a thing and a time tells of things at times."""


def things_of_rows(profile: Profile, lexicon: Lexicon, values: Collection[str]) -> frozenset[str]:
    """Return the nouns, in the singular, of what each row is one of by the columns, with words for the same.

    A word for the same that is one of the `values` of the table means that.
    """
    found = set()
    for column in profile.columns:
        words = split_name(column.name)
        if len(words) == 2 and _says_what_a_row_is(column, words, profile, lexicon):
            found.add(lexicon.base(words[0]))
    same = {word for group in lexicon.same_thing if group & found for word in group}
    return frozenset(found | same.difference(values)) | told_by_several(profile, lexicon, values)


def told_by_several(profile: Profile, lexicon: Lexicon, values: Collection[str]) -> frozenset[str]:
    """Return the nouns of rows that several columns tell together: requests have a status and a path.

    A word of a column's name, or a value, means that.
    """
    named = [{lexicon.base(word) for word in split_name(column.name)} for column in profile.columns]
    own = frozenset[str]().union(*named)
    found = {
        noun
        for rows in lexicon.rows_told
        if all(any(words & {lexicon.base(sign) for sign in signs} for words in named) for signs in rows.signs)
        for noun in rows.nouns
    }
    return frozenset(found - own).difference(values)


def named_several_times(profile: Profile, lexicon: Lexicon) -> frozenset[str]:
    """Return the nouns of things that have rows of several times each: the `campaign_name` of each week, without a key.

    Where nothing is dated, or where a key tells the rows apart, a name that repeats may be shared by several things;
    an identifier may not: the `donor_id` of several rows with a `gift_id` each.
    """
    keys = [one for one in profile.columns if one.role is Role.IDENTIFIER and one.distinct == profile.rows]
    several = frozenset(lexicon.base(noun) for noun in _identified_several_times(keys, profile))
    dated = any(column.role is Role.TIME and column.distinct < profile.rows for column in profile.columns)
    if keys or not dated:
        return several
    repeated = [column for column in profile.columns if column.distinct * 2 <= profile.rows]
    called = {column.name: split_name(column.name) for column in repeated}
    names = {words[0] for words in called.values() if len(words) == 2 and words[1] in _NAMES}
    read_again = {called[column.name][0] for column in repeated if _has_a_row_per_time(column, profile)}
    return several | frozenset(lexicon.base(word) for word in names | read_again)


def _identified_several_times(keys: list[ColumnProfile], profile: Profile) -> frozenset[str]:
    """Return the nouns of identifiers that repeat: rows are told apart by that of another noun, or by their days."""
    said = {one.name: split_name(one.name) for one in profile.columns if one.role is Role.IDENTIFIER}
    own = {name: words[0] for name, words in said.items() if len(words) == 2 and words[1] in _KEYS_OF_THINGS}
    rows = {own[key.name] for key in keys if key.name in own}
    if keys and not rows:
        return frozenset()
    if keys:
        several = [one for one in profile.columns if one.distinct <= NEARLY_ALL * profile.rows]
    else:
        often = [one for one in profile.columns if 2 * one.distinct <= profile.rows]
        called = {one.name: split_name(one.name) for one in often}
        keyed = {name: words[0] for name, words in called.items() if len(words) == 2 and words[1] in _KEYS_OF_THINGS}
        numbered = [one.name for one in often if one.name in keyed and _is_of_numbered_rows(one, profile)]
        own |= {name: keyed[name] for name in numbered}
        several = [one for one in often if one.name in numbered or (one.name in own and _comes_again(one, profile))]
    return frozenset(own[one.name] for one in several if one.name in own) - rows


def _is_of_numbered_rows(column: ColumnProfile, profile: Profile) -> bool:
    """Tell whether the rows of each thing are numbered from 1 on: the lines of an order."""
    numbers = (one for one in profile.columns if one.minimum == 1 and one.places)
    return any(
        len(set(zip(column.places, one.places, strict=True))) == profile.rows > column.distinct
        for one in numbers
        if column.places and one.distinct < column.distinct
    )


def _comes_again(column: ColumnProfile, profile: Profile) -> bool:
    """Tell whether what an identifier tells apart has rows of several days, as customers have and an order has not."""
    dates = [
        one
        for one in profile.columns
        if one.role is Role.TIME or any(way.type is ColumnType.DATE for way in one.written)
    ]
    if not dates or not column.places or not all(one.places for one in dates):
        return False
    return all(len(set(zip(column.places, one.places, strict=True))) > column.distinct for one in dates)


def _has_a_row_per_time(column: ColumnProfile, profile: Profile) -> bool:
    """Tell whether a column is a key of things with a row at most times each, such as the `meter_id` of readings."""
    words = split_name(column.name)
    times = [one.distinct * column.distinct for one in profile.columns if one.role is Role.TIME]
    keyed = len(words) == len(("meter", "id")) and words[1] in _KEYS_OF_THINGS
    return keyed and any(profile.rows <= pairs and profile.rows >= MOSTLY * pairs for pairs in times)


def _says_what_a_row_is(column: ColumnProfile, words: tuple[str, ...], profile: Profile, lexicon: Lexicon) -> bool:
    """Tell whether a column without repeats names the rows, or tells how far or how long each of them went.

    A `happiness_rank` says nothing of the kind, and a `first_name` nothing of a first.
    """
    noun, what = words
    if column.role is Role.IDENTIFIER and what not in lexicon.nouns_of_ranks:
        return column.distinct == profile.rows > 1
    if noun in lexicon.words:
        return False
    if what in _KINDS:
        return lexicon.base(noun) in lexicon.events and _has_a_bare_key(profile, noun)
    if what in _STATES:
        keyed = any(other.role is Role.IDENTIFIER and other.distinct == profile.rows > 1 for other in profile.columns)
        return keyed and column.role is Role.CATEGORY and lexicon.base(noun) not in lexicon.amounts
    if what in _NAMES:
        return column.distinct == profile.rows > 1
    others = (split_name(other.name) for other in profile.columns if other.role is Role.IDENTIFIER)
    whole = column.nulls == 0 and isinstance(column.minimum, int | float) and column.minimum >= 0
    return what in _EXTENTS and column.role is Role.MEASURE and whole and not any(noun in other for other in others)


def _has_a_bare_key(profile: Profile, noun: str) -> bool:
    """Tell whether the rows are told apart by a key that is called after nothing, or after a noun."""
    keys = (one for one in profile.columns if one.role is Role.IDENTIFIER and one.distinct == profile.rows > 1)
    return any(set(split_name(one.name)) <= _BARE_KEYS | {noun} for one in keys)
