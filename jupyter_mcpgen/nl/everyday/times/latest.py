"""The last row of each of several things, and those of whom nothing came since: "last reading of each sensor"."""

from __future__ import annotations

import datetime as dt

from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.course_of_rows import course_of_rows, date_called
from jupyter_mcpgen.nl.everyday.times.periods import days_of
from jupyter_mcpgen.nl.tables.own_dates import begun_at, own_date
from jupyter_mcpgen.nl.tables.written import ways


def when_last(said: Speech, table: Table) -> Speech | None:
    """Say "when was the last review" as the latest date that is called after reviews."""
    found = said.find(table.wording("when_last"))
    column = columns.date_of(found.folded("what"), table) if found else None
    if found is None or column is None:
        return None
    end = found.meant("end")
    called = {table.meaning("newest", word) for word in table.context.column_words[column]}
    if called & set(table.choices("newest")) - {end}:
        return None  # the first of the last ones is not the first
    note = f"“{found['end']} {found['what']}” is taken to mean the {end} `{column}`."
    if not found["group"]:
        return said.put(found, found.said(end, column=column), note)
    group = columns.label(found["group"], table)
    return said.put(found, found.said(f"{end}_of_each", column=column, group=group), note) if group else None


def first_and_last(said: Speech, table: Table) -> Speech | None:
    """Say "first and last visit date" as the earliest and the latest of the rows' own dates."""
    for found in said.find_each(table.wording("first_and_last")):
        what = found.folded("what")
        own = not what or columns.is_row(what, table, table.words("one_row"))
        column = _date(table) if own else None if columns.named(what, table) else columns.date_of(what, table)
        if column is not None and found.folded("end") not in table.context.column_words[column]:
            end = found.meant("end") or "both"
            note = f"The dates are taken to be those of `{column}`."
            return said.put(found, found.said(end, column=column), note)
    return None


def last_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "last reading of each sensor" as the row of each that has the latest date."""
    found = said.find(table.wording("last_of_each"))
    group = columns.entity(found["group"], table) if found else None
    dated = date_called(found.folded("what"), table) if found else None
    date = dated or _date(table)
    if found is None or group is None or date is None:
        return None
    column = columns.named(found["what"], table) or columns.named(found["what"], table, columns.PERHAPS)
    if column is None and dated is None and not columns.is_row(found["what"], table, table.words("one_row")):
        return None
    note = f"The {found['end']} of each `{group}` is the row with the {found.meant('end')} `{date}`."
    return said.put(found, found.said(end=found.meant("end"), group=group, date=date), note)


def not_since(said: Speech, table: Table) -> Speech | None:
    """Say "customers who haven't ordered since June" as those whose last order is older."""
    for found in said.find_each(table.wording("not_since")):
        who = found["who"]
        own = columns.date_of(found.folded("verb"), table)
        group = columns.entity(who, table) if who else persons.only_person(table)
        date = own or _most_recent(table) if not group else own_date(table.context) or own or _date(table)
        since = _day(found, date, table) if date is not None else None
        if date is None or since is None:
            continue
        note = f"“{found['verb']}” is looked for in `{date}`, from {since} on."
        counted = "_counted" if found["how"] else ""
        if group is not None:
            return said.put(found, found.said(f"groups{counted}", group=group, date=date, day=str(since)), note)
        if who and columns.is_row(who, table, table.words("one_row")):
            return said.put(found, found.said(f"rows{counted}", date=date, day=str(since)), note)
    return None


def _most_recent(table: Table) -> str | None:
    """Return the one date that is called the last of something: `last_login`."""
    own, words = table.context.column_words, table.words("most_recent")
    dates = [name for name in own if columns.holds_dates(name, table)]
    last = [name for name in dates if set(own[name]) & words] if len(dates) > 1 else dates
    return last[0] if len(last) == 1 else None


def _date(table: Table) -> str | None:
    """Return the rows' own date, also one that is written as text."""
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    if len(dates) == 1:
        return dates[0]
    profile, language = table.context.profile, table.vocabulary.language
    typed = next((context_of(read, language) for _, read in ways(profile)), table.context)
    return own_date(typed) or begun_at(typed) or course_of_rows(table).begun


def _day(found: Found, date: str, table: Table) -> dt.date | None:
    """Return the first day of what follows "since": a date, a month with its year or the last one of that name."""
    if found["day"]:
        return _iso(found["day"])
    if not found["month"]:
        return dt.date(int(found["year"]), 1, 1) if found["year"] else None
    month = int(found.meant("month"))
    if found["year"]:
        return dt.date(int(found["year"]), month, 1)
    spans = days_of(date, table)
    last = spans[1] if spans else None
    return dt.date(last.year if month <= last.month else last.year - 1, month, 1) if last is not None else None


def _iso(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None  # no calendar has this day
