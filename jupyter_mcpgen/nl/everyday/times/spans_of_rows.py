"""How long rows lasted, by the dates of their beginning and of a deed: "loan length", "longest stay", "days to pay"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.amounts.conversions import is_time, unit_of
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import doer
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.course_of_rows import (
    Course,
    course_of_rows,
    end_of_rows,
    is_called,
    is_row,
    note_of_full_units,
    side_of_full_units,
    unit_between,
)
from jupyter_mcpgen.nl.words.forms import split_name

Ends = tuple[str, str]


def longest_rows(said: Speech, table: Table) -> Speech | None:
    """Say "longest loan" and "slowest delivery" as the row with the longest time between its dates."""
    for found in said.find_each(table.wording("longest_rows")):
        noun = found.folded("noun")
        row = is_row(noun, table)
        if found.folded("end") in table.words("told_by_speed") and _has_distances(table):
            continue  # the fastest trip is no short one
        by = Speech(found["rest"]).find(table.wording("ranked_by_figure"))
        ranking = columns.figure(by["what"], table) if by is not None else None
        if ranking is not None and row:  # "the longest trip by distance"
            unsaid = f"“{found['end']}” is taken to be about `{ranking}`."
            way = f"{found.meant('end')}_by_figure{'_rows' if found['n'] else ''}"
            return said.put(found, found.said(way, column=ranking, n=found.meant("n")), unsaid)
        ends = _of_rows(table) if row else _of_deed(noun, table)
        if ends is None or (columns.is_plural(noun, table) and not found["n"]):
            continue
        unit = unit_between(*ends, table)
        way = f"{found.meant('end')}{'_rows' if found['n'] else ''}"
        told_again = by is not None and by.folded("what") in table.words("nouns_of_spans")  # "by duration"
        rest = "" if told_again else found["rest"]
        parts = {"first": ends[0], "last": ends[1], "unit": unit, "n": found.meant("n"), "rest": rest}
        return said.put(found, found.said(way, **parts), _note(found["end"], ends, unit, table))
    return None


def span_of_rows(said: Speech, table: Table) -> Speech | None:
    """Say "loan length", "duration of stay" and "average stay" as the time between the dates of a row."""
    for found in said.find_each(table.wording("span_of_rows")):
        noun = found.folded("noun")
        what = f"{noun} {found['span']}" if found["span"] else noun
        if not is_row(noun, table) or columns.named(what, table, SHORTENED) is not None:
            continue
        if not found["span"] and noun not in table.words("things_that_last"):
            continue  # an "average loan" may be an amount
        ends = _of_rows(table)
        if ends is not None:
            return _put(said, found, ends, table)
    return None


def time_to_deed(said: Speech, table: Table) -> Speech | None:
    """Say "days to pay", "payment time" and "days from invoice to payment" as the time to the date of that."""
    for found in said.find_each(table.wording("time_to_deed")):
        deed = found.folded("deed")
        if {columns.named(found.text, table, SHORTENED), columns.named(deed, table)} & _figures(table):
            continue
        ends = _of_deed(deed, table)
        start = found.folded("start")
        if ends is not None and start:
            ends = _from(start, ends, table)
        if ends is not None:
            return _put(said, found, ends, table)
    return None


def turnaround(said: Speech, table: Table) -> Speech | None:
    """Say "turnaround" and "duration" as the time from the beginning to the end of a row."""
    found = said.find(table.wording("turnaround"))
    ends = _of_rows(table) if found else None
    if found is None or ends is None or columns.named(found["span"], table, SHORTENED) is not None:
        return None
    before = said.word_before(found)
    if columns.is_of_the_data(before, table) and not is_row(before, table):
        return None  # how long the shipping took is not told by the dates of an order
    return _put(said, found, ends, table)


def rows_lasting(said: Speech, table: Table) -> Speech | None:
    """Say "stays longer than 3 hours" and "jobs that took over 2 weeks" by the time between the dates of a row."""
    for found in said.find_each(table.wording("rows_lasting")):
        noun, deed = found.folded("noun"), found.folded("deed")
        if noun and not is_row(noun, table):
            continue
        ends = _of_deed(deed, table) if deed else _of_rows(table)
        if ends is not None:
            unit = found.meant("unit") if found["unit"] else found.meant("one_unit")
            number = found.meant("n") if found["n"] else "1"
            parts = {"first": ends[0], "last": ends[1], "unit": table.say("units", unit=unit), "n": number}
            full = note_of_full_units(found.meant("side"), number, unit, table)
            note = _note(found.text.strip(), ends, "", table) + full
            return said.put(
                found,
                found.said(side=side_of_full_units(found.meant("side"), unit, table), noun=found["noun"], **parts),
                note,
            )
    return None


def deed_within(said: Speech, table: Table) -> Speech | None:
    """Say "paid within 28 days" and "returned within a week" by the time to the date of that."""
    for found in said.find_each(table.wording("deed_within")):
        ends = _of_deed(found.folded("deed"), table)
        if ends is None or said.word_before(found) in table.words("not"):
            continue
        unit = found.meant("unit") if found["unit"] else found.meant("one_unit")
        number = found.meant("n") if found["n"] else "1"
        parts = {"first": ends[0], "last": ends[1], "unit": table.say("units", unit=unit), "n": number}
        way = "part" if found["part"] else ""
        full = note_of_full_units(found.meant("side"), number, unit, table)
        note = _note(found.text.strip(), ends, "", table) + full
        return said.put(
            found,
            found.said(way, side=side_of_full_units(found.meant("side"), unit, table), part=found["part"], **parts),
            note,
        )
    return None


def quickest_group(said: Speech, table: Table) -> Speech | None:
    """Say "which team resolves cases fastest" as the one with the shortest time to it on average."""
    for found in said.find_each(table.wording("quickest_group")):
        who = found["group"]
        group = (columns.entity(who, table) or columns.label(who, table)) if who else _who(found, table)
        noun = found.folded("noun")
        ends = _of_deed(found.folded("deed"), table)
        if group is None or ends is None or (noun and not is_row(noun, table)):
            continue
        unit = unit_between(*ends, table)
        parts = {"group": group, "first": ends[0], "last": ends[1], "unit": unit, "n": found["n"]}
        return said.put(found, found.said(found.meant("end"), **parts), _note(found["end"], ends, unit, table))
    return None


def _who(found: Found, table: Table) -> str | None:
    """Return the one column of those who do it."""
    return doer(found.folded("deed"), table) or persons.only_handler(table) or persons.only_person(table)


def _put(said: Speech, found: Found, ends: Ends, table: Table) -> Speech:
    named = found.meant("unit") or found.meant("unit_behind")
    unit = table.say("units", unit=named) if named else unit_between(*ends, table)
    parts = {"first": ends[0], "last": ends[1], "unit": unit, "opening": found["opening"]}
    return said.put(found, found.said(**parts), _note(found.text.strip(), ends, unit, table))


def _note(text: str, ends: Ends, unit: str, table: Table) -> str:
    lacking = table.context.column(ends[1]).nulls
    empty = table.say("span_with_gaps", last=ends[1], rows=str(lacking)) if lacking else ""
    span = table.say(
        "span",
        said=text,
        first=ends[0],
        last=ends[1],
        unit=table.say("in_the_unit", unit=unit) if unit else table.say("about_the_time"),
    )
    return f"{span} {empty}".strip()


def _figures(table: Table) -> set[str | None]:
    return {name for name in table.context.column_words if not columns.holds_dates(name, table)}


def _has_distances(table: Table) -> bool:
    return any(table.words("words_of_distance") & set(own) for own in table.context.column_words.values())


def _of_rows(table: Table) -> Ends | None:
    """Return the dates between which a row lasts, where no column of figures says how long it did."""
    context, lengths = table.context, table.words("names_of_lengths") | table.words("nouns_of_spans")
    for name in context.column_words:
        if context.is_measure(name) and (
            is_time(table.meaning("units_of_measure", unit_of(name, table).casefold()))
            or lengths & set(context.column_words[name])
        ):
            return None
    course = course_of_rows(table)
    end = end_of_rows(table, course)
    started = [name for name in course.done if is_called(name, "starts_of_spans", table)]
    begun = started[0] if len(started) == 1 else course.begun
    return (begun, end) if begun is not None and end is not None and begun != end else None


def _of_deed(deed: str, table: Table) -> Ends | None:
    """Return the beginning of a row and the date of what was done to it later, which may be called by a like deed."""
    course = course_of_rows(table)
    done = _date_called(deed, table) if deed else None
    if done is None and deed in table.words("ending_deeds"):
        end = end_of_rows(table, course)
        done = end if end is not None and is_called(end, "ending_deeds", table) else None
    if done is None or done not in course.done:
        return None
    begun = _billed(course, table) if is_called(done, "paid_dates", table) else None
    begun = begun or course.begun
    return (begun, done) if begun is not None and begun != done else None


def _date_called(deed: str, table: Table) -> str | None:
    """Return the date of a deed, or the one whose name begins with two words: the "first response"."""
    words = split_name(deed)
    if len(words) == 1:
        return columns.date_of(deed, table)
    called = [name for name in table.context.column_words if split_name(name)[: len(words)] == words]
    return called[0] if len(called) == 1 and columns.holds_dates(called[0], table) else None


def _billed(course: Course, table: Table) -> str | None:
    """Return the date of a bill, from which the time to its payment is counted."""
    billed = [name for name in course.done if is_called(name, "billed_dates", table)]
    return billed[0] if len(billed) == 1 else None


def _from(start: str, ends: Ends, table: Table) -> Ends | None:
    """Return the dates of a time whose start is said: by its own date, or as what a row is."""
    date = columns.date_of(start, table)
    if date is None:
        return ends if is_row(start, table) else None
    return (date, ends[1]) if date != ends[1] else None
