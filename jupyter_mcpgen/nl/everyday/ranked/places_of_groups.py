"""A place of a figure beside groups: "second highest sales by region" may be one region, or a row of each."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def place_of_groups(said: Speech, table: Table) -> Speech | None:
    """Refuse "second highest sales by region" with both ways to ask it: a place within each group is never computed."""
    found = said.find(table.wording("place_of_groups"))
    group = columns.label(found["group"], table) if found is not None else None
    column = columns.measured(found["what"], table) if found is not None and group is not None else None
    if found is None or group is None or column is None or found.meant("nth") in _ENDS:
        return None
    figure = Term.TOTAL if columns.is_summed(column, table) else Term.AVERAGE
    side = Term.TOP if found.meant("end") == Term.HIGHEST else Term.BOTTOM
    parts = {"nth": found["nth"], "end": found["end"], "group": group, "column": column, "figure": figure, "side": side}
    return said.refusing(found.said(said=found.text.strip(" ?.!"), n=found.meant("nth"), **parts))


_ENDS = ("0", "1")
"""The first and the last of each group are computed."""
