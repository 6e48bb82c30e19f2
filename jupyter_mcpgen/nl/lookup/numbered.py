"""Tells which columns number the rows or hold their times, and which limits are limits of time."""

from __future__ import annotations

from jupyter_mcpgen.nl.lookup.amounts import Bound
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.plan.schema import ColumnType


def numbers_rows(column: str, table: Table) -> bool:
    """Tell whether a column counts the rows from its first number on, as the `game` 1 to 64 of 64 games does."""
    known, context = table.context.column(column), table.context
    if context.type_of(column) is not ColumnType.INTEGER or not context.is_key(column) or holds_time(column, table):
        return False
    return (
        known.minimum is not None
        and known.maximum is not None
        and known.minimum > 0  # nobody numbers from 0: so many medals
        and known.maximum - known.minimum + 1 == table.profile.rows
    )


def is_sequence(column: str, table: Table) -> bool:
    """Tell whether a column numbers what follows each other, as weeks and games do."""
    return bool(table.vocabulary.sequences & {*table.names.headers[column].words})


def is_in_time(bound: Bound, scene: Scene, table: Table) -> bool:
    """Tell whether a comparison with "than" is one of times: "later than", which no amount is."""
    said = {scene.words[i].text for i in bound.words}
    return bool(said & table.vocabulary.limits.times and said & table.vocabulary.limits.like_than)


def holds_time(column: str, table: Table) -> bool:
    """Tell whether a column is called like a time."""
    return "time" in table.kinds[column]
