"""Years that a question names otherwise than alone: a winter of two years, what was done in one."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.times.periods import has_dates


def winter_of_a_year(said: Speech, table: Table) -> Speech | None:
    """Refuse "the winter of 2023", which lies in two years and may be the one that began then, or ended."""
    found = said.find(table.wording("winter_of_a_year"))
    if found is None or not has_dates(table) or table.is_data(found["season"]):
        return None
    year = int(found["year"])
    return said.refusing(found.said(said=found.text, before=str(year - 1), after=str(year + 1)))


def value_on_a_date(said: Speech, table: Table) -> Speech | None:
    """Say "shipped after 2024-04-30" by the date of the shipping, where "shipped" is a value as well."""
    for found in said.find_each(table.wording("value_on_a_date")):
        date = columns.date_of(found.folded("verb"), table)
        if (
            date is not None
            and found.folded("verb") in table.context.values
            and not columns.named(found["verb"], table)
        ):
            way = "stated" if said.word_before(found) in table.words("be") else "dated"
            return said.put(found, found.said(way, column=date), f"“{found['verb']}” is dated by `{date}`.")
    return None
