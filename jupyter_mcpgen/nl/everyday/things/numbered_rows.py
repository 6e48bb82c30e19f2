"""Rows that a column numbers: the "lines" of an order beside its `line` are rows, and no sum of 1, 2 and 3."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.tables.numbered import numbers_rows


def numbered_rows(said: Speech, table: Table) -> Speech | None:
    """Say "lines per order" as the rows per order, where a column `line` numbers the rows of each order."""
    for found in said.find_all(table.wording("numbered_rows")):
        column = _numbering(found["noun"], table) if columns.is_plural(found["noun"], table) else None
        if column is None:
            continue
        f, way = Term(found.meant("f")) if found["f"] else "", "averaged" if found["f"] else "each"
        way = "all" if found["total"] else way
        return said.put(found, found.said(way, f=f), _NOTE.format(found["noun"], column))
    return None


def per_numbered_row(said: Speech, table: Table) -> Speech | None:
    """Say "average quantity per line" as the average of the rows, where a column `line` numbers those of an order."""
    for found in said.find_each(table.wording("per_numbered_row")):
        column = _numbering(found["noun"], table)
        if column is not None and not columns.is_plural(found["noun"], table):
            words = found.said(f=Term(found.meant("f")), what=found["what"])
            return said.put(found, words, _NOTE.format(found["noun"], column))
    return None


_NOTE = "“{}” are taken to be the rows: `{}` only numbers them."


def _numbering(noun: str, table: Table) -> str | None:
    """Return the column that numbers what a noun names within some identifier or label."""
    context, plain = table.context, table.context.plain(noun.casefold())
    numbers = {context.plain(word) for word in table.vocabulary.ranked.get("numbering", ())}
    own = context.column_words
    called = [name for name, words in own.items() if words[:1] == (plain,) and set(words[1:]) <= numbers]
    if len(called) != 1:
        return None
    keys = (key for key in own if key != called[0] and not context.is_measure(key))
    return called[0] if any(numbers_rows(called[0], key, context) for key in keys) else None
