"""Which groups are looked at: "only drivers with at least 5 trips: …", "min 50 orders"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def only_groups(said: Speech, table: Table) -> Speech | None:
    """Say "only drivers with at least 5 trips: average delay" as the average by driver, of those groups."""
    found = said.find(table.wording("only_groups"))
    group = columns.entity(found["group"], table) if found else None
    if found is None or group is None or not columns.is_row(found["what"], table):
        return None
    parts = {"asked": found["asked"], "group": group, "side": found["side"], "n": found.meant("n")}
    return said.put(found, found.said(**parts))


def at_least_so_many(said: Speech, table: Table) -> Speech | None:
    """Say "min 50 orders" behind groups as those that have at least 50."""
    found = said.find(table.wording("at_least_so_many"))
    if found is None or not columns.is_row(found["what"], table) or not table.groups(said.before(found)):
        return None
    side = found["side"] if found["side"] else table.say("at_least")
    return said.put(found, found.said(side=side, n=found.meant("n")))


def top_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "top source in each department" as the one with the most rows there."""
    found = said.find(table.wording("top_of_each"))
    if found is None or columns.is_plural(found["what"], table):
        return None
    column, group = columns.entity(found["what"], table), columns.entity(found["group"], table)
    if column is None or group is None or column == group:
        return None
    note = f"“{found['end']}” is taken to mean the most rows."
    return said.put(found, found.said(column=column, group=group), note)


USUAL_KEPT = "10"
"""How many are shown where the question names several, and no number."""


def best_with_enough(said: Speech, table: Table) -> Speech | None:
    """Say "which director has the highest average rating with at least 10 movies" as the first of those directors."""
    found = said.find(table.wording("best_with_enough"))
    group = columns.label(found["group"], table) if found else None
    if found is None or group is None or not columns.is_row(found["rows"], table):
        return None
    if found["word"]:
        quality, highest = table.vocabulary.by_adjective[found.folded("word")]
        column = columns.ranking(quality.columns, table)
        figure = Term.AVERAGE
    else:
        column, highest = columns.figure(found["what"], table), found.meant("end") == Term.HIGHEST
        figure = Term(found.meant("f")) if found["f"] else Term.AVERAGE
    if column is None or (figure is Term.AVERAGE and not found["f"] and columns.is_summed(column, table)):
        return None
    several = columns.is_plural(found["group"], table)
    count = found.meant("n") or (USUAL_KEPT if several else "1")
    limit = found.said("limit", side=found.meant("side"), k=found.meant("k"))
    end = Term.TOP if highest else Term.BOTTOM
    parts = {"group": f"`{group}`", "figure": figure, "column": column, "rest": limit}
    note = f"The {figure} `{column}` is compared, of each `{group}` with {found['side']} {found['k']} rows."
    return said.put(found, table.say("first_groups", n=count, end=end, **parts), note)
