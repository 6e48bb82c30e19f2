"""The tables that a SELECT may read, by the names that the SQL gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from jupyter_mcpgen.plan.emit.duckdb_expressions import labels
from jupyter_mcpgen.plan.schema import Schema


@dataclass(frozen=True)
class Granted:
    """One table: its columns, and which of them have a value in every row.

    A plan read from SQL means the same as the SQL wherever the `complete` columns are complete.
    """

    schema: Schema
    complete: frozenset[str] = frozenset()

    @cached_property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """What SQL calls each column, and its name."""
        return tuple((label, name) for name, label in labels(self.schema.names).items())


Tables = Mapping[str, Granted]


def find_table(name: str, tables: Tables) -> str | None:
    """Return the granted table that SQL means by a name, without regard to case."""
    folded = {known.casefold(): known for known in tables}
    return name if name in tables else folded.get(name.casefold())
