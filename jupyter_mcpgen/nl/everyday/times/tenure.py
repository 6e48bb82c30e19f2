"""How long people have been there, and how old they are, of which today is a part: "average tenure", "average age"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.times.course_of_rows import Course, course_of_rows, end_of_rows, is_called
from jupyter_mcpgen.nl.everyday.times.periods import days_of
from jupyter_mcpgen.nl.tables.years_of_birth import year_of_birth


def longest_serving(said: Speech, table: Table) -> Speech | None:
    """Say "longest serving nurse" as the one of those still there who was hired first, which needs no today."""
    for found in said.find_each(table.wording("longest_serving")):
        course = _of_persons(table)
        if course is None or course.begun is None or not _is_person(found["noun"], table):
            continue
        end = end_of_rows(table, course)
        here = end is not None and bool(table.context.column(end).nulls)
        group = columns.entity(found["group"], table) if found["group"] else ""
        if group is None:
            continue
        number = found.meant("n") or found.meant("n_behind") or "1"
        parts = {"begun": course.begun, "end": end or "", "n": number, "group": group}
        way = "still_there" if here else "all"
        said_so = found.said(f"{way}{'_of_each' if group else ''}", **parts)
        return said.put(found, said_so, found.said(f"{way}_note", **parts))
    return None


def tenure(said: Speech, table: Table) -> Speech | None:
    """Say "tenure of those who left" as the time from hire to leaving; of those still there it depends on today."""
    for found in said.find_each(table.wording("tenure")):
        course = _of_persons(table)
        own = columns.named(found["tenure"], table, columns.STEMMED)
        if course is None or course.begun is None or own is not None:
            continue
        end = end_of_rows(table, course)
        span = days_of(end or course.begun, table)
        parts = {"begun": course.begun, "end": end or "", "last": str(span[1]) if span else "", "day": found["day"]}
        left = bool(found["left"]) or (bool(found["deed"]) and columns.date_of(found.folded("deed"), table) == end)
        if found["deed"] and not left:
            continue
        if left and end is not None:
            return said.put(found, found.said("left", **parts), found.said("left_note", **parts))
        if found["day"]:
            here = end is not None and bool(table.context.column(end).nulls)
            return said.put(found, found.said("still_there" if here else "all", **parts), found.said("note", **parts))
        return said.refusing(found.said("either" if end is not None else "today", **parts))
    return None


def age_of_born(said: Speech, table: Table) -> Speech | None:
    """Refuse "average age" where only the year of birth is known: it depends on today, unless a year is named."""
    for found in said.find_each(table.wording("age_of_born")):
        year = year_of_birth(table.context, table.words("births"))
        if year is None or table.context.columns_with("age"):
            continue
        return said.refusing(found.said("today", column=year))
    return None


def _of_persons(table: Table) -> Course | None:
    """Return the dates of a row where each is a person who was hired or joined."""
    course = course_of_rows(table)
    hired = course.begun is not None and is_called(course.begun, "beginnings_of_persons", table)
    return course if hired else None


def _is_person(noun: str, table: Table) -> bool:
    words = noun.casefold().split()
    return columns.is_person(words[-1], table) or columns.is_row(noun, table)
