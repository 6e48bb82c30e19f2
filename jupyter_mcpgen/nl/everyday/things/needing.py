"""What rows need, where a column tells: "trees that need work" over `work_needed`, which says "Nothing" of others."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.words.forms import split_name


def needing(said: Speech, table: Table) -> Speech | None:
    """Say "trees that need work" as those of which the column says something, and not that there is none."""
    for found in said.find_all(table.wording("needing")):
        column = _needed(found["what"], table)
        if column is None:
            continue
        denied = bool(found["no"]) != bool(found["not"])
        if column in set(columns.flags(table)):
            return said.put(found, found.said("flag", column=column, holds=Term.FALSE if denied else Term.TRUE))
        none = _saying_none(column, table)
        if len(none) > 1 or not (none or table.context.column(column).nulls):
            return None
        note = f"“{found.text}” is taken to be told by `{column}`."
        way = ("none" if denied else "some") if none else ("missing" if denied else "present")
        return said.put(found, found.said(way, column=column, value=none[0] if none else ""), note)
    return None


def _needed(text: str, table: Table) -> str | None:
    """Return the one column that is called after what is needed: `work_needed`, `requires_permit`."""
    context, needed = table.context, {table.context.plain(word) for word in table.words("needed_said")}
    wanted = {context.plain(word) for word in split_name(text)}
    fitting = [
        name for name, own in context.column_words.items() if set(own) & needed and set(own) - needed == wanted - needed
    ]
    return fitting[0] if len(fitting) == 1 and wanted - needed else None


def _saying_none(column: str, table: Table) -> list[str]:
    """Return the values of a column that say that there is nothing."""
    words = table.context.lexicon.untrue | table.context.lexicon.nothing | table.words("nothing_needed")
    return [str(value) for value in table.context.column(column).values if str(value).strip().casefold() in words]
