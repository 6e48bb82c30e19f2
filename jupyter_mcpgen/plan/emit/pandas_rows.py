"""Writes which rows of the source meet all conditions and count, so that a tool can say how many it left out."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.plan.columns import columns_in
from jupyter_mcpgen.plan.cut import Cut
from jupyter_mcpgen.plan.emit.pandas import write_steps
from jupyter_mcpgen.plan.emit.pandas_expressions import predicate_text
from jupyter_mcpgen.plan.emit.pandas_figures import FINITE
from jupyter_mcpgen.plan.emit.pandas_writer import FRAME, Writer
from jupyter_mcpgen.plan.expressions import Col, Columns, IsIn
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Derive,
    Describe,
    Pivot,
    Rename,
    Resample,
    Select,
    Sort,
    Step,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.sources import Union
from jupyter_mcpgen.plan.statistics import (
    CorrelationMatrix,
    Correlations,
    FigureStatistic,
    MissingValues,
    TwoColumns,
    TwoGroups,
)

_KEEPS_ROWS = (Sort, Select, Derive, Window, Rename)
"""Steps that leave no row out."""


@dataclass(frozen=True)
class RowsUsed:
    """The body of a function that returns the rows used, and how to write the columns whose gaps add nothing."""

    body: str
    measured: tuple[str, ...]

    @property
    def is_all(self) -> bool:
        """True where every row of the table is used."""
        return self.body == f"return {FRAME}"


def emit_rows_used(plan: Plan) -> RowsUsed | None:
    """Return how to find the rows that a result is made of before it is cut to its first; None without one such number.

    That is where each pair of columns has rows of its own, and where a join, columns or lists make rows that no file
    has.
    """
    cut = Cut(plan)
    pairwise = isinstance(cut.step, Correlations | CorrelationMatrix)
    unpaired = isinstance(cut.step, TwoColumns) and not cut.step.test.is_paired
    if pairwise or unpaired or plan.reshaping or not isinstance(plan.second, Union | None):
        return None
    before = plan.with_steps(_needed(cut))
    writer = write_steps(before)
    _leave_out(cut, before.result_schema, writer)
    measured = dict.fromkeys(writer.table.name(column) for measure in cut.measures for column in columns_in(measure))
    return RowsUsed("\n".join(_returned(writer)), tuple(measured))


def _returned(writer: Writer) -> list[str]:
    *statements, last = writer.statements or [""]
    if not writer.chain and last.startswith(f"{writer.frame} = "):
        return [*statements, f"return {last.removeprefix(f'{writer.frame} = ')}"]
    return [*writer.statements, f"return {writer.value}"]


def _needed(cut: Cut) -> tuple[Step, ...]:
    """Return the steps before the figures, without those at the end that change neither the rows nor what is read."""
    looked_at = cut.keys or cut.measures or isinstance(cut.step, FigureStatistic)
    needless = (Sort,) if looked_at else _KEEPS_ROWS
    steps = list(cut.before)
    while steps and isinstance(steps[-1], needless):
        steps.pop()
    return tuple(steps)


def _leave_out(cut: Cut, schema: Schema, writer: Writer) -> None:
    """Leave out the rows that belong to no group, or that a statistic cannot use."""
    match cut.step:
        case Aggregate(by=by) | Describe(by=by) | TopPerGroup(by=by):
            _present(writer, *_listed(by, writer))
        case Resample(name=name, by=by):
            _present(writer, writer.names[name], *_listed(by, writer))
        case Pivot(by=by, column=column, values=values, parameter=parameter):
            _only(IsIn(operand=column, values=values, parameter=parameter), schema, writer)
            _present(writer, *_listed(by, writer))
        case MissingValues():
            return
        case _ if isinstance(cut.step, FigureStatistic):
            _usable(cut.step, schema, writer)


def _usable(step: FigureStatistic, schema: Schema, writer: Writer) -> None:
    named = [getattr(step, field) for field in type(step).model_fields]
    columns = [value for value in named if isinstance(value, Col)]
    groups = [name for value in named if isinstance(value, Columns) for name in _listed(value, writer)]
    _present(writer, *groups, *(writer.table.name(column) for column in columns if column.name in step.labels))
    if step.numbers:
        table = writer.name_it("present")
        numbers = ", ".join(table.name(column) for column in columns if column.name in step.numbers)
        values = f'{table.frame}[[{numbers}]].astype("float64")'
        writer.replace("usable", f"{table.frame}[({values}{FINITE}).all(axis=1)]")
    if isinstance(step, TwoGroups):
        _only(IsIn(operand=step.group, values=(step.first, step.second)), schema, writer)


def _only(condition: IsIn, schema: Schema, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.replace("listed", f"{table.frame}[{predicate_text(condition, schema, table)}]")


def _present(writer: Writer, *names: str) -> None:
    """Leave out the rows without a value in one of some columns; a name with a star is a parameter's list."""
    if len(names) == 1 and names[0].startswith("*"):
        writer.chain.append(f".dropna(subset={names[0].removeprefix('*')})")
    elif names:
        writer.chain.append(f".dropna(subset=[{', '.join(dict.fromkeys(names))}])")


def _listed(columns: Columns, writer: Writer) -> tuple[str, ...]:
    if columns.parameter is not None:
        return (f"*{columns.parameter}",)
    return tuple(writer.names[name] for name in columns.names)
