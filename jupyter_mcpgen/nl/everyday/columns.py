"""Which column an everyday word stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from jupyter_mcpgen.model.profile import Kind, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.kinship import akin
from jupyter_mcpgen.nl.flags import flags_of
from jupyter_mcpgen.nl.mentions.naming import column_matches
from jupyter_mcpgen.nl.words import split_name
from jupyter_mcpgen.plan.schema import ColumnType

SURELY = 0.9


def named(text: str, context: Context, least: float = SURELY) -> str | None:
    """Return the one column that words name surely, or None."""
    words = list(split_name(text))
    if len(words) == 1 and not context.columns_with(context.plain(words[0])):
        words = list(context.joined_names.get(words[0], words))  # "overtime" for `OverTime`
    found = {name for name, certainty in column_matches(words, context) if certainty >= least} if words else set()
    return found.pop() if len(found) == 1 else None


def ranking(words: Iterable[str], context: Context, *, dates: bool = False) -> str | None:
    """Return the number column (or date) that the first fitting word names; None when two are equally likely."""
    for word in words:
        parts = [context.lexicon.base(part) for part in word.split()]
        fitting = [name for name, own in context.column_words.items() if set(parts) <= set(own)]
        fitting = [name for name in fitting if _ranks(name, context, dates=dates)]
        last = [name for name in fitting if context.column_words[name][-1] == parts[-1]]
        whole = [name for name in fitting if not set(_bare(name, context)) - set(parts)]
        for choice in (whole, last, fitting):
            if len(choice) == 1:
                return choice[0]
        if fitting:
            return None
    return None


def _bare(name: str, context: Context) -> list[str]:
    return [word for word in context.column_words[name] if word not in context.optional_words[name]]


def _ranks(name: str, context: Context, *, dates: bool) -> bool:
    if dates and context.type_of(name) is ColumnType.DATE:
        return True
    number = holds_numbers(name, context) and context.column(name).role is not Role.IDENTIFIER
    return number and not _is_flag(name, context)


def holds_numbers(name: str, context: Context) -> bool:
    """Tell whether a column holds numbers, also written as text: "90 min"."""
    return context.is_number(name) or any(way.type.is_number for way in context.column(name).written)


def _is_flag(name: str, context: Context) -> bool:
    flags = flags_of(context.profile, "en")
    return context.type_of(name) is ColumnType.BOOLEAN or name in flags or context.column(name).kind is Kind.TRUTH


def flags(context: Context) -> Iterator[str]:
    """Yield the columns that say yes or no, however they write it."""
    yield from (name for name in context.profile.schema_.names if _is_flag(name, context))


def flag_of(word: str, context: Context) -> str | None:
    """Return the yes-or-no column whose verb a word is a form of, or None."""
    found = [name for name in flags(context) if any(akin(word, own) for own in split_name(name))]
    return found[0] if len(found) == 1 else None


def date_of(word: str, context: Context) -> str | None:
    """Return the date column whose verb a word is a form of, or None."""
    found = [name for name in context.dates if any(akin(word, own) for own in split_name(name))]
    return found[0] if len(found) == 1 else None


def money(wanted: Iterable[str], unlike: frozenset[str], context: Context) -> str | None:
    """Return the column that holds what a row is worth, not a price per piece or a charge on top."""
    for word in wanted:
        fitting = [
            name
            for name, own in context.column_words.items()
            if context.lexicon.base(word) in own and context.is_measure(name) and not set(own) & unlike
        ]
        if len(fitting) == 1:
            return fitting[0]
    return None


def is_row(noun: str, context: Context, more: frozenset[str]) -> bool:
    """Tell whether a noun stands for a row of the table."""
    plain = context.plain(noun.casefold())
    if plain in context.row_nouns or noun.casefold() in more:
        return True
    if noun.casefold() == context.profile.name.casefold() or plain == context.lexicon.base(context.profile.name):
        return True
    column = named(noun, context)
    return column is not None and context.names_rows(column) and not context.is_number(column)


def label(text: str, context: Context) -> str | None:
    """Return the column of labels that words name, fit to group by."""
    column = named(text, context)
    if column is None or context.is_measure(column) or context.names_rows(column):
        return None
    return column if context.type_of(column) is not ColumnType.DATE else None


def entity(noun: str, context: Context) -> str | None:
    """Return the column that tells apart what a noun names, where each has several rows: `customer_id`, `shop`."""
    plain = tuple(context.plain(word) for word in split_name(noun))
    for rest in (("identifier",), (), ("name",), ("title",)):
        fitting = [name for name, own in context.column_words.items() if own == (*plain, *rest)]
        fitting = [name for name in fitting if not context.is_measure(name) and not context.names_rows(name)]
        fitting = [name for name in fitting if not holds_dates(name, context)]
        if len(fitting) == 1:
            return fitting[0]
    return label(noun, context)


def repeated_key(noun: str, context: Context) -> str | None:
    """Return the identifier of what a noun names, where several rows share it: lines of one order."""
    own = (context.plain(noun.casefold()), "identifier")
    fitting = [name for name, words in context.column_words.items() if words == own and not context.is_key(name)]
    return fitting[0] if len(fitting) == 1 else None


def holds_dates(name: str, context: Context) -> bool:
    """Tell whether a column holds dates, also written as text."""
    written = context.column(name).written
    return context.type_of(name) is ColumnType.DATE or any(way.type is ColumnType.DATE for way in written)


def is_summed(name: str, context: Context) -> bool:
    """Tell whether a column's numbers are amounts or counts of things, so that groups are compared by their totals."""
    adds_up = context.adds_up(name)
    return adds_up is True or (adds_up is None and context.counts_things(name))


def measure_of_verb(
    verb: str, verbs: Mapping[str, tuple[str, ...]], unlike: frozenset[str], context: Context
) -> str | None:
    """Return the column of what a verb does: "earn" and `salary`, "tip" and `tip`."""
    own = {name: words for name, words in context.column_words.items() if context.is_measure(name)}
    skip = set(flags(context))
    found = [name for name, words in own.items() if name not in skip and any(akin(verb, word) for word in words)]
    whole = [name for name in found if len(set(own[name]) - context.optional_words[name]) == 1]
    for choice in (found, whole):
        if len(choice) == 1:
            return choice[0]
    if found or (is_known(verb, context) and verb not in verbs):
        return None
    wanted = verbs.get(verb)
    return (money(wanted, unlike, context) or ranking(wanted, context)) if wanted else None


def is_known(word: str, context: Context) -> bool:
    """Tell whether a word is one of the data's or the language's."""
    plain = context.plain(word.casefold())
    return bool(
        word.casefold() in context.lexicon.words
        or word.casefold() in context.value_parts
        or plain in context.value_parts
        or context.columns_with(plain)
        or plain in context.row_nouns
    )


def is_period(text: str, context: Context) -> bool:
    """Tell whether words name a period, such as "hour of the day"."""
    return any(isinstance(meaning, m.Unit) for meaning in context.lexicon.meanings(text.casefold()))
