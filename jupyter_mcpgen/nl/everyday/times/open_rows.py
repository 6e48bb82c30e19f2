"""Rows to which something was not done yet, by the missing date or the flag of it: "unpaid fees", "open cases"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.course_of_rows import course_of_rows, end_of_rows, is_called
from jupyter_mcpgen.nl.tables.dates_in_order import lies_ahead

LONGER_THAN_THE_PREFIX = 3
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True)
class State:
    """The column that tells a state, and how it is said."""

    column: str
    way: str
    """`missing` or `false`."""


def rate_of_open(said: Speech, table: Table) -> Speech | None:
    """Say "unpaid rate" as the share of the rows that are unpaid."""
    for found in said.find_each(table.wording("rate_of_open")):
        state = state_told(found, table)
        if state is not None:
            way = "share" if table.groups(said.text) else "percentage"
            return _put(said, found, state, way, table)
    return None


def open_amount(said: Speech, table: Table) -> Speech | None:
    """Say "how much is unpaid" and "outstanding amount" as the total of what rows are worth that are unpaid."""
    for found in said.find_each(table.wording("open_amount")):
        state = state_told(found, table)
        what = found.folded("what")
        called = columns.figure(what, table) if what else None
        if found["rows"] and not _are_rows(found.folded("rows"), table):
            continue
        if state is None or (what and called is None and what not in table.words("money_itself_said")):
            continue
        owed = [called] if called is not None else _worth(table)
        if len(owed) > 1:
            listed = ", ".join(f"`{name}`" for name in owed)
            return said.refusing(found.said("which", said=found.text.strip(), columns=listed, column=owed[0]))
        if not owed:
            continue
        way = "total" if found["asked"] else "amount"
        whole = _put(said, found, state, way, table, amount=owed[0])
        part = _part_done(state, owed[0], table)
        if part is None or called is not None:
            return whole
        left = said.put(found, found.said("left", amount=owed[0], part=part)).text
        return said.asking_back(found.said("parts", said=found.text.strip(), part=part), whole.text, left)
    return None


def _part_done(state: State, owed: str, table: Table) -> str | None:
    """Return the one other amount that is called after what is not done: the `amount_paid` of what is unpaid."""
    own = table.context.column_words
    amounts = [name for name in own if name not in (owed, state.column) and columns.is_figure(name, table)]
    verbs = [word for word in own[state.column] if word not in table.context.lexicon.words]
    found = [name for name in amounts if any(table.akin(verb, word) for verb in verbs for word in own[name])]
    return found[0] if len(found) == 1 and found[0] not in set(columns.flags(table)) else None


def open_rows(said: Speech, table: Table) -> Speech | None:
    """Say "unpaid invoices" and "open cases" as the rows without the date of that, or with the flag that says no."""
    for found in said.find_each(table.wording("open_rows")):
        state = state_told(found, table)
        noun = found.folded("noun")
        if state is None or (noun and not _are_rows(noun, table)):
            continue
        if not noun and not _is_stated(said.word_before(found), table):
            continue
        if found.folded("state") in table.words("still_there") and _names_a_period(said.text, table):
            continue  # who was active in a year may have left since
        way = "where" if not noun else "rows" if columns.is_plural(noun, table) else "row"
        return _put(said, found, state, way, table)
    return None


def end_of_open(said: Speech, table: Table) -> Speech | None:
    """Say "oldest unpaid invoice" and "oldest loan that was not returned" as the first of those rows by their date."""
    for found in said.find_each(table.wording("end_of_open")):
        state = _not_done(found.folded("verb"), table) if found["verb"] else state_told(found, table)
        begun = course_of_rows(table).begun
        if state is None or begun is None or not _are_rows(found.folded("noun"), table):
            continue
        person = table.context.plain(found.folded("noun")) in table.words("persons")
        if person and found.folded("end") in table.words("told_by_age"):
            continue
        condition = found.wording.say(state.way, {"column": state.column})
        words = found["state"] or f"{table.say('not_done', verb=found['verb'])}"
        note = table.say(f"taken_to_be_{state.way}", said=words, column=state.column)
        group = columns.entity(found["group"], table) if found["group"] else ""
        if group is None:
            continue
        parts = {"condition": condition, "date": begun, "n": found.meant("n") or "1", "group": group}
        said_so = found.said(f"{found.meant('end')}{'_of_each' if group else ''}", **parts)
        return said.put(found, said_so, note, table.say("in_the_order_of", column=begun))
    return None


def _names_a_period(text: str, table: Table) -> bool:
    """Tell whether a text names a year or a month."""
    return bool(_YEAR.search(text) or table.context.lexicon.months.keys() & set(text.casefold().rstrip("?.!").split()))


def _put(said: Speech, found: Found, state: State, way: str, table: Table, amount: str = "") -> Speech:
    condition = found.wording.say(state.way, {"column": state.column})
    note = table.say(f"taken_to_be_{state.way}", said=found["state"], column=state.column)
    return said.put(found, found.said(way, condition=condition, amount=amount), note)


def _is_stated(before: str, table: Table) -> bool:
    """Tell whether a state is said of rows: "which are open", "invoices still open"."""
    return before in table.words("be") | table.words("still") or (bool(before) and _are_rows(before, table))


def _are_rows(noun: str, table: Table) -> bool:
    more = table.words("rows_of") | (table.words("persons") if _rows_are_persons(table) else frozenset())
    return columns.is_row(noun, table, more)


def _rows_are_persons(table: Table) -> bool:
    return bool(table.context.row_nouns & table.words("persons"))


def state_told(found: Found, table: Table) -> State | None:
    """Return what tells a state that is said, unless the table has the word itself."""
    word, last = found.folded("state"), found.folded("state").split()[-1]
    own = table.context.column_words
    called = any(last in words and not columns.holds_dates(name, table) for name, words in own.items())
    if called or table.is_data(last) or last in table.context.value_parts:
        return None
    meant = found.meant("state")
    if meant == word:
        return _not_done(_denied(last, table), table)
    if meant == "over":
        return _ongoing(word, table)
    told = (_not_done(verb, table) for verb in (meant, *table.vocabulary.ranked["other_words_for_paid"]))
    return next((state for state in told if state is not None), None)


def _denied(word: str, table: Table) -> str:
    """Return the verb that a word denies: "paid" of "unpaid"."""
    for prefix in table.words("denying_adjectives"):
        if word.startswith(prefix) and len(word) >= len(prefix) + LONGER_THAN_THE_PREFIX:
            return word.removeprefix(prefix)
    return ""


def _not_done(verb: str, table: Table) -> State | None:
    flag = columns.flag_of(verb, table) if verb else None
    if flag is not None:
        return State(flag, "false")
    date = columns.date_of(verb, table) if verb else None
    return State(date, "missing") if date is not None and table.context.column(date).nulls else None


def _ongoing(word: str, table: Table) -> State | None:
    """Return the one date of an end that some rows lack; an invoice is open until it is paid."""
    course = course_of_rows(table)
    end = end_of_rows(table, course) or course.over
    if end is None or not table.context.column(end).nulls or course.begun is None:
        return None
    if is_called(end, "words_of_undoing", table) and word not in table.words("still_there"):
        return None  # an order that was not cancelled may have been delivered
    if is_called(end, "planned_ends", table) and lies_ahead(end, course.begun, table.context):
        return None  # a contract that has an end is active until then
    return State(end, "missing")


def _worth(table: Table) -> list[str]:
    """Return the column of the money that is owed for a row, or all that may be."""
    own, others = table.context.column_words, table.words("money_not_owed")
    money = [name for name, words in own.items() if set(words) & table.words("money_owed") and not set(words) & others]
    money = [name for name in money if columns.is_figure(name, table) and not columns.is_per_piece(name, table)]
    whole = [name for name in money if set(own[name]) & table.words("whole_amounts")]
    return whole if len(whole) == 1 else money
