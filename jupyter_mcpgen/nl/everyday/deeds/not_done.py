"""What has not been done to rows: "orders not yet delivered" have no date of a delivery."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def not_done(said: Speech, table: Table) -> Speech | None:
    """Say "not yet delivered" as without the date that the verb is of, where some rows have none.

    "Not delivered in May" may have been delivered in June, so it is left alone.
    """
    found = said.find(table.wording("not_done"))
    if found is None:
        return None
    verb = found.folded("verb")
    date = columns.date_of(verb, table)
    if (
        date is None
        or table.is_data(verb)
        or not table.context.column(date).nulls
        or _is_dated(said.behind(found), table)
    ):
        return None
    return said.put(
        found, found.said(column=date), f"“{found.text.strip()}” is taken to mean that `{date}` is missing."
    )


def _is_dated(text: str, table: Table) -> bool:
    """Tell whether words say when: a number or a month."""
    months = table.context.lexicon.months
    return any(sign.isdigit() for sign in text) or any(word.strip("?.,!") in months for word in text.casefold().split())


def done_but_not(said: Speech, table: Table) -> Speech | None:
    """Say "invoiced but not paid" as with the date of the first verb and without that of the second."""
    for found in said.find_each(table.wording("done_but_not")):
        first, last = columns.date_of(found.folded("done"), table), columns.date_of(found.folded("verb"), table)
        if first is None or last is None or first == last or not table.context.column(last).nulls:
            continue
        way = "both" if table.context.column(first).nulls else "last"
        there = f"`{first}` is there and " if way == "both" else ""
        note = f"“{found.text.strip()}” is taken to mean that {there}`{last}` is missing."
        return said.put(found, found.said(way, first=first, last=last), note)
    return None
