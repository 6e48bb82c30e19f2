"""How large a row is, which is what it is worth: "claim size by type", "claims bigger than average"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.ranks import USUAL_KEPT
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def row_size(said: Speech, table: Table) -> Speech | None:
    """Say "claim size" as the average of what a claim is worth, or as another figure that is named."""
    for found in said.find_each(table.wording("row_size")):
        column = _worth(found["noun"], table)
        if column is None or columns.named(found.text, table, columns.STEMMED) is not None:
            continue
        if found["size"] and any(table.context.columns_with(word) for word in table.words("size")):
            continue  # a column is called a size itself
        way = "figure" if found["f"] else "average"
        note = f"The size of each {table.context.plain(found.folded('noun'))} is taken to be `{column}`."
        return said.put(found, found.said(way, column=column), note)
    return None


def bigger_than(said: Speech, table: Table) -> Speech | None:
    """Say "claims bigger than average" by what a claim is worth."""
    for found in said.find_each(table.wording("bigger_than")):
        column = _worth(found["noun"], table)
        if column is not None:
            way = "number" if found["n"] else "average"
            note = f"“{found['word']}” is taken to be about `{column}`."
            return said.put(found, found.said(way, column=column, word=found.meant("word")), note)
    return None


def biggest_row(said: Speech, table: Table) -> Speech | None:
    """Say "biggest loan" as the row that is worth most, "3 smallest loans" as those worth least."""
    rows = (one for one in said.find_each(table.wording("biggest_row")) if not one["of"] or table.is_data(one["of"]))
    found = next(rows, None)
    column = _worth(found["noun"], table) if found is not None else None
    if found is None or column is None or table.groups(found["rest"]):
        return None
    end = Term(found.meant("end"))
    several = bool(found["n"]) or columns.is_plural(found["noun"], table)
    side = Term.TOP if end is Term.HIGHEST else Term.BOTTOM
    note = f"“{found['end']}” is taken to mean the {end} `{column}`."
    count = found["n"] or str(USUAL_KEPT)
    way = "several" if several else "one"
    parts = {"n": count, "column": column, "for": table.say("for", of=found["of"]) if found["of"] else ""}
    return said.put(found, found.said(way, end=end, side=side, **parts), note)


def _worth(noun: str, table: Table) -> str | None:
    """Return what a row is worth, where a noun stands for the rows; the size of a party is no amount of money."""
    if not columns.is_row(noun, table, table.words("deals_counted")) or table.context.pieces:
        return None  # a large order may be one of many pieces
    if columns.repeated_key(noun, table) is not None:
        return None  # an order that is paid in two parts has two rows
    plain = table.context.plain(noun.casefold())
    named = columns.worth_of_a_row(plain, table)
    worth = table.words("deals") | table.words("deals_counted") | (table.words("rows_worth") & table.context.row_nouns)
    if named is not None or not {noun.casefold(), plain} & worth:
        return named
    return columns.money(table.vocabulary.ranked["worth"], table, "worth_not")
