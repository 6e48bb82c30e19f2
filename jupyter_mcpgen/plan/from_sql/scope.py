"""What the columns that a SELECT names mean: where each comes from, and what it became after grouping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from jupyter_mcpgen.plan.from_sql.nodes import DIALECT
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.symbols import Symbol
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import SortKey


@dataclass
class Relation:
    """The rows of a table, a subquery or a CTE, with the columns that it shows; SQL does not mind capitals in names."""

    rows: Rows
    columns: tuple[tuple[str, Symbol], ...]
    is_ordered: bool = False
    """True where an ORDER BY says in which order the rows come."""
    keys: tuple[SortKey, ...] = ()
    """What its ORDER BY names; rows that are equal in all of that may come in any order."""


@dataclass
class Scope:
    """The columns that a SELECT may name: `origin.name` for each, in order."""

    origins: list[tuple[str, tuple[tuple[str, Symbol], ...]]]
    hidden: frozenset[tuple[str, str]] = frozenset()
    """Columns that `*` does not show, because USING made them one with another."""
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    """What the SELECT list calls its values, in lower case, for where SQL lets them be named."""
    grouped: Mapping[str, Symbol] | None = None
    """After grouping: what a key or an aggregate became, by how it is written."""

    def find(self, column: exp.Column) -> Symbol | None:
        """Return what a column of the FROM clause is; raises `CannotHold` where two tables have it."""
        table, name = column.table.casefold(), column.name.casefold()
        found = [
            (origin, symbol)
            for origin, columns in self.origins
            for known, symbol in columns
            if known.casefold() == name and (not table or origin.casefold() == table)
        ]
        shown = [each for each in found if table or (each[0].casefold(), name) not in self.hidden]
        if len(shown) > 1:
            raise CannotHold(f"`{column.name}` is a column of two tables. Say of which one.")
        return shown[0][1] if shown else found[0][1] if found else None

    def signature(self, node: exp.Expr) -> str:
        """Return how a part of SQL is written, whatever its columns are called there."""

        def replaced(each: exp.Expr) -> exp.Expr:
            if isinstance(each, exp.Column):
                known = self.find(each)
                if known is not None:
                    return exp.var(f"<{known!r}>")
            return each

        return node.copy().transform(replaced).sql(dialect=DIALECT)
