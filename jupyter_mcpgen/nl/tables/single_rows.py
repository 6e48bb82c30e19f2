"""Labels that name the rows of a table one by one."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl.context import Context


def names_single_rows(name: str, context: Context) -> bool:
    """Tell whether the rows are told apart by a label, as by the `plant` of a table of plants."""
    alone = context.column(name).role is Role.IDENTIFIER and has_one_row_each(name, context)
    return alone or context.names_rows(name)


def has_one_row_each(name: str, context: Context) -> bool:
    """Tell whether each value of a label is in one row only."""
    known = context.column(name)
    return known.distinct + known.nulls >= context.profile.rows
