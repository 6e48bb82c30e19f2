"""The code written so far: its statements, the variable that holds the table, and how to name its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jupyter_mcpgen.plan.emit.pandas_expressions import Table, keyword

FRAME = "df"


@dataclass
class Writer:
    """The statements so far, the variable that holds the table, and the methods chained onto it."""

    frame: str = FRAME
    chain: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=dict)
    """How to write the name of each column of the current table."""

    @property
    def value(self) -> str:
        """The current table as an expression."""
        return f"({self.frame}{''.join(self.chain)})" if self.chain else self.frame

    @property
    def table(self) -> Table:
        """The variable and the names of its columns."""
        return Table(self.frame, self.names)

    def name_it(self, name: str) -> Table:
        """Give the current table a variable, so that an expression may refer to it."""
        if self.chain or not self.frame.isidentifier():
            self.statements.append(f"{name} = {self.value}")
            self.frame, self.chain = name, []
        return self.table

    def replace(self, name: str, expression: str) -> None:
        """Make an expression the current table."""
        self.statements.append(f"{name} = {expression}")
        self.frame, self.chain = name, []

    def assign(self, name: str, columns: Mapping[str, str]) -> None:
        """Make the current table with columns added, or put in place of others, the current table."""
        table = self.name_it("table")
        if "self" in columns:  # the one name that no keyword of `assign` can have
            self.replace(name, f"{table.frame}.copy()")
            self.statements += [f"{name}[{column!r}] = {value}" for column, value in columns.items()]
        else:
            arguments = ", ".join(keyword(column, value) for column, value in columns.items())
            self.replace(name, f"{table.frame}.assign({arguments})")
        self.names = {**self.names, **{column: repr(column) for column in columns}}
