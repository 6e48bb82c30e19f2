"""Groups ranked by how much they have in a day, a week or a month: "which season has the most cyclists per day"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def most_per_period(said: Speech, table: Table) -> Speech | None:
    """Say "which season has the most cyclists per day" as the average daily total of each season.

    The best season of each day is asked for by "for each day".
    """
    found = said.find(table.wording("most_per_period"))
    if found is None or columns.label(found["group"], table) is None:
        return None
    column = columns.figure(found["what"], table)
    if column is not None and columns.is_summed(column, table):
        figure = found.said("total", column=column)
    elif columns.is_row(found["what"], table, table.words("one_row")):
        figure = table.say("number_of_rows")
    else:
        return None
    asked = found.said(found.meant("end"), figure=figure, adverb=found.meant("unit"))
    return said.put(found, asked, found.said("note", unit=found["unit"], group=found["group"]))
