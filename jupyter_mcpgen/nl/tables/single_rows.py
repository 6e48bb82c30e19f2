"""Labels that name the rows of a table one by one."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl.context import Context


def names_single_rows(name: str, context: Context) -> bool:
    """Tell whether each row has its own value of a label, as the `plant` of a table of plants."""
    known = context.column(name)
    alone = known.role is Role.IDENTIFIER and known.distinct + known.nulls >= context.profile.rows
    return alone or context.names_rows(name)
