"""Writes the steps that make figures of rows: aggregates, periods without gaps, a column per value."""

from __future__ import annotations

from collections.abc import Mapping

from jupyter_mcpgen.plan.check import period_of, schema_after
from jupyter_mcpgen.plan.emit.pandas_expressions import (
    Table,
    keyword,
    literal_text,
    mask_text,
    names_of_list,
    value_text,
)
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import (
    ZERO_WHEN_EMPTY,
    Aggregate,
    AggregateFunction,
    Measure,
    Pivot,
    Resample,
)
from jupyter_mcpgen.plan.schema import ColumnType, Schema

_METHODS = {AggregateFunction.COUNT_DISTINCT: "nunique"}
_FREQUENCIES = {
    DateUnit.START_OF_YEAR: "YS",
    DateUnit.START_OF_QUARTER: "QS",
    DateUnit.START_OF_MONTH: "MS",
    DateUnit.START_OF_WEEK: "W-MON",
    DateUnit.START_OF_DAY: "D",
}


def write_aggregate(step: Aggregate, schema: Schema, writer: Writer) -> None:
    """Write one row per group, or one row of totals."""
    measured = _measured(step.measures, writer.table)
    keys = names_of_list(step.by, writer.names)
    if not step.by.names:
        table = writer.name_it("table")
        cells = ", ".join(f"{measured[m.name]}: [{_whole(m, schema, table)}]" for m in step.measures)
        writer.frame, writer.chain = f"pd.DataFrame({{{cells}}})", []
    else:
        _write_groups(writer.table.list(step.by), step.measures, schema, writer)
    writer.names = keys | measured


def _write_groups(by: str, measures: tuple[Measure, ...], schema: Schema, writer: Writer) -> None:
    """Write one row per group."""
    met = _mark_rows(measures, schema, writer)
    grouped = f".groupby({by}, observed=True)"
    figures = {_measure_name(m, writer.table): _figure(m, met, writer.table) for m in measures}
    if len(measures) == 1:
        ((name, figure),) = figures.items()
        writer.chain += [grouped, figure, f".reset_index(name={name})"]
        return
    writer.chain.append(grouped)
    writer.replace("groups", writer.value)
    cells = ", ".join(f"{name}: groups{figure}" for name, figure in figures.items())
    writer.frame, writer.chain = f"pd.DataFrame({{{cells}}})", [".reset_index()"]


def _measured(measures: tuple[Measure, ...], table: Table) -> dict[str, str]:
    return {measure.name: _measure_name(measure, table) for measure in measures}


def _mark_rows(measures: tuple[Measure, ...], schema: Schema, writer: Writer) -> dict[str, str]:
    """Add a column for each condition of a measure, and return what it is called by the measure's name."""
    marked = [measure for measure in measures if measure.where is not None]
    if not marked:
        return {}
    names: dict[str, str] = {}
    for measure in marked:
        name = measure.name
        while name in writer.names or name in names.values():
            name += "_"
        names[measure.name] = name
    known = writer.names
    table = writer.name_it("table")
    writer.assign("marked", {names[m.name]: _met(m, schema, table) for m in marked})
    writer.names = known
    return {measure: repr(name) for measure, name in names.items()}


def _met(measure: Measure, schema: Schema, table: Table) -> str:
    if measure.where is None:
        return f"len({table.frame})"
    mask = mask_text(measure.where, schema, table)
    return f"{mask} * 100" if measure.function is AggregateFunction.PERCENT else mask


def _figure(measure: Measure, met: Mapping[str, str], table: Table) -> str:
    """Write what makes one figure of each group; `met` names the columns that tell which rows meet a condition."""
    if measure.name in met:
        return f"[{met[measure.name]}].{_of_condition(measure)}"
    if measure.column is None:
        return ".size()"
    match measure.function:
        case AggregateFunction.MODE:
            method = "agg(lambda values: values.mode().min())"
        case AggregateFunction.FIRST | AggregateFunction.LAST:
            method = f"{measure.function.value}()"
        case _:
            method = _call(measure)
    return f"[{table.name(measure.column)}].{method}"


def _of_condition(measure: Measure) -> str:
    return "sum()" if measure.function is AggregateFunction.COUNT else "mean()"


def _measure_name(measure: Measure, table: Table) -> str:
    """Write the name of a result column, which follows the column's where that is a parameter's value."""
    fixed = measure.column is None or measure.label is not None
    if measure.column is None or fixed or table.name(measure.column) == repr(measure.column.name):
        return repr(measure.name)
    column = table.name(measure.column)
    return f'f"{measure.stem}_{{{column}}}"' if measure.column.parameter else f'"{measure.stem}_" + {column}'


def _whole(measure: Measure, schema: Schema, table: Table) -> str:
    if measure.where is not None:
        return f"({_met(measure, schema, table)}).{_of_condition(measure)}"
    if measure.column is None:
        return f"len({table.frame})"
    return f"{table.column(measure.column)}.{_call(measure)}"


def _call(measure: Measure) -> str:
    match measure.function:
        case AggregateFunction.SUM:
            return "sum(min_count=1)"
        case AggregateFunction.QUANTILE:
            return f"quantile({measure.fraction!r})"
        case AggregateFunction.MODE:
            return "mode().min()"
        case AggregateFunction.FIRST:
            return "dropna().head(1).min()"
        case AggregateFunction.LAST:
            return "dropna().tail(1).min()"
        case _:
            return f"{_METHODS.get(measure.function, measure.function.value)}()"


def write_resample(step: Resample, schema: Schema, writer: Writer) -> None:
    """Write one row per period, then put in the periods that no row lies in."""
    period = repr(step.name)
    expression = period_of(step).expression
    writer.assign("derived", {step.name: value_text(expression, schema, writer.name_it("table"))})
    measured = _measured(step.measures, writer.table)
    others = writer.table.list(step.by)
    keys = {step.name: period} | names_of_list(step.by, writer.names)
    by = f"[{period}, *{others}]" if step.by.parameter else f"[{', '.join(keys.values())}]"
    _write_groups(by, step.measures, schema_after(period_of(step), schema), writer)
    writer.chain.append(f".set_index({by if step.by.names else period})")
    zero = {m.name: measured[m.name] for m in step.measures if m.function in ZERO_WHEN_EMPTY}
    is_all_zero = len(zero) == len(step.measures)
    if step.by.names or (zero and not is_all_zero):
        writer.replace("grouped", writer.value)
    filled = [argument(n, w, f"grouped[{w}]{_with_gaps(step, is_zero=True)}") for n, w in zero.items()]
    writer.chain.append(_with_gaps(step, is_zero=is_all_zero))
    writer.chain += [f".assign({', '.join(filled)})"] if filled and not is_all_zero else []
    writer.chain.append(".reset_index()")
    if step.by.names:
        _write_every_period(step, writer)
        writer.chain.append(f".sort_values({by}, ignore_index=True)")
    writer.names = keys | measured


def _with_gaps(step: Resample, *, is_zero: bool) -> str:
    """Write that figures by period get the periods that no row lies in, where they are 0 or missing."""
    zero = ", fill_value=0" if is_zero else ""
    return f".reindex(every{zero})" if step.by.names else f'.asfreq("{_FREQUENCIES[step.unit]}"{zero})'


def _write_every_period(step: Resample, writer: Writer) -> None:
    """Write the periods from the first to the last, each with every group of the other columns, as an index `every`.

    No name written here is one of a parameter: a window over these rows has one that is called `periods`.
    """
    period = repr(step.name)
    others = f"grouped.index.droplevel({period}).unique().to_frame(index=False)"
    crossed = f'calendar.to_frame(index=False).merge({others}, how="cross")'
    writer.statements += [
        f'calendar = grouped.index.unique({period}).to_frame().asfreq("{_FREQUENCIES[step.unit]}").index',
        f"every = pd.MultiIndex.from_frame({crossed})",
    ]


def argument(name: str, written: str, value: str) -> str:
    """Write an argument for a column of a name, which is `written` as an expression where it follows a parameter."""
    return keyword(name, value) if written == repr(name) else f"**{{{written}: {value}}}"


def write_pivot(step: Pivot, schema: Schema, writer: Writer) -> None:
    """Write one row per group with a column per value."""
    measure = step.measure
    table = writer.name_it("table")
    column = table.name(step.column)
    values = step.parameter or f"[{', '.join(literal_text(value) for value in step.values)}]"
    writer.replace("kept", f"{table.frame}[{table.column(step.column)}.isin({values})]")
    met = _mark_rows((measure,), schema, writer)
    keys = names_of_list(step.by, writer.names)
    by = f"[*{step.by.parameter}, {column}]" if step.by.parameter else f"[{', '.join([*keys.values(), column])}]"
    groups = f"{writer.frame}.groupby({by}, observed=True)"
    zero = f"fill_value={_zero(measure, schema)}" if measure.function in ZERO_WHEN_EMPTY else ""
    columns = ", ".join(filter(None, (f"columns={values}", zero)))
    cells = f"{groups}{_figure(measure, met, table)}"
    writer.replace("wide", f"{cells}.unstack({zero}).reindex({columns})")
    names = f"[str(value) for value in {step.parameter}]" if step.parameter else repr(list(step.names))
    writer.statements.append(f"wide.columns = {names}")
    writer.chain.append(".reset_index()")
    shown = {name: f"str({step.parameter}[{i}])" if step.parameter else repr(name) for i, name in enumerate(step.names)}
    writer.names = keys | shown


def _zero(measure: Measure, schema: Schema) -> str:
    """Write 0 as a count or a sum of a column is: a whole number or a real one."""
    is_real = measure.column is not None and schema.type_of(measure.column.name) is ColumnType.REAL
    return "0.0" if is_real and measure.function is AggregateFunction.SUM else "0"
