"""Two columns of a row that hold the same: "jobs where translator and reviewer are the same", "checked by himself"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def same_in_both(said: Speech, table: Table) -> Speech | None:
    """Say "where translator and reviewer are the same" as the one being the other."""
    for found in said.find_all(table.wording("same_in_both")):
        first, second = (_of_labels(found[name], table) for name in ("a", "b"))
        if _are_comparable(first, second, table):
            way = "different" if found["different"] else "same"
            return said.put(found, found.said(way, a=first or "", b=second or ""))
    return None


def done_by_oneself(said: Speech, table: Table) -> Speech | None:
    """Say "checked by the technician himself" as the one who checked being the technician."""
    found = said.find(table.wording("done_by_oneself"))
    first, second = (_of_labels(found[name], table) for name in ("verb", "noun")) if found else (None, None)
    if found is None or not _are_comparable(first, second, table):
        return None
    return said.put(found, found.said(a=first or "", b=second or ""))


def _of_labels(text: str, table: Table) -> str | None:
    """Return the column of labels that words name, also as who does what it is called after: the "checker"."""
    column = columns.label(text, table)
    if column is not None:
        return column
    own = table.context.column_words
    akin = [name for name, words in own.items() if any(table.akin(text.casefold(), word) for word in words)]
    akin = [name for name in akin if columns.label(name, table) == name and not columns.holds_dates(name, table)]
    return akin[0] if len(akin) == 1 else None


def _are_comparable(first: str | None, second: str | None, table: Table) -> bool:
    """Tell whether two columns hold some of the same values."""
    if first is None or second is None or first == second:
        return False
    held = [{str(value) for value in table.context.column(name).values} for name in (first, second)]
    return table.context.type_of(first) is table.context.type_of(second) and bool(held[0] & held[1])
