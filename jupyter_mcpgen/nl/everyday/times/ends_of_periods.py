"""Ends of periods in words: "until the end of May 2023", "since the beginning of 2022", "growth 2022 to 2023"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.times.periods import days_of, has_dates


def end_of_a_period(said: Speech, table: Table) -> Speech | None:
    """Say "until the end of May" as until May, and "since the beginning of 2022" as since 2022: both are whole."""
    for found in said.find_each(table.wording("end_of_a_period")) if has_dates(table) else ():
        end = found.meant("end")
        side = next((side for side in ("until", "since", "after", "before", "joined") if found[side]), "")
        if (side, end) in (
            ("until", "last"),
            ("joined", "last"),
            ("after", "last"),
            ("since", "first"),
            ("before", "first"),
        ):
            stretch = side == "since" and not table.words("ends_of_stretches").isdisjoint(said.behind(found).split())
            return said.put(found, found.said("from" if stretch else side))
    return None


def year_to_year(said: Speech, table: Table) -> Speech | None:
    """Say "growth 2022 to 2023" as from the one year to the other, where the table has dates of both."""
    for found in said.find_each(table.wording("year_to_year")):
        if said.word_before(found) in table.words("before_years_joined"):
            continue
        first, last = int(found["first"]), int(found["last"])
        names = [name for name in table.context.profile.schema_.names if columns.holds_dates(name, table)]
        spans = [span for name in names if (span := days_of(name, table)) is not None]
        if first < last and any(start.year <= first and last <= end.year for start, end in spans):
            return said.put(found, found.said())
    return None
