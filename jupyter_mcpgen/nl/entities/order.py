"""In which order the rows of a table come, where a column says it."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.nl.tables.year_and_month import months_with_rows
from jupyter_mcpgen.nl.words.forms import split_name

FIRST_YEAR, LAST_YEAR = 1000, 2100
"""Whole numbers outside of these are no years."""


def order_of_rows(table: Table) -> str | None:
    """Return the column by which rows come one after the other: their date, their year or their number; None without.

    Where there are several years, such as those of a beginning and an end, it is the one that begins first.
    """
    context = table.context
    if context.dates:
        return context.dates[0] if len(context.dates) == 1 else own_date(context)
    years = [name for name in context.column_words if _is_year(name, table)]
    if years and months_with_rows(context):
        return None  # the year alone does not order the months
    if years:
        return min(years, key=lambda name: (context.column(name).minimum or 0, context.column(name).maximum or 0))
    numbered = [name for name, own in context.column_words.items() if set(own) <= table.words("numbers_of_rows")]
    numbered = [name for name in numbered if context.is_key(name) and context.is_number(name)]
    return numbered[0] if len(numbered) == 1 else None


def _is_year(name: str, table: Table) -> bool:
    """Tell whether a column holds years: by what is known of it, or by a verb of beginnings: `Took office`."""
    context, own = table.context, table.context.column(name)
    if not context.is_whole(name) or own.distinct < 2:
        return False
    if own.kind is Kind.YEAR or name in context.years:
        return True
    begins = bool(set(split_name(name)) & table.words("beginning_in_years"))
    return begins and own.minimum >= FIRST_YEAR and own.maximum <= LAST_YEAR
