"""What some rows have, told by the column of its code or kind: "sessions with a fault" by `fault_code`.

The column is empty where there was none, so a value in it says that there was one.
"""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.everyday.things.having_any import has_a_limit
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.schema import ColumnType

LACKING = 0.5
"""From this part of the rows on, an empty cell says that there was none, and not that nobody wrote it down."""


def having_coded(said: Speech, table: Table) -> Speech | None:
    """Say "with a fault" as the rows where `fault_code` is not missing."""
    for found in said.find_each(table.wording("having_coded")):
        several = found["several"]
        column = coded(found["what"] or several, table) if not several or columns.is_plural(several, table) else None
        if column is not None and not has_a_limit(said, found, table):
            return said.put(found, found.said(column=column), _note(found.text, column))
    return None


def number_of_coded(said: Speech, table: Table) -> Speech | None:
    """Say "number of faults" and "the most faults" as the rows where `fault_code` is not missing."""
    for found in said.find_each(table.wording("number_of_coded")):
        column = coded(found["what"], table) if columns.is_plural(found["what"], table) else None
        end = found.meant("lead")
        if column is not None and end != Term.FEWEST:  # a group that has none would not be seen
            way = end if end == Term.MOST else "number"
            return said.put(found, found.said(way, column=column), _note(found["what"], column))
    return None


def rate_of_coded(said: Speech, table: Table) -> Speech | None:
    """Say "fault rate" as the share of rows where `fault_code` is not missing."""
    for found in said.find_each(table.wording("rate_of_coded")):
        column = coded(found["what"], table)
        if column is not None:
            grouped = table.groups(said.behind(found)) or _is_ranked(said, found, table)
            note = f"“{found.text}” is taken to mean the share of rows where `{column}` is not missing."
            return said.put(found, found.said("share" if grouped else "percentage", column=column), note)
    return None


def coded(text: str, table: Table) -> str | None:
    """Return the one column that tells which one of something a row has, empty where it has none."""
    context = table.context
    words = [context.plain(word) for word in split_name(text)]
    about = [name for name, own in context.column_words.items() if words and set(words) <= set(own)]
    if len(about) != 1 or table.is_data(text) or columns.is_row(text, table):
        return None
    if columns.flag_of(text, table) or columns.date_of(text, table):
        return None  # what says yes or no to it, or when it was, tells it better
    name = about[0]
    kind = set(context.column_words[name]) - set(words)
    told = bool(kind) and kind <= {context.plain(word) for word in table.words("telling_which")}
    is_text = context.type_of(name) is ColumnType.TEXT and not columns.holds_dates(name, table)
    lacks = context.column(name).nulls >= context.profile.rows * LACKING and columns.may_be_lacking(name, table)
    return name if told and is_text and lacks else None


def _is_ranked(said: Speech, found: Found, table: Table) -> bool:
    return bool(table.words("ends_of_figures") & set(said.before(found).casefold().split()))


def _note(text: str, column: str) -> str:
    return f"“{text}” is taken to mean that `{column}` is not missing."
