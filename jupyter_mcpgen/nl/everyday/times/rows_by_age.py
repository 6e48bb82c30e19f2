"""The oldest and the newest of dated rows, and who did something last: "oldest invoice", "who ordered last"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl.context import NAMES_OF_THINGS
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import doer
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.rows_by_date import notes_of_order
from jupyter_mcpgen.nl.everyday.times.years_of_things import year_of_beginning
from jupyter_mcpgen.nl.tables.own_dates import begun_at, own_date
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.schema import ColumnType

_OF_SOMEBODY = re.compile(r"['’]s?$")


def row_by_age(said: Speech, table: Table) -> Speech | None:
    """Say "oldest order" as the one of the first date, and "newest employee" as the one who was hired last.

    The age of a person whom a row is about is none of the row.
    """
    for found in said.find_each(table.wording("row_by_age")):
        noun, end = found.folded("noun"), found.meant("end")
        if not columns.is_row(noun, table) or columns.is_plural(noun, table) or table.is_data(found["end"]):
            continue
        if found["value"] and not table.is_data(found["value"]):
            continue
        if (found["rest"].casefold().split() or [""])[0] in table.words("one_by_one"):
            continue  # "of each machine" asks for one of each
        person = _is_person(noun, table)
        ages = [name for name, own in table.context.column_words.items() if set(own) & table.words("words_of_age")]
        of_others = [name for name in ages if set(table.context.column_words[name]) & table.words("persons")]
        if (person and end == "first") or (not person and len(ages) > len(of_others)):
            continue  # by the age
        date, year = _date_of_rows(noun, table), year_of_beginning(table)
        if date is not None and year is not None:
            return said.refusing(found.said("either", said=f"{found['end']} {noun}", column=date, year=year))
        if date is not None:
            rest = f"{found['rest']} where {found['value']}" if found["value"] else found["rest"]
            of = "_of" if said.text.find(" of ", found.start, found.end) > 0 else ""
            return said.put(found, found.said(f"{end}{of}", column=date, rest=rest), *notes_of_order(date, table))
        if person or of_others:
            return said.refusing(found.said("undated"))
    return None


def who_did_last(said: Speech, table: Table) -> Speech | None:
    """Say "who ordered last" and "which client placed the last order" as the one of the last row of that date."""
    for found in said.find_each(table.wording("who_did_last")):
        date, who = _date_of_deed(found, table), _who(found, table)
        if date is not None and who is not None:
            persons = "" if who else "_rows"
            said_so = found.said(f"{found.meant('end')}{persons}", column=date, who=who)
            return said.put(found, said_so, *notes_of_order(date, table))
    return None


def when_done_last(said: Speech, table: Table) -> Speech | None:
    """Say "when did Ann Lee last order" as the latest date of her orders, and that of each client likewise."""
    for found in said.find_each(table.wording("when_done_last")):
        date, end = _date_of_what(found, table), found.meant("end")
        named = columns.named(f"{found['end']} {found['what']}", table) if found["what"] else None
        if date is None or named is not None:
            continue  # "first light" is the name of what is asked for
        note = f"The {end} one is told by `{date}`."
        if found["group"]:
            group = columns.entity(found["group"], table) or columns.label(found["group"], table)
            if group is not None:
                return said.put(found, found.said(f"{end}_of_each", column=date, group=group), note)
            continue
        values = table.context.values.get(_OF_SOMEBODY.sub("", found.folded("who")), ())
        if len({value.column for value in values}) == 1:
            somebody = {"of": values[0].column, "who": str(values[0].value)}
            return said.put(found, found.said(end, column=date, **somebody), note)
    return None


def _date_of_what(found: Found, table: Table) -> str | None:
    """Return the date of the verb or of the noun that is said; None where that is neither a row nor dated."""
    what = found.folded("what")
    if not what:
        return _date_of_deed(found, table)
    return _date_of_rows(what, table) if columns.is_row(what, table) else columns.date_of(what, table)


def _date_of_deed(found: Found, table: Table) -> str | None:
    """Return the date of what was done: that of its verb, or of the rows where these were placed or handled."""
    noun, verb = found["noun"], found.folded("verb")
    if found["thing"] and not columns.is_row(found["thing"], table):
        return None  # "reported a leak last" is of the leaks
    if noun:
        return _date_of_rows(noun, table) if columns.is_row(noun, table) else None
    of_rows = any(table.akin(verb, own) for own in table.context.row_nouns)
    return columns.date_of(verb, table) or (_date_of_rows(verb, table) if of_rows else None)


def _who(found: Found, table: Table) -> str | None:
    """Return the column of those who did it, nothing ("") where each row is one of them, None in doubt."""
    if found["who"]:
        return columns.label(found["who"], table)
    if table.context.row_nouns & table.words("persons"):
        return ""
    one = doer(found.folded("verb"), table) if found["verb"] else None
    if one is not None:
        return one
    makers, persons = table.words("deal_makers"), table.words("persons")
    called = {name: _called(name, table) for name in table.context.column_words}
    labels = [name for name, word in called.items() if word in persons and not table.context.is_measure(name)]
    fitting = [name for name in labels if (called[name] in makers) != bool(found["served"])]
    names = [name for name in fitting if table.context.type_of(name) is ColumnType.TEXT]
    return names[0] if len(names) == 1 else fitting[0] if len(fitting) == 1 else None


def _called(name: str, table: Table) -> str:
    """Return what a column tells apart: the customer of `customer_id`."""
    words = [word for word in table.context.column_words[name] if word not in NAMES_OF_THINGS]
    return words[-1] if words else ""


def _is_person(noun: str, table: Table) -> bool:
    return table.context.plain(noun.split()[-1]) in table.words("persons")


def _date_of_rows(noun: str, table: Table) -> str | None:
    """Return the date at which a row began: one that is called after it, or after a beginning."""
    context = table.context
    called = columns.date_of(noun, table)
    dates = [name for name in context.column_words if columns.holds_dates(name, table)]
    if called is not None and (len(dates) == 1 or called == own_date(context)):
        return called
    beginnings = table.words("first_of_two") | table.words("beginnings")
    begun = [name for name in dates if set(split_name(name)) & beginnings]
    return own_date(context) or begun_at(context) or (begun[0] if len(begun) == 1 else None)
