"""Nouns for what one column counts, in a table whose rows are sums already: "riders" where the column is `cnt`."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.tables.counted_money import is_counted_money
from jupyter_mcpgen.nl.tables.year_and_month import months_with_rows
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.schema import ColumnType

FULL = 1.05
"""Rows of every day may lack one in twenty."""


def counting_column(table: Table) -> str | None:
    """Return the one column of whole numbers that is called nothing but a count."""
    context, called = table.context, table.words("a_count")
    found = [name for name, own in context.column_words.items() if own and set(own) <= called]
    found = [name for name in found if context.is_measure(name) and context.type_of(name) is ColumnType.INTEGER]
    return found[0] if len(found) == 1 else None


def crowd_column(table: Table) -> str | None:
    """Return the column of how many there were: one called a count, or `visitors` where each row is one day's."""
    context, crowds = table.context, table.words("crowds")
    called = counting_column(table)
    if called is not None or not has_rows_of_days(table):
        return called
    found = [name for name in context.column_words if split_name(name)[-1:] and split_name(name)[-1] in crowds]
    found = [name for name in found if context.counts_things(name) or context.adds_up(name) is True]
    return found[0] if len(found) == 1 else None


def has_rows_of_days(table: Table) -> bool:
    """Tell whether each day has one row, or one for each value of a label, so that their number tells nothing."""
    context = table.context
    days = [context.column(name).distinct for name in context.dates if name not in context.clocks]
    return _has_rows_of(days, table) or has_rows_of_months(table)


def has_rows_of_months(table: Table) -> bool:
    """Tell the same of months whose days are not known: each has one row, or one for each value of a label."""
    context = table.context
    writings = [way for one in context.profile.columns for way in one.written]
    written = [
        way.values.distinct for way in writings if isinstance(way.writing, DateWriting) and way.writing.is_of_months
    ]
    made = months_with_rows(context)
    return _has_rows_of([*written, *([made] if made else [])], table)


def _has_rows_of(days: list[int], table: Table) -> bool:
    """Tell whether there are as many rows as days, or as many for each value of a label."""
    context = table.context
    kinds = [1, *(context.column(name).distinct for name in context.column_words if columns.label(name, table) == name)]
    return any(
        context.profile.rows <= days_known * kind <= context.profile.rows * FULL
        for days_known in days
        for kind in kinds
    )


def _may_be_counted(noun: str, table: Table) -> bool:
    """Tell whether a noun is of the kind that the table's own words are about: no walkers where rides are counted."""
    if noun in table.words("anybody"):
        return True
    own = {word for words in table.context.column_words.values() for word in words} | set(
        split_name(table.context.profile.name)
    )
    kinds = list(table.choices("countables").values())
    about = [kind for kind in kinds if any(table.context.plain(word) in own or word in own for word in kind)]
    return any(noun in kind for kind in about) if about else noun in table.words("usually_counted")


def _says_of_which(word: str, table: Table) -> bool:
    """Tell whether a word before a noun is none that the language or the data know, or only one that describes."""
    lexicon = table.context.lexicon
    if not word or lexicon.is_filler(word) or table.is_data(word) or word in table.context.value_parts:
        return False
    if word in table.words("verbs_of_effects"):
        return False
    meanings = lexicon.meanings(word)
    known = bool(meanings) or word in lexicon.words
    describes = bool(meanings) and all(isinstance(meaning, m.Describing) for meaning in meanings)
    return describes or not known


def what_is_counted(said: Speech, table: Table) -> Speech | None:
    """Say "riders by station" as the counts by station, where nothing else is called so.

    Only of what such columns count in general: any other noun may be what the table knows nothing of.
    """
    column = counting_column(table)
    if column is None:
        return None
    for found in said.find_all(table.wording("what_is_counted")):
        noun, before = found.folded("noun"), said.word_before(found)
        if not _may_be_counted(noun, table) or columns.is_known(noun, table):
            continue
        note = f"“{noun}” is taken to be what `{column}` counts."
        if found["n"]:
            return said.put(found, found.said("limited", column=column), note)
        if columns.figure(before, table) is not None:
            return said.put(found, "", f"“{noun}” is taken to say nothing more.")  # "casual riders" are `casual`
        if _says_of_which(before, table):
            return None  # "registered riders" are not all riders
        if columns.named(noun, table, columns.PERHAPS) is None:
            return said.put(found, found.said("alone", column=column), note)
    return None


def by_number_of(said: Speech, table: Table) -> Speech | None:
    """Say "by number of bedrooms" as "by `bedrooms`", where a column of whole numbers is called so."""
    for found in said.find_all(table.wording("by_number_of")):
        column = columns.named(found["noun"], table)
        whole = column is not None and table.context.type_of(column) is ColumnType.INTEGER
        if column is not None and whole and not is_counted_money(column, table.context):
            return said.put(found, found.said(column=column))
    return None


def number_of_them(said: Speech, table: Table) -> Speech | None:
    """Say "ticket volumes" as the number of rows, where a row is a ticket."""
    for found in said.find_all(table.wording("number_of_them")):
        column = columns.named(found.text, table, columns.STEMMED)
        plain = table.context.plain(found.folded("noun"))
        if column is None and plain in table.context.row_nouns and not table.is_data(found.text):
            return said.put(found, found.said())
    return None
