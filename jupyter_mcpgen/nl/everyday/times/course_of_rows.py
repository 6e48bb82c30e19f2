"""What the dates of a table are in the course of a row: when it began, by when it is due, and what was done then."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mcpgen.nl.context import NAMES_OF_THINGS, context_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.tables.dates_in_order import first_date, follows, is_of_somebody, usual_time
from jupyter_mcpgen.nl.tables.own_dates import begun_at, own_date
from jupyter_mcpgen.nl.tables.written import ways
from jupyter_mcpgen.nl.words.forms import split_name, stem

FEW_MINUTES = dt.timedelta(minutes=150)
FEW_HOURS = dt.timedelta(days=3)
"""A time that is usually shorter than these is told in minutes, or in hours."""


@dataclass(frozen=True)
class Course:
    """The dates of a row by what they are in its course."""

    begun: str | None
    """When it began."""
    due: str | None
    """By when something has to be done."""
    done: tuple[str, ...]
    """What was done later, in the order of the table."""

    @property
    def over(self) -> str | None:
        """When it was over, as far as one date tells."""
        return self.done[0] if len(self.done) == 1 else None


def course_of_rows(table: Table) -> Course:
    """Return what the dates of a table are in the course of its rows."""
    names = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    due = [name for name in names if is_called(name, "words_of_due_dates", table)]
    others = [name for name in names if name not in due and not is_called(name, "words_of_other_dates", table)]
    begun = _begun(others, table) if others else None
    done = tuple(name for name in others if name != begun and (begun is None or not _precedes(name, begun, table)))
    return Course(begun, due[0] if len(due) == 1 else None, done)


def _begun(names: Sequence[str], table: Table) -> str | None:
    """Return the date at which a row began: it is called so, or all others follow it in the rows."""
    context = table.context
    typed = next((context_of(read, table.vocabulary.language) for _, read in ways(context.profile)), context)
    own = own_date(typed) or begun_at(typed)
    if own is not None and own in names:
        return own
    called = [name for name in names if is_called(name, "first_of_two", table) and not is_of_somebody(name, context)]
    if len(called) == 1:
        return called[0]
    if len(names) > 1:
        return first_date(names, context)
    ends = is_called(names[0], "last_of_two", table) or context.column(names[0]).nulls
    return None if ends else names[0]


def _precedes(name: str, begun: str, table: Table) -> bool:
    return follows(begun, name, table.context) and not follows(name, begun, table.context)


def is_called(name: str, key: str, table: Table) -> bool:
    """Tell whether a column has a word of a list in its name, or is called as a phrase of it."""
    own = table.context.column_words[name]
    return bool({*own, *split_name(name), " ".join(own)} & table.words(key))


def end_of_rows(table: Table, course: Course) -> str | None:
    """Return the date at which what a row is about was over: the last of several, or the one that is called an end.

    Paying for it is none.
    """
    later = [name for name in course.done if not is_called(name, "starts_of_spans", table)]
    ended = [name for name in later if not is_called(name, "paid_dates", table)]
    if len(ended) < 2:
        return ended[0] if ended else None
    last = [name for name in ended if all(follows(name, other, table.context) for other in ended if other != name)]
    last = last or [name for name in ended if is_called(name, "last_of_two", table)]
    return last[0] if len(last) == 1 else None


def unit_between(first: str, last: str, table: Table) -> str:
    """Return the unit in which the time between two dates is told: days, unless both have a time of the day."""
    context = table.context
    if not {first, last} <= set(context.clocks):
        return table.say("days")
    usual = usual_time(first, last, context)
    if usual is not None and usual < FEW_MINUTES:
        return table.say("minutes")
    return table.say("hours") if usual is None or usual < FEW_HOURS else table.say("days")


def date_called(word: str, table: Table) -> str | None:
    """Return the date whose verb a word is a form of; of several, the rows' own: a next test is none yet."""
    only = columns.date_of(word, table)
    begun, language = course_of_rows(table).begun, table.context.lexicon.language
    if only is not None and is_called(only, "coming", table):
        return begun  # who was checked is told by no `next_check`
    if only is not None or not word:
        return only
    own = split_name(begun) if begun is not None else ()
    akin = any(table.akin(word, one) or stem(word, language) == stem(one, language) for one in own)
    return begun if akin else None


def side_of_full_units(side: str, unit: str, table: Table) -> str:
    """Return how a limit compares with a time that is counted in full units: 2 years and a day are more than 2 years.

    Months, quarters and years are counted in full, so what is above 2 of them is at least 2, and what is within 2 is
    less than 2; shorter units have fractions.
    """
    counted = table.words("units_counted_in_full")
    return table.meaning("sides_in_full", side) if unit in counted else side


def note_of_full_units(side: str, number: str, unit: str, table: Table) -> str:
    """Return what is said where a limit is counted in full units: no number of full months tells a day more."""
    if side_of_full_units(side, unit, table) == side:
        return ""
    return f" {table.say('full_units', n=number, unit=unit)}"


def is_row(noun: str, table: Table) -> bool:
    """Tell whether a noun is what a row is, also where only the column that numbers the rows is called so."""
    if columns.is_row(noun, table):
        return True
    plain = table.context.plain(noun.casefold())
    keys = [name for name, own in table.context.column_words.items() if own[:1] == (plain,)]
    keys = [name for name in keys if set(table.context.column_words[name][1:]) <= NAMES_OF_THINGS]
    return len(keys) == 1 and table.context.names_rows(keys[0])
