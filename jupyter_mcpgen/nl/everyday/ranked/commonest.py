"""Which value most rows have: "which species is the most common", "which color is rarest", "busiest hour"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts.counts import crowd_column, has_rows_of_months
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term


def commonest(said: Speech, table: Table) -> Speech | None:
    """Say "which species is the most common" as "the most common species", the rarest one as that with fewest rows."""
    found = said.find(table.wording("commonest"))
    if found is None:
        return None
    end = Term(found.meant("end"))
    if end is Term.HIGHEST:
        return said.put(found, found.said(end))
    if columns.entity(found["np"], table) is None:
        return None
    return said.put(found, found.said(end), f"“{found['end']}” is taken to mean the fewest rows.")


def commonest_kind(said: Speech, table: Table) -> Speech | None:
    """Say "most common complaint" by `Complaint Type`, where each row is a complaint and has a kind."""
    for found in said.find_all(table.wording("commonest_kind")):
        noun = table.context.plain(found.folded("noun"))
        kinds = [
            name
            for name, own in table.context.column_words.items()
            if own[:-1] == (noun,) and own[-1] in table.words("nouns_of_kinds")
        ]
        if len(kinds) == 1 and noun in table.context.row_nouns:
            words = found.text.rstrip().removesuffix(found["noun"])
            note = f"“{found['noun']}” is taken to be the kinds in `{kinds[0]}`."
            notes = () if columns.is_plural(found["noun"], table) else (note,)  # of several, the groups say it
            return said.put(found, f"{words}`{kinds[0]}`", *notes)
    return None


def several_commonest(said: Speech, table: Table) -> Speech | None:
    """Say "the 3 most common faults" as the top 3 of them."""
    found = said.find(table.wording("several_commonest"))
    if (
        found is None
        or found.meant("end") != Term.HIGHEST
        or said.word_before(found) in table.words("ends_of_an_order")
    ):
        return None
    return said.put(found, found.said())


def busiest(said: Speech, table: Table) -> Speech | None:
    """Say "busiest hour" as the hour with the most rows."""
    for crowd in said.find_each(table.wording("busiest")):
        column = columns.figure(crowd["rows"], table) if crowd["rows"] and not crowd["n"] else None
        if column is not None and columns.is_summed(column, table) and not table.is_data(crowd["word"]):
            note = f"“{crowd['word']}” is taken to mean the {crowd.meant('word')} in all by `{column}`."
            return said.put(crowd, crowd.said(f"counted_{crowd.meant('word')}", column=column), note)
    fitting = (found for found in said.find_each(table.wording("busiest")) if _busy_with_rows(found, table))
    found = next(fitting, None)
    if found is None or table.is_data(found["word"]):
        return None
    end = found.meant("word")
    ways = {"most": "top", "fewest": "bottom"}
    column = crowd_column(table)
    if column is not None:  # a row is so many already
        summed = found.said(f"counted_{ways[end]}" if found["n"] else f"counted_{end}", column=column)
        return said.put(found, summed, f"“{found['word']}” is taken to mean the {end} in all by `{column}`.")
    if has_rows_of_months(table):
        return said.refusing(found.said("of_months"))
    note = f"“{found['word']}” is taken to mean the {end} rows."
    return said.put(found, found.said(ways[end] if found["n"] else end), note)


def _busy_with_rows(found: Found, table: Table) -> bool:
    """Tell whether what a group is busy with is not said, or is rows: the "hour of the day" is a period itself."""
    rows = found.folded("rows")
    return not rows or columns.is_row(rows, table) or columns.date_of(rows, table) is not None


def used_most(said: Speech, table: Table) -> Speech | None:
    """Say "which payment is used most" as the one with the most rows."""
    found = said.find(table.wording("used_most"))
    if found is None or columns.entity(found["np"], table) is None:
        return None
    note = f"“{found['verb']} {found['end']}” is taken to mean rows."
    return said.put(found, found.said(found.meant("end")), note)
