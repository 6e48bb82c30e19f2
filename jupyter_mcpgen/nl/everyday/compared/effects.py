"""One column set beside another: "does length differ between species", "how does survival depend on class"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.times.periods import has_dates

WITHOUT_UNIT = 0.7
"""How surely "humidity" names `hum_pct`."""
FEW_GROUPS = 30
"""A number with more values than this makes no groups to set side by side."""


def set_beside(said: Speech, table: Table) -> Speech | None:
    """Say "does X differ between Y" and "does Y affect X" as the average, or the rate, of X by Y."""
    found = said.find(table.wording("set_beside"))
    if found is not None and not found["rest"] and _both_figures(found["what"], found["by"], table):
        return said.put(found, found.said("together"))
    if found is None or not _groups(found["by"], table):
        return None
    note = "The groups are set side by side; that they differ is neither tested nor explained by this."
    flag = _flag(found["what"], table)
    if flag is not None:
        return said.put(found, found.said("share", column=flag), note)
    column = columns.named(found["what"], table, SHORTENED)
    if column is None or not columns.is_figure(column, table):
        return None
    way = "sum" if found["varies"] and table.context.adds_up(column) else "figure"
    return said.put(found, found.said(way, column=column), note)


def growth_of_groups(said: Speech, table: Table) -> Speech | None:
    """Say "growth of population by region" as that over the years, where the only times are a column of years."""
    found = said.find(table.wording("growth_of_groups"))
    years = table.context.years
    if (
        found is None
        or len(years) != 1
        or table.context.dates
        or columns.label(found["group"], table) in (None, *years)
    ):
        return None
    column = columns.measured(found["what"], table)
    note = f"Each `{years[0]}` is compared with the one before it."
    return said.put(found, found.said(column=column, year=years[0]), note) if column is not None else None


def _both_figures(first: str, second: str, table: Table) -> bool:
    """Tell whether two figures may go together: neither makes groups."""
    named = [columns.named(text, table, WITHOUT_UNIT) for text in (first, second)]
    return all(name is not None and columns.is_figure(name, table) for name in named) and not _groups(second, table)


def how_long(said: Speech, table: Table) -> Speech | None:
    """Say "how long do patients wait" as the average of the column that tells it."""
    found = said.find(table.wording("how_long"))
    column = measure_of_verb(found.folded("verb"), table) if found else None
    if found is None or column is None or table.context.adds_up(column) is True:
        return None
    if found["who"] and not columns.is_person(found["who"], table):
        return None
    return said.put(found, found.said(column=column), f"How long is taken to be the average `{column}`.")


def changed_between(said: Speech, table: Table) -> Speech | None:
    """Say "how did revenue change from 2021 to 2022" as the change between the years, not as what lies in between."""
    found = said.find(table.wording("changed_between"))
    column = columns.named(found["what"], table, SHORTENED) if found else None
    if found is None or column is None or not table.context.is_measure(column):
        return None
    return said.put(found, found.said("mean" if found["average"] else "sum"))


def changed(said: Speech, table: Table) -> Speech | None:
    """Say "how did revenue in Oslo change" as revenue in Oslo over time."""
    found = said.find(table.wording("changed"))
    column = columns.named(found["what"], table, SHORTENED) if found else None
    if found is None or column is None or not table.context.is_measure(column):
        return None
    years = table.context.years if not has_dates(table) else ()
    by = table.say("by_column", column=years[0]) if len(years) == 1 else table.say("over_time")
    way = "mean" if table.context.adds_up(column) is False else "sum"
    return said.put(found, found.said(way, column=column, by=by))


def spread_by(said: Speech, table: Table) -> Speech | None:
    """Say "income distribution by department" as a summary of income in each department."""
    found = said.find(table.wording("spread_by"))
    column = columns.named(found["what"], table, SHORTENED) if found else None
    if found is None or column is None or not columns.is_figure(column, table) or not _groups(found["by"], table):
        return None
    note = f"How `{column}` is spread is told by its mean, median, smallest and largest value in each group."
    return said.put(found, found.said(column=column), note)


def _flag(text: str, table: Table) -> str | None:
    """Return the yes-or-no column that words name, or that the one word for its yes is about."""
    if columns.named(text, table, SHORTENED) is not None:
        return columns.flag_named(text, table, SHORTENED)
    side = side_of(text, table) if len(text.split()) == 1 else None
    return side[0] if side is not None and side[1] else None


def _groups(text: str, table: Table) -> bool:
    """Tell whether words name a column to group by, or periods."""
    context = table.context
    if columns.is_period(text, table) and has_dates(table):
        return True
    column = columns.named(text, table, SHORTENED)
    if column is None or context.names_rows(column) or columns.holds_dates(column, table):
        return False
    return not context.is_measure(column) or context.column(column).distinct <= FEW_GROUPS
