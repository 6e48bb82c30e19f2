"""A number of bins before or behind the figure that is cut: "in 4 weight bands", "stays in 5 bins"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def bins_of_figure(said: Speech, table: Table) -> Speech | None:
    """Say "pickups in 4 weight bands" as the number of pickups by weight in 4 bins."""
    for found in said.find_each(table.wording("bins_of_figure")):
        column = columns.measured(found["what"], table)
        if column is None or columns.label(f"{found['what']} {found['kind']}", table) is not None:
            continue
        before = said.before(found).strip()
        alone = not before or columns.is_row(before, table, table.words("one_row"))
        groups = found.said("groups", column=column)
        if not alone:
            return said.put(found, groups)
        return said.saying(f"{table.say('number_of_rows')} {groups} {said.behind(found)}")
    return None


def figure_in_bins(said: Speech, table: Table) -> Speech | None:
    """Say "stays in 5 bins" as the number of rows by the length of the stay in 5 bins."""
    found = said.find(table.wording("figure_in_bins"))
    column = columns.measured(found["what"], table) if found is not None else None
    if found is None or column is None:
        return None
    return said.put(found, f"{table.say('number_of_rows')} {found.said('groups', column=column)}")
