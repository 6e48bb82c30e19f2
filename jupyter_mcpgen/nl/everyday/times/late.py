"""What was done after its due date, or by it: "late deliveries by region", "average days late", "on-time rate"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.everyday.times.course_of_rows import (
    Course,
    course_of_rows,
    end_of_rows,
    is_called,
    side_of_full_units,
)
from jupyter_mcpgen.nl.everyday.times.periods import days_of


def late_rate(said: Speech, table: Table) -> Speech | None:
    """Say "late rate" and "percentage delivered late" as the share of rows that were done after their due date."""
    for found in said.find_each(table.wording("late_rate")):
        ends = due_and_done(found, table)
        if ends is not None:
            way = "share" if table.groups(said.text) else "percentage"
            return said.put(found, found.said(way, **_parts(found, *ends)), _note(found, *ends, table))
    return None


def days_late(said: Speech, table: Table) -> Speech | None:
    """Say "average days late" as the average of the days from the due date, of the rows that were late."""
    for found in said.find_each(table.wording("days_late")):
        ends = due_and_done(found, table)
        if ends is not None:
            due, done = ends
            note = found.said("note", due=due, done=done)
            unit = table.say("units", unit=found.meant("unit") or table.say("day"))
            return said.put(
                found, found.said("days", due=due, done=done, unit=unit, f=found["f"] or Term.AVERAGE), note
            )
        flag = columns.flag_of(found.folded("late"), table) if found["late"] else None
        if flag is not None:
            return said.refusing(found.said("by_flag", said=found.text.strip(), flag=flag))
    return None


def late_by_days(said: Speech, table: Table) -> Speech | None:
    """Say "more than 5 days late" by the days from the due date to the day on which it was done."""
    for found in said.find_each(table.wording("late_by_days")):
        ends = due_and_done(found, table)
        if ends is not None:
            side = side_of_full_units(found.meant("side"), found.meant("unit"), table)
            parts = {"side": side, "n": found.meant("n"), "unit": table.say("units", unit=found.meant("unit"))}
            return said.put(found, found.said("limit", due=ends[0], done=ends[1], **parts), _note(found, *ends, table))
    return None


def not_on_time(said: Speech, table: Table) -> Speech | None:
    """Refuse "not delivered on time" where some rows were not delivered yet; elsewhere it is late, or on time."""
    for found in said.find_each(table.wording("not_on_time")):
        ends = due_and_done(found, table)
        if ends is not None:
            rows = str(table.context.column(ends[1]).nulls)
            return said.refusing(found.said(said=found.text.strip(), due=ends[0], done=ends[1], rows=rows))
    return None


def late_rows(said: Speech, table: Table) -> Speech | None:
    """Say "late loans", "late returns" and "which jobs were late" by the due date and the one on which it was done."""
    for found in said.find_each(table.wording("late_rows")):
        noun = found.folded("noun")
        ends = due_and_done(found, table)
        if ends is None or (noun and not _are_rows(noun, ends[1], table)):
            continue
        before, words = said.word_before(found), found.said("rows" if noun else "where", **_parts(found, *ends))
        if columns.date_of(before, table) != ends[1] or columns.is_row(before, table):
            return said.put(found, words, _note(found, *ends, table))
        if table.is_data(before):  # what was "delivered late" was delivered; elsewhere the verb is read with it
            rows = said.before(found).split()[:-1]
            kept = rows[:-1] if rows and rows[-1].casefold() in table.context.lexicon.being else rows
            return said.saying(f"{' '.join(kept)} {words} {said.behind(found)}", _note(found, *ends, table))
    return None


def overdue(said: Speech, table: Table) -> Speech | None:
    """Refuse "overdue", which depends on today, with the ways to ask for it; "overdue as of" a day is told."""
    found = said.find(table.wording("overdue"))
    course = _course(found, table) if found else None
    if found is None or course is None or course.due is None:
        return None
    done = end_of_rows(table, course)
    lacks = done is not None and bool(table.context.column(done).nulls)
    parts = {"due": course.due, "done": done or "", "noun": found["noun"], "day": found["day"]}
    if found["day"]:
        return said.put(found, found.said("open_on" if lacks else "due_on", **parts))
    last = days_of(done if lacks and done else course.due, table)
    example = str(last[1]) if last else ""
    return said.refusing(found.said("both" if lacks else "alone", example=example, **parts))


def due_next(said: Speech, table: Table) -> Speech | None:
    """Say "tests due in 2023" of the `next_test`, where nothing else is due."""
    found = said.find(table.wording("due_next"))
    names = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    if found is None or any(is_called(name, "words_of_due_dates", table) for name in names):
        return None
    coming = [name for name in names if is_called(name, "coming", table)]
    return said.put(found, found.said(column=coming[0])) if len(coming) == 1 else None


def _parts(found: Found, due: str, done: str) -> dict[str, str]:
    return {"due": due, "done": done, "side": found.meant("late")}


def _note(found: Found, due: str, done: str, table: Table) -> str:
    open_rows = table.context.column(done).nulls
    way = "without" if open_rows else "told"
    return found.wording.say(way, {"said": found.text.strip(), "due": due, "done": done, "rows": str(open_rows)})


def _course(found: Found, table: Table) -> Course | None:
    """Return the course of the rows, unless a column or a value says itself what is late."""
    word = (found.folded("late").split() or [""])[-1]
    own = table.context.column_words.values()
    if table.is_data(word) or word in table.context.value_parts or any(word in words for words in own):
        return None
    delays = table.words("words_of_delays")
    return course_of_rows(table) if not any(delays & set(words) for words in own) else None


def due_and_done(found: Found, table: Table) -> tuple[str, str] | None:
    """Return the due date and the date on which it was done, by its verb where one is said."""
    course = _course(found, table)
    if course is None or course.due is None:
        return None
    verb = found.folded("verb") or _deed(found.folded("noun"), course, table)
    done = columns.date_of(verb, table) if verb else end_of_rows(table, course) or course.over
    return (course.due, done) if done is not None and done in course.done else None


def _deed(noun: str, course: Course, table: Table) -> str:
    """Return a noun that is one of what was done: the "returns" of `returned_on`."""
    date = columns.date_of(noun, table) if noun and not columns.is_row(noun, table) else None
    return noun if date is not None and date in course.done else ""


def _are_rows(noun: str, done: str, table: Table) -> bool:
    """Tell whether a noun is what each row is, or what was done to it."""
    return columns.is_row(noun, table, table.words("rows_of")) or columns.date_of(noun, table) == done
