"""When people and things came for the first time: "customers by month of first order", "new donors per month"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.times.course_of_rows import course_of_rows


def by_first(said: Speech, table: Table) -> Speech | None:
    """Say "number of customers by month of first order" as the first row of each, by its month."""
    found = said.find(table.wording("by_first"))
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    date = dates[0] if len(dates) == 1 else course_of_rows(table).begun
    group = columns.entity(found["who"], table) if found else None
    if found is None or group is None or date is None:
        return None
    if found["novelty"] and columns.is_of_the_data(found["novelty"], table):
        return None  # the table tells itself which are new
    what = found["what"]
    if what and columns.named(what, table) != date and not columns.is_row(what, table, table.words("deals_counted")):
        return None
    note = f"Each `{group}` counts once, at the first `{date}` that the table has of it."
    return said.put(found, found.said(unit=found.meant("unit"), group=group, date=date), note)
