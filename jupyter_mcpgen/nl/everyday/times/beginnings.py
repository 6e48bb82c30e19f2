"""Rows by the date on which each began, which the table calls otherwise: "signups per month", "who joined in 2023"."""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import date_of_event
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.course_of_rows import course_of_rows
from jupyter_mcpgen.nl.words.forms import split_name, stem


def new_rows(said: Speech, table: Table) -> Speech | None:
    """Say "new members per month" and "signups by year" as the rows by the period of the date on which each began."""
    found = said.find(table.wording("new_rows"))
    date = _date_of_beginning(table) if found is not None else None
    if found is None or date is None or columns.is_of_the_data(found["new"] or found["starts"], table):
        return None
    if found["noun"] and not columns.is_row(found["noun"], table):
        return None
    note = f"New are taken to be those with a `{date}` in it."
    return said.put(found, found.said(column=date, unit=found.meant("unit")), note)


def begun_otherwise(said: Speech, table: Table) -> Speech | None:
    """Say "customers who signed up in May" and "new customers in May" by the verb that the date of beginning has."""
    for found in said.find_each(table.wording("begun_otherwise")):
        date = _date_of_beginning(table)
        verb = _verb_of(date, table.words("beginnings"), table) if date is not None else None
        told = _told_by(verb, date, found["deed"] or found["new"], said, found, table)
        if told is not None:
            return told
    return None


def ended_otherwise(said: Speech, table: Table) -> Speech | None:
    """Say "who left in May" by the verb that the date of leaving has, as of a `termination_date`."""
    for found in said.find_each(table.wording("ended_otherwise")):
        deed = found.folded("deed")
        date = date_of_event(deed, table)
        same = (word for group in table.vocabulary.same_event if deed in group for word in group)
        verb = _verb_of(date, same, table) if date is not None else None
        told = _told_by(verb, date, deed, said, found, table)
        if told is not None:
            return told
    return None


def _told_by(verb: str | None, date: str | None, deed: str, said: Speech, found: Found, table: Table) -> Speech | None:
    """Put the verb of a date in the place of another one, where rows are said to have done it."""
    if verb is None or date is None or (found["noun"] and not columns.is_row(found["noun"], table)):
        return None
    if verb == deed or any(columns.is_of_the_data(word, table) for word in split_name(deed)):
        return None
    note = f"“{found.text}” is taken to be about `{date}`."
    return said.put(found, found.said(noun=found["noun"] or table.say("rows"), verb=verb), note)


def _date_of_beginning(table: Table) -> str | None:
    """Return the one date that is called a beginning, where all others come later."""
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    begun = [name for name in dates if _says_a_beginning(name, table)]
    alone = len(begun) == 1 and all(_comes_later(name, table) for name in dates if name not in begun)
    return begun[0] if alone else None


def _verb_of(date: str, known: Iterable[str], table: Table) -> str | None:
    """Return the participle that a date is called by, of some that are known: "started" for a `start_date`."""
    words, endings = table.context.column_words[date], table.context.lexicon.participles
    verbs = sorted(word for word in known if word.endswith(endings))
    return next((verb for verb in verbs if any(table.akin(word, verb) for word in words)), None)


def _comes_later(date: str, table: Table) -> bool:
    lexicon = table.context.lexicon
    return any(stem(word, lexicon.language) in lexicon.later_moments for word in split_name(date))


def _says_a_beginning(date: str, table: Table) -> bool:
    words = table.context.column_words[date]
    return any(table.akin(word, begun) for word in words for begun in table.words("beginnings"))


def by_first(said: Speech, table: Table) -> Speech | None:
    """Say "number of customers by month of first order" as the first row of each, by its month."""
    found = said.find(table.wording("by_first"))
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    date = dates[0] if len(dates) == 1 else course_of_rows(table).begun
    group = columns.entity(found["who"], table) if found else None
    if found is None or group is None or date is None:
        return None
    if found["novelty"] and columns.is_of_the_data(found["novelty"], table):
        return None  # the table tells itself which are new
    what = found["what"]
    if what and columns.named(what, table) != date and not columns.is_row(what, table, table.words("deals_counted")):
        return None
    note = f"Each `{group}` counts once, at the first `{date}` that the table has of it."
    return said.put(found, found.said(unit=found.meant("unit"), group=group, date=date), note)
