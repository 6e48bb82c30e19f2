"""Parts of dates that are taken out before they are asked for: "extract the month from the date and count by month"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.times.periods import days_of


def part_of_date_first(said: Speech, table: Table) -> Speech | None:
    """Say "extract the month from the date and count the orders in each month" as the orders by month of that date.

    Over several years a month may be the one of a calendar, whatever the year: asked about.
    """
    found = said.find(table.wording("part_of_date_first"))
    date = columns.named(found["date"], table) if found else None
    if found is None or date is None or not columns.holds_dates(date, table):
        return None
    if found.meant("unit") != found.meant("again"):
        return None
    way, unit = "which" if found["which"] else "by", found.meant("unit")
    known = days_of(date, table)
    recurring = table.meaning("recurring_parts", unit)
    if recurring == unit or (known is not None and known[0].year == known[1].year and unit != "day"):
        return said.put(found, found.said(way, date=date, unit=unit))
    ways = (said.put(found, found.said(way, date=date, unit=one)).text for one in (recurring, unit))
    return said.asking_back(found.said("asked", unit=unit, recurring=recurring, date=date), *ways)
