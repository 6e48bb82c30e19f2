"""Writes how columns come below each other, and lists by member: `melt` and `explode`."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.reshaping import MEMBER, Members, Reshaping, Unpivot
from jupyter_mcpgen.plan.schema import ColumnType, Schema


def write_reshaping(step: Reshaping, schema: Schema, writer: Writer) -> None:
    """Write the other rows of a table; what follows works on them."""
    match step:
        case Unpivot():
            _write_unpivot(step, schema, writer)
        case Members():
            _write_members(step, writer)
        case _:
            assert_never(step)


def _write_unpivot(step: Unpivot, schema: Schema, writer: Writer) -> None:
    """Write the columns whose names fit, as `df.filter` finds them in any table, below each other."""
    table = writer.name_it("table")
    name, value = repr(step.name), repr(step.value)
    writer.statements.append(f"periods = {table.frame}.filter(regex={step.names.pattern!r}).columns")
    others = f"{table.frame}.columns.difference(periods, sort=False)"
    writer.replace("long", f"{table.frame}.melt({others}, periods, var_name={name}, value_name={value})")
    taken = step.columns(schema)
    writer.names = {known: text for known, text in writer.names.items() if known not in taken}
    writer.names = {**writer.names, step.name: name, step.value: value}
    typed = _typed(step, f"long[{name}]")
    if typed is not None:
        writer.assign("long", {step.name: typed})
    types = {schema.type_of(column) for column in taken}
    if types == {ColumnType.INTEGER, ColumnType.REAL}:
        writer.chain.append(f'.astype({{{value}: "float64"}})')


def _typed(step: Unpivot, texts: str) -> str | None:
    """Write the periods as values of their type; None where the names are that already."""
    names, form = step.names, step.names.form
    if names.is_bare and form.type is ColumnType.TEXT:
        return None
    period = texts if names.is_bare else f"{texts}.str.extract({names.pattern!r})[0]"
    match form.type:
        case ColumnType.INTEGER:
            return f'{period}.astype("int64")'
        case ColumnType.DATE if "%q" in form.value:
            year_first = form.value.startswith("%Y")
            parts = r"^(\d{4})\W?_?Q(\d)$" if year_first else r"^Q(\d)[\W_](\d{4})$"
            both = r"\1Q\2" if year_first else r"\2Q\1"
            quarters = f'pd.PeriodIndex({period}.str.replace({parts!r}, {both!r}, regex=True), freq="Q")'
            return f"{quarters}.to_timestamp()"
        case ColumnType.DATE:
            return f"pd.to_datetime({period}, format={form.value!r})"
        case _:
            return f'{period}.astype("str")'


def _write_members(step: Members, writer: Writer) -> None:
    """Write the different members of each row's list, then the rows that they belong to."""
    table = writer.name_it("table")
    name = table.name(step.column)
    taken_apart = (
        f".str.findall({MEMBER!r})" if step.separator is None else f".str.split({step.separator!r}, regex=False)"
    )
    writer.statements += [
        f'members = {table.frame}[{name}]{taken_apart}.explode().astype("str").str.strip()',
        'members = members[members.str.len() > 0].rename("member").rename_axis("row")',
        "members = members.reset_index().drop_duplicates()",
    ]
    writer.replace("rows", f'{table.frame}.loc[members["row"]].reset_index(drop=True)')
    writer.assign("rows", {step.column.name: 'members["member"].array'})
