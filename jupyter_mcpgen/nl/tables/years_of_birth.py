"""The column of the years in which people were born, from which an age follows only with a year to count from."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.schema import ColumnType


def year_of_birth(context: Context, births: frozenset[str]) -> str | None:
    """Return the one column of whole numbers that is called a year and by one of the words for births; None else."""
    year = m.Unit(DateUnit.START_OF_YEAR)
    years = [
        name
        for name, own in context.column_words.items()
        if context.type_of(name) is ColumnType.INTEGER
        and births & set(own)
        and any(year in context.lexicon.meanings(word) for word in own)
    ]
    return years[0] if len(years) == 1 else None
