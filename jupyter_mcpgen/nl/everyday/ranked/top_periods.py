"""Rankings of periods and by periods: "top 3 months by revenue", "which season has the most cyclists per day"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.everyday.times.periods import has_dates


def top_periods(said: Speech, table: Table) -> Speech | None:
    """Say "top 3 months by revenue" as the first 3 of the figure by month, where no column has these periods."""
    found = said.find(table.wording("top_periods"))
    named = columns.named(found["unit"], table) if found is not None else None
    if found is None or not has_dates(table) or (named is not None and not columns.holds_dates(named, table)):
        return None
    what, one_row = found["what"], table.words("one_row")
    counted = columns.is_row(what, table, one_row) or columns.repeated_key(what, table) is not None
    if found["many"] and not counted and columns.figure(what, table) is None:
        return None
    figure = table.say("number_of", what=what) if counted else _calculated(what, table)
    least = found.meant("end") == Term.LOWEST or found.meant("many") == Term.FEWEST
    end = Term.BOTTOM if least else Term.TOP
    return said.put(found, found.said(end=end, n=found.meant("n"), figure=figure, unit=found.meant("unit")))


def _calculated(what: str, table: Table) -> str:
    """Return a figure with what is calculated of it where nothing is said: amounts are added up, rates averaged."""
    if what.split()[0].casefold() in table.words("functions"):
        return what
    column = columns.figure(what, table)
    averaged = column is not None and table.context.adds_up(column) is False
    return table.say("average_named" if averaged else "total_named", what=what)


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
