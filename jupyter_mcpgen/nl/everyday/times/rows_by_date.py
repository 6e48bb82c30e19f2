"""The first and the last rows by a date: "which plant was picked last", "3 most recent orders", "oldest invoice"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.ranks import KEPT_NOTE, USUAL_KEPT
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.years_of_things import year_of_deed
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.nl.tables.single_rows import names_single_rows

IN_ORDER = "The rows are taken in the order of `{}`."
TIES = "Several rows may share the same `{}`; only the first of them is shown."


def when_done(said: Speech, table: Table) -> Speech | None:
    """Say "when was the first plant sown" as the earliest date of sowing."""
    for found in said.find_each(table.wording("when_done")):
        date = columns.date_of(found.folded("verb"), table)
        if date is not None and _is_of_rows(found["who"], table) and not _says_otherwise(date, found, table):
            note = f"“{found['end']} … {found['verb']}” is taken to mean the {found.meant('end')} `{date}`."
            return said.put(found, found.said(found.meant("end"), column=date), note)
    return None


def done_last(said: Speech, table: Table) -> Speech | None:
    """Say "which plant was picked last" and "3 most recent orders" as the last rows in the order of a date."""
    for found in said.find_each(table.wording("done_last")):
        date = _date_of(found, table)
        who = columns.label(found["who"], table) if found["who"] else None
        if date is None or _says_otherwise(date, found, table):
            continue
        if found["verb"] and _is_called(f"{found['who']} {found['verb']}", date, table):
            continue  # the name of the date itself
        if found["who"] and who is None and not columns.is_row(found["who"], table, table.words("one_row")):
            continue
        if set(found.folded("who").split()) & table.words("nouns_of_dates"):
            continue  # the name of a date
        several = not found["n"] and columns.is_plural(found.folded("who"), table)
        if several and (who or not _is_adjective(found)):
            continue  # how many of them is not said
        if found["n"] and not _is_one_row(found, who, table):
            continue  # the last three rows are not of the last three
        rows = "" if who else "_rows"
        parts = {"who": who or "", "column": date, "n": found["n"] or (str(USUAL_KEPT) if several else "1")}
        said_so = found.said(f"{found.meant('end')}{rows}", **parts)
        kept = (KEPT_NOTE.strip(),) if several else ()
        return said.put(found, said_so, *notes_of_order(date, table), *kept)
    return None


def notes_of_order(date: str, table: Table) -> tuple[str, ...]:
    """Say by what the rows are in order, and that one of several may be shown where they share a day or a year."""
    known = table.context.column(date)
    shared = known.distinct + known.nulls < table.context.profile.rows
    return (IN_ORDER.format(date), *((TIES.format(date),) if shared else ()))


def _date_of(found: Found, table: Table) -> str | None:
    """Return the date that is named, whose verb is said, or the rows' own where neither is."""
    if found["verb"]:
        verb = found.folded("verb")
        return columns.date_of(verb, table) or year_of_deed(verb, table)
    if found["date"]:
        words = [word for word in found.folded("date").split() if word not in table.words("nouns_of_dates")]
        dates = {columns.date_of(word, table) for word in words}
        return dates.pop() if len(dates) == 1 else None
    dates_there = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    return dates_there[0] if len(dates_there) == 1 else own_date(table.context)


def _is_adjective(found: Found) -> bool:
    """Tell whether a verb stands before what was done: "latest opened tickets"."""
    return 0 <= found.match.start("verb") < found.match.start("who") if found["verb"] else False


def _is_called(said: str, date: str, table: Table) -> bool:
    """Tell whether words are the name of a date, and not a verb of it behind what each row is."""
    of_rows = table.context.plain(said.casefold().split()[0]) not in table.context.column_words[date]
    return columns.named(said, table) == date and not of_rows


def _is_one_row(found: Found, who: str | None, table: Table) -> bool:
    """Tell whether each of those who are listed has one row; "first 10 rows" are those of the table as it is."""
    context, noun = table.context, found.folded("who")
    if who is not None:
        return names_single_rows(who, context)
    key = columns.repeated_key(noun, table)
    repeats = key is not None and context.column(key).distinct + context.column(key).nulls < context.profile.rows
    said_of_rows = any(isinstance(meant, m.RowNoun) for meant in context.lexicon.meanings(noun))
    return not repeats and (bool(found["verb"] or found["date"]) or not said_of_rows)


def _is_of_rows(who: str, table: Table) -> bool:
    return columns.label(who, table) is not None or columns.is_row(who, table, table.words("one_row"))


def _says_otherwise(date: str, found: Found, table: Table) -> bool:
    """Tell whether a column is called an end itself: who has the first of `first_light` is not asked."""
    ends = table.choices("newest")
    called = {table.meaning("newest", word) for word in table.context.column_words[date]} & set(ends)
    return bool(called - {found.meant("end")} if found["verb"] else called)
