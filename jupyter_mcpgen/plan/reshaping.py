"""Steps that make other rows of a table before anything is asked of them: columns below each other, lists by member."""

from __future__ import annotations

from typing import Literal

from jupyter_mcpgen.errors import PlanError, WrongType
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.period_names import PeriodNames
from jupyter_mcpgen.plan.schema import ColumnType, Field, Node, Schema

MEMBER = r'"([^"]*)"'
"""A member of a list in JSON, as both engines find it: whatever the cell is, what stands in no quotes is no member."""


class Unpivot(Node):
    """Put the columns that are called by periods below each other: one row per period and row, in this order.

    Which columns these are follows from their names, so a table with one period more gives the rows of that, too. The
    period is in the column `name`, the cell in `value`, after the other columns. A missing cell stays a row.
    """

    kind: Literal["unpivot"] = "unpivot"
    names: PeriodNames
    name: str
    value: str

    @property
    def made(self) -> tuple[str, ...]:
        """The columns that it makes."""
        return (self.name, self.value)

    @property
    def present(self) -> tuple[str, ...]:
        """The columns that it makes and that have a value in every row."""
        return (self.name,)

    def columns(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns of a table that it puts below each other."""
        return self.names.among(schema.names)


class Members(Node):
    """Put the members of each list in a column below each other: a row per row and different member, in their order.

    Lists are texts with a `separator`, or in JSON where there is none. Members are taken without outer spaces; an empty
    one is none, and a row without any is left out.
    """

    kind: Literal["members"] = "members"
    column: Col
    separator: str | None = None

    @property
    def made(self) -> tuple[str, ...]:
        """The columns that it makes: the members stand in the place of their lists."""
        return (self.column.name,)

    @property
    def present(self) -> tuple[str, ...]:
        """The columns that it makes and that have a value in every row."""
        return self.made

    def columns(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns of a table that it takes apart."""
        schema.type_of(self.column.name)
        return (self.column.name,)


Reshaping = Unpivot | Members


def schema_after_reshaping(step: Reshaping, schema: Schema) -> Schema:
    """Return the columns after a step; raises `PlanError` where a table has no such columns, or their names already."""
    if isinstance(step, Members):
        if schema.type_of(step.column.name) is not ColumnType.TEXT:
            raise WrongType(f"`{step.column.name}` is not text, so it holds no lists.")
        if step.separator == "":
            raise PlanError(f"The lists of `{step.column.name}` need a separator.")
        return schema
    taken = step.columns(schema)
    if not taken:
        example = f"{step.names.before}{step.names.form}{step.names.after}"
        raise PlanError(f"No column is called by a {step.names.form.unit}, as in `{example}`.")
    for name in taken:
        try:
            step.names.period(name)
        except ValueError as error:
            raise PlanError(f"The column `{name}` is called by no {step.names.form.unit} that there is.") from error
    for made in step.made:
        if made in schema.names or step.name == step.value:
            raise PlanError(f"There is a column `{made}` already. Rename it first.")
    kept = tuple(field for field in schema.fields if field.name not in taken)
    period = Field(name=step.name, type=step.names.form.type)
    return Schema(fields=(*kept, period, Field(name=step.value, type=_type_of_all(taken, schema))))


def _type_of_all(names: tuple[str, ...], schema: Schema) -> ColumnType:
    """Return the one type of some columns, of whole and real numbers the real ones; raises `WrongType`."""
    types = {name: schema.type_of(name) for name in names}
    kinds = set(types.values())
    if kinds == {ColumnType.INTEGER, ColumnType.REAL}:
        return ColumnType.REAL
    if len(kinds) > 1:
        first = names[0]
        other = next(name for name in names if types[name] is not types[first])
        raise WrongType(
            f"`{first}` is {types[first].value} and `{other}` is {types[other].value}, so their values cannot stand "
            "in one column. Convert one of them first."
        )
    return kinds.pop()
