"""The last row of one thing or of each, and what it said: "last test of W3", "wells of grade C at their last test"."""

from __future__ import annotations

import datetime as dt

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.course_of_rows import course_of_rows, date_called

DECEMBER = 12


def last_of_one(said: Speech, table: Table) -> Speech | None:
    """Say "last test of W3" as the row of its latest date, and "latest grade of W3" as the cell of that row."""
    for found in said.find_each(table.wording("last_of_one")):
        if columns.named(f"{found['end']} {found['what']}", table) is not None or _is_aged(found, table):
            continue  # a "first name" and a "last price" are columns
        date = _date_of(found.folded("what"), table)
        of = _value(found["who"], table)
        if date is None or of is None or (columns.is_plural(found.folded("what"), table) and not found["n"]):
            continue
        shown = _column(found["what"], table)
        end = found.meant("end")
        parts = {"date": date, "of": of[0], "who": of[1], "n": found.meant("n") or "1", "shown": shown or ""}
        note = table.say("in_the_order_of", column=date)
        return said.put(found, found.said(f"{end}_cell" if shown else end, **parts), note)
    return None


def _is_aged(found: Found, table: Table) -> bool:
    """Tell whether the end is said of somebody's age: "the oldest patient", and no "first patient"."""
    last = found.folded("what").split()[-1]
    column = _column(found["what"], table)
    told = table.context.column_words[column][-1:] if column is not None else ()
    aged = table.context.plain(last) in table.words("persons") or bool(set(told) & table.words("of_a_person"))
    return found.folded("end") in table.words("ages_of_persons") and aged


def when_last_done(said: Speech, table: Table) -> Speech | None:
    """Say "when was Biscuit last seen" as the latest date of its rows, and that of each animal likewise."""
    for found in said.find_each(table.wording("when_last_done")):
        date = _date_of_verb(found, table)
        if date is None or columns.named(f"{found['end']} {found['verb']}", table) is not None:
            continue  # `first_made` is asked for itself
        note = table.say("in_the_order_of", column=date)
        end = found.meant("end")
        if found["group"]:
            group = columns.entity(found["group"], table)
            if group is not None:
                return said.put(found, found.said(f"{end}_of_each", group=group, date=date), note)
            continue
        of = _value(found["who"], table)
        if of is not None:
            return said.put(found, found.said(end, date=date, of=of[0], who=of[1]), note)
    return None


def last_done_before(said: Speech, table: Table) -> Speech | None:
    """Say "wells last tested before 2022" as those whose latest date lies before it."""
    for found in said.find_each(table.wording("last_done_before")):
        group = columns.entity(found["who"], table)
        date = _date_of_verb(found, table) if group is not None else None
        side = found.meant("side")
        day = _day(found, after=side == "after")
        if group is None or date is None or day is None:
            continue
        way = f"{'before' if side == 'before' else 'since'}{'_counted' if found['how'] else ''}"
        note = found.said("note", date=date, group=group)
        return said.put(found, found.said(way, group=group, date=date, day=str(day)), note)
    return None


def at_the_last(said: Speech, table: Table) -> Speech | None:
    """Say "wells with grade C at their last test" of the last row of each well only."""
    for found in said.find_each(table.wording("at_the_last")):
        date = _date_of(found.folded("what"), table)
        own = columns.entity(found["group"], table) if found["group"] else None
        groups = [own] if own is not None else [] if found["group"] else _groups_named(said.before(found), table)
        if date is None or len(groups) != 1:
            continue
        group = groups[0]
        end = found.meant("end")
        note = found.said("note", end=end, group=group, date=date)
        return said.saying(
            f"{said.before(found)} {said.behind(found).strip(' ?.!')} {found.said(end, group=group, date=date)}", note
        )
    return None


def _groups_named(text: str, table: Table) -> list[str]:
    """Return the columns of things with several rows each that words name in the plural."""
    words = [word.strip("?.,!") for word in text.split()]
    found = [columns.entity(word, table) for word in words if columns.is_plural(word, table)]
    return list(dict.fromkeys(name for name in found if name is not None))


def _value(text: str, table: Table) -> tuple[str, str] | None:
    """Return the column and the value that words name whole, where one column has it."""
    words = text.casefold().split()
    words = words[1:] if words[:1] and words[0] in table.words("articles") else words
    for said, called in ((words, ""), (words[:-1], words[-1] if words else "")):
        values = table.context.values.get(" ".join(said), ())
        known = {value.column for value in values}
        if len(known) == 1 and (not called or columns.named(called, table) in known):
            return values[0].column, str(values[0].value)
    return None


def _column(text: str, table: Table) -> str | None:
    """Return the column whose last cell is asked for; nothing where the row is."""
    if columns.is_row(text, table, table.words("one_row")) or date_called(text.casefold(), table) is not None:
        return None
    return cell_column(text, table)


def cell_column(text: str, table: Table) -> str | None:
    """Return the column of figures or of labels that words name, also by the most of its name."""
    figure = columns.named(text, table, columns.PERHAPS)
    measured = figure if figure is not None and table.context.is_measure(figure) else columns.measured(text, table)
    return measured or columns.label(text, table)


def _date_of(what: str, table: Table) -> str | None:
    """Return the date that orders what is said: that of a deed, or of the rows where these or a cell are meant."""
    begun = course_of_rows(table).begun
    if columns.is_row(what, table, table.words("one_row")):
        return begun
    dated = date_called(what, table)
    if dated is not None:
        return dated
    return begun if _column(what, table) is not None else None


def _date_of_verb(found: Found, table: Table) -> str | None:
    """Return the date of a verb: its own, or that of the rows where it says no more than that there was one."""
    verb = found.folded("verb")
    begun = course_of_rows(table).begun
    if verb in table.words("being_there_again"):
        return begun
    own = date_called(verb, table)
    of_rows = begun is not None and any(table.akin(verb, noun) for noun in table.context.row_nouns)
    return own or (begun if of_rows else None)


def _day(found: Found, *, after: bool) -> dt.date | None:
    """Return the first day of what is said, or the one behind it."""
    if found["day"]:
        try:
            day = dt.date.fromisoformat(found["day"])
        except ValueError:
            return None  # no calendar has this day
        return day + dt.timedelta(days=1) if after else day
    if not found["year"]:
        return None
    year, month = int(found["year"]), int(found.meant("month") or 0)
    if not after:
        return dt.date(year, month or 1, 1)
    if not month or month == DECEMBER:
        return dt.date(year + 1, 1, 1)
    return dt.date(year, month + 1, 1)
