"""A part of the rows by their order: "top 10% of orders by revenue"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term

WHOLE = 100


def best_part(said: Speech, table: Table) -> Speech | None:
    """Say "top 10% of orders by revenue" as the orders whose revenue is at least its 90th percentile."""
    found = said.find(table.wording("best_part"))
    column = columns.figure(found["by"], table) if found else None
    if found is None or column is None:
        return None
    if not (columns.is_row(found["what"], table, table.words("one_row")) or columns.dates_rows(found["what"], table)):
        return said.refusing(found.said("refused", what=found["what"], share=f"{found['end']} {found['n']}%"))
    part, is_top = float(found["n"]), Term(found.meant("end")) is Term.HIGHEST
    if not 0 < part < WHOLE:
        return None
    nth = f"{WHOLE - part if is_top else part:g}"
    note = f"Those are the rows with `{column}` at {'or above' if is_top else 'or below'} its {nth}th percentile."
    way = "top" if is_top else "bottom"
    return said.put(found, found.said(way, what=table.say("rows"), column=column, nth=nth, rest=found["rest"]), note)
