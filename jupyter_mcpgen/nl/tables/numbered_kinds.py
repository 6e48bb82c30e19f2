"""Columns of a few whole numbers, each of which may be a kind: the `cylinders` of cars, the `origin` 1 to 3."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.schema import ColumnType

MOST_LIKE_LABELS = 20
"""A whole number with at most so many values can be a category."""


def is_like_a_label(name: str, context: Context) -> bool:
    """Tell whether a number has so few whole values that each can be a category."""
    return context.type_of(name) is ColumnType.INTEGER and context.column(name).distinct <= MOST_LIKE_LABELS
