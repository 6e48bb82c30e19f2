"""What goes up with what: "does compost increase yield compared to control", "how much does price rise per mile"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def raised_against(said: Speech, table: Table) -> Speech | None:
    """Say "does compost increase yield compared to control" as a test of the difference between the two."""
    found = said.find(table.wording("raised_against"))
    column = columns.measured(found["what"], table) if found else None
    if found is None or column is None:
        return None
    note = f"“{found['verb']}” asks what causes what: that `{column}` differs is tested, not why it does."
    return said.put(found, found.said(column=column), note)


def regressed(said: Speech, table: Table) -> Speech | None:
    """Say "predict yield from light with linear regression" as that regression: its line is computed, no forecast."""
    for found in said.find_each(table.wording("regressed")):
        column, other = columns.measured(found["y"], table), columns.measured(found["x"], table)
        if column is not None and other is not None and column != other:
            return said.put(found, found.said("one", column=column, other=other))
        if column is not None and columns.last_figure(found["x"], table) is not None:
            return said.put(found, found.said("several"))
    return None


def rising_with(said: Speech, table: Table) -> Speech | None:
    """Say "how much does yield increase per cm of height" as the slope of the one over the other."""
    for found in said.find_each(table.wording("rising_with")):
        column, other = columns.measured(found["what"], table), columns.measured(found["by"], table)
        if column is not None and other is not None and column != other:
            note = f"The slope is how much `{column}` changes with 1 more of `{other}`, on a straight line."
            return said.put(found, found.said(column=column, other=other), note)
    return None


def how_far_apart(said: Speech, table: Table) -> Speech | None:
    """Say "how spread out is yield" as its standard deviation."""
    for found in said.find_each(table.wording("how_far_apart")):
        column = columns.measured(found["what"], table)
        if column is not None:
            return said.put(found, found.said("groups" if found["group"] else "all", column=column))
    return None


def how_skewed(said: Speech, table: Table) -> Speech | None:
    """Say "is income skewed" as its skewness, and what its sign means."""
    for found in said.find_each(table.wording("how_skewed")):
        named = columns.named(found["what"], table)
        written = named is not None and any(way.type.is_number for way in table.context.column(named).written)
        column = named if written else columns.measured(found["what"], table)
        if column is not None:
            note = "A skewness near 0 is symmetric; above 0 the long tail is of high values, below 0 of low ones."
            return said.put(found, found.said(column=column), note)
    return None
