"""Writes what is read of a frame, and how the rows of a second one, the variable `other`, come to it."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.emit.narwhals_engines import Ability, Below
from jupyter_mcpgen.plan.emit.narwhals_expressions import DTYPES
from jupyter_mcpgen.plan.emit.narwhals_groups import write_aggregate
from jupyter_mcpgen.plan.emit.narwhals_writer import Key, Writer, column, named
from jupyter_mcpgen.plan.ops import FIGURES, ZERO_WHEN_EMPTY
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, Summary, Union

FRAME = "df"
OTHER = "other"


def write_source(plan: Plan, order: str | None, writer: Writer) -> None:
    """Write what is read of the frame, each column as the plan takes it, and the second table if there is one."""
    match plan.second:
        case None:
            _read(FRAME, plan.source_schema, _needed(plan), order, writer)
        case Join():
            writer.need(Ability.JOINS, f"a second table, `{plan.second.other}`")
            if plan.second.how is JoinKind.OUTER:
                writer.refuse(f"the rows of `{plan.second.other}` without a match below those of the first table")
            _read(FRAME, plan.second.first_schema, plan.second.first_schema.names, order, writer)
            _write_join(plan.second, order, writer)
        case Summary():
            writer.need(Ability.JOINS, f"a second table, `{plan.second.other}`")
            if writer.below is Below.DASK:
                writer.refuse(f"figures of `{plan.second.other}` beside the rows of the first table")
            _read(FRAME, plan.second.typed_schemas[0], plan.second.first_schema.names, order, writer)
            _write_summary(plan.second, order, writer)
        case Union():
            writer.refuse(f"the rows of `{plan.second.other}` below those of the first table")
        case _:
            assert_never(plan.second)


def _needed(plan: Plan) -> tuple[str, ...]:
    """Return the columns that figures are made of, or all where the rows are shown."""
    names = plan.source_schema.names
    if not any(isinstance(step, FIGURES) for step in plan.steps):
        return names
    used = used_columns(plan)
    return tuple(name for name in names if name in used) or names[:1]


def _read(frame: str, schema: Schema, needed: tuple[str, ...], order: str | None, writer: Writer) -> None:
    cells = [_cell(name, schema, writer) for name in needed]
    carried = needed
    if order is not None:
        place = writer.new_name()
        cells.append(named(column(order), place))
        carried = (*needed, place)
        writer.number_by(place)
    writer.frame = f"nw.from_native({frame})"
    writer.chain = [".lazy()", *_without_zones(schema, needed, writer.below)]
    writer.select(cells, carried)
    writer.visible = schema.names


def _without_zones(schema: Schema, names: tuple[str, ...], below: Below) -> list[str]:
    has_dates = any(schema.type_of(name) is ColumnType.DATE for name in names)
    selected = '.with_columns(ncs.datetime(time_zone="*").dt.replace_time_zone(None))'
    return [selected] if has_dates and not below.is_pandas else []


def _cell(name: str, schema: Schema, writer: Writer) -> str:
    """Write a column as the type that the plan takes it for; a number that is none is a missing value."""
    type_ = schema.type_of(name)
    match type_:
        case ColumnType.INTEGER | ColumnType.BOOLEAN if writer.below is Below.DASK:
            return column(name)  # its casts fail beside missing values, and it adds up in 64 bits anyway
        case ColumnType.DATE if writer.below.is_pandas:  # narwhals does not know the type of a moment in a zone there
            return f"{column(name)}.dt.replace_time_zone(None).cast({DTYPES[type_]})"
        case ColumnType.REAL:
            return f"{column(name)}.cast({DTYPES[type_]}).fill_nan(None)"
        case _:
            return f"{column(name)}.cast({DTYPES[type_]})"


def _write_join(join: Join, order: str | None, writer: Writer) -> None:
    """Write a join by copies of the keys; a row of the second table without a key has no match, so it is left out."""
    first, other, types = join.first_schema, join.other_schema, join.schema_
    keys = {writer.new_name(): pair for pair in join.keys}
    place = writer.new_name()
    cells = {key: _as_real(_cell(p.second.name, other, writer), join.is_mixed(p)) for key, p in keys.items()}
    for old, new in join.taken.items():
        cells[new] = _as_real(_cell(old, other, writer), types.type_of(new) is not other.type_of(old))
    if order is not None:
        cells[place] = column(order)
    zones = "".join(_without_zones(other, other.names, writer.below))
    listed = ", ".join(map(repr, keys))
    shown = ", ".join(named(value, name) for name, value in cells.items())
    matches = f"nw.from_native({OTHER}).lazy(){zones}.select({shown}).drop_nulls([{listed}])"
    writer.statements.append(f"matches = {matches}")
    writer.add((key, _as_real(column(pair.first.name), join.is_mixed(pair))) for key, pair in keys.items())
    table = writer.name_it("table")
    if join.relation.first_is_unique:
        writer.statements += _once(table, "first", listed, place)
    if join.relation.second_is_unique:
        writer.statements += _once("matches", "second", listed, place)
    writer.chain.append(f'.join(matches, on=[{listed}], how="{join.how.value}")')
    if join.how.adds_columns:
        writer.carried = (*writer.carried, *join.taken.values(), *([] if order is None else [place]))
        real = [f.name for f in first.fields if f.type is not types.type_of(f.name)]
        writer.add((name, _as_real(column(name), is_mixed=True)) for name in real)
        writer.visible = types.names
        if order is not None:
            writer.order = (*writer.order, Key(place))
            writer.unique = frozenset(key.column for key in writer.order)


def _write_summary(summary: Summary, order: str | None, writer: Writer) -> None:
    """Write figures of each key of the second table, joined to the first by copies of the keys."""
    other, keys = summary.typed_schemas[1], {writer.new_name(): pair for pair in summary.keys}
    grouped = Writer(below=writer.below, spare=f"{writer.spare}of_", frame=OTHER)
    _read(OTHER, other, other.names, order, grouped)
    write_aggregate(summary.grouped, other, grouped)
    figures = summary.figures
    shown = [named(column(pair.second.name), key) for key, pair in keys.items()]
    found = writer.new_name()
    shown += [*(repr(figure.name) for figure in figures), named("nw.lit(1)", found)]
    writer.statements += [*grouped.statements, f"summary = {grouped.value}.select({', '.join(shown)})"]
    writer.add((key, column(pair.first.name)) for key, pair in keys.items())
    listed = ", ".join(map(repr, keys))
    table = writer.name_it("table")
    if summary.relation.first_is_unique:
        writer.statements += _once(table, "first", listed, writer.new_name())
    writer.chain.append(f'.join(summary, on=[{listed}], how="left")')
    writer.carried = (*writer.carried, *(figure.name for figure in figures))
    no_rows = f"{column(found)}.is_null()"
    writer.add(
        (f.name, f"nw.when({no_rows}).then(0).otherwise({column(f.name)})")
        for f in figures
        if f.function in ZERO_WHEN_EMPTY
    )
    writer.visible = summary.schema_.names


def _once(table: str, which: str, keys: str, count: str) -> list[str]:
    """Write that no two rows of a table may have the same key."""
    repeated = f"{table}.group_by({keys}).agg(nw.len().alias({count!r})).filter({column(count)} > 1).collect()"
    return [f"if len({repeated}):", f'    raise ValueError("A key of the {which} table names several of its rows.")']


def _as_real(value: str, is_mixed: bool) -> str:
    return f"{value}.cast(nw.Float64)" if is_mixed else value
