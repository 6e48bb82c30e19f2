"""The best of those groups that have enough rows: "best rated director with at least 10 movies"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term

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
