"""Figures of groups with a last word on which of them, or on how they are told: "amount by account, top 4"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts.money import pieces_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def groups_then_top(said: Speech, table: Table) -> Speech | None:
    """Say "amount by account, top 4" as the total of each account: the first few are groups, and not rows of each."""
    found = said.find(table.wording("groups_then_top"))
    group = columns.label(found["group"], table) if found else None
    words = found["what"].split() if found is not None and group is not None else []
    for first in range(len(words)):
        figure = _figure(" ".join(words[first:]), table)
        if found is not None and group is not None and figure is not None:
            text = found.said(figure=figure[0], group=group)
            return said.put(found, f"{' '.join(words[:first])} {text}", "" if found["function"] else figure[1])
    return None


def told_in_percent(said: Speech, table: Table) -> Speech | None:
    """Say "number of invoices by status in percent" as the share of each status."""
    for found in said.find_each(table.wording("told_in_percent")):
        group = columns.label(found["group"], table)
        if group is None:
            continue
        if columns.is_row(found["what"], table, table.words("one_row")):
            return said.put(found, found.said("rows", group=group))
        column = columns.measured(found["what"], table)
        if column is not None and table.context.adds_up(column) is True:
            return said.put(found, found.said("amount", column=column, group=group))
    return None


def distribution_within(said: Speech, table: Table) -> Speech | None:
    """Say "grade distribution by crop" as the number of rows of each grade within each crop."""
    for found in said.find_each(table.wording("distribution_within")):
        column, group = columns.label(found["what"], table), columns.label(found["group"], table)
        if column is not None and group is not None and column != group:
            way = "percent" if found["percent"] else "numbers"
            return said.put(found, found.said(way, column=column, group=group))
    return None


def per_row_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "units per receipt by branch" as the average of the rows, where each row is one receipt."""
    found = said.find(table.wording("per_row_of_each"))
    key = columns.named(found["noun"], table) if found else None
    column = columns.measured(found["what"], table) or pieces_of(found["what"], table) if found else None
    if found is None or key is None or column is None or table.context.is_measure(key):
        return None
    if not table.context.is_key(key):
        return None
    return said.put(found, found.said(column=column), f"Each row is one `{key}`.")


def _figure(what: str, table: Table) -> tuple[str, str] | None:
    """Return what is computed of each group, and what was assumed."""
    if columns.is_row(what, table):
        return table.say("number_of_rows"), ""
    column = columns.measured(what, table) or pieces_of(what, table)
    if column is None:
        return None
    sums = columns.is_summed(column, table)
    note = f"You did not say how to combine `{column}`, so it was {'summed' if sums else 'averaged'}."
    return table.say("total" if sums else "average_of", column=column), note


def above_the_average_of_all(said: Speech, table: Table) -> Speech | None:
    """Say "agents with a higher average csat than the overall average" as an average above that of all rows."""
    found = said.find(table.wording("above_the_average_of_all"))
    column = columns.measured(found["what"], table) if found else None
    if found is None or column is None or found.meant("mean") != found.meant("other_mean"):
        return None
    return said.put(found, found.said(found.meant("side"), column=column, mean=Term(found.meant("mean"))))


def defined_behind(said: Speech, table: Table) -> Speech | None:
    """Say "damage rate per shift: damaged units divided by quantity" as the calculation, by shift."""
    found = said.find(table.wording("defined_behind"))
    if found is None or columns.label(found["group"], table) is None:
        return None
    if Speech(found["calculation"]).find(table.wording("calculating")) is None:
        return None
    note = f"“{found['name']}” is taken to be “{found['calculation']}”."
    return said.put(found, found.said(), note)
