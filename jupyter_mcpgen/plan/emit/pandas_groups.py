"""Writes the steps that make figures of rows: aggregates, periods without gaps, a column per value."""

from __future__ import annotations

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

_METHODS = {
    AggregateFunction.COUNT: "count",
    AggregateFunction.COUNT_DISTINCT: "nunique",
    AggregateFunction.RATE: "mean",
    AggregateFunction.PERCENT: "mean",
}
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
    by = writer.table.list(step.by)
    if not step.by.names:
        table = writer.name_it("table")
        cells = ", ".join(f"{measured[m.name]}: [{_whole(m, schema, table)}]" for m in step.measures)
        writer.frame, writer.chain = f"pd.DataFrame({{{cells}}})", []
    elif step.measures == (Measure(function=AggregateFunction.COUNT),):
        writer.chain += [f".groupby({by}, observed=True)", '.size().reset_index(name="count")']
    else:
        _write_groups(by, keys[step.by.names[0]], step.measures, schema, writer)
    writer.names = keys | measured


def _write_groups(by: str, first: str, measures: tuple[Measure, ...], schema: Schema, writer: Writer) -> None:
    """Write one row per group; `first` is the name of a column that every row of a group has a value in."""
    met = _mark_rows(measures, schema, writer)
    cells = []
    for measure in measures:
        column = met.get(measure.name) or (first if measure.column is None else writer.table.name(measure.column))
        value = f"({column}, {_method(measure)})"
        name = _measure_name(measure, writer.table)
        cells.append(keyword(measure.name, value) if name == repr(measure.name) else f"**{{{name}: {value}}}")
    writer.chain += [f".groupby({by}, as_index=False, observed=True)", f".agg({', '.join(cells)})"]


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


def _method(measure: Measure) -> str:
    """Write how a group's values become one: a method by name, or a function of them."""
    match measure.function:
        case AggregateFunction.COUNT if measure.where is not None:
            return repr("sum")
        case AggregateFunction.COUNT if measure.column is None:
            return repr("size")
        case AggregateFunction.QUANTILE:
            return f"lambda values: values.quantile({measure.fraction!r})"
        case AggregateFunction.MODE:
            return "lambda values: values.mode().min()"
        case _:
            return repr(_METHODS.get(measure.function, measure.function.value))


def _measure_name(measure: Measure, table: Table) -> str:
    """Write the name of a result column, which follows the column's where that is a parameter's value."""
    fixed = measure.column is None or measure.label is not None
    if measure.column is None or fixed or table.name(measure.column) == repr(measure.column.name):
        return repr(measure.name)
    column = table.name(measure.column)
    return f'f"{measure.stem}_{{{column}}}"' if measure.column.parameter else f'"{measure.stem}_" + {column}'


def _whole(measure: Measure, schema: Schema, table: Table) -> str:
    if measure.where is not None:
        method = "sum" if measure.function is AggregateFunction.COUNT else "mean"
        return f"({_met(measure, schema, table)}).{method}()"
    if measure.column is None:
        return f"len({table.frame})"
    return f"{table.column(measure.column)}.{_call(measure)}"


def _call(measure: Measure) -> str:
    match measure.function:
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
    _write_groups(by, period, step.measures, schema_after(period_of(step), schema), writer)
    writer.replace("grouped", writer.value)
    gaps = f'.set_index({period}).asfreq("{_FREQUENCIES[step.unit]}").reset_index()'
    if step.by.names:
        writer.replace("every_period", f"grouped[[{period}]].drop_duplicates(){gaps}")
        writer.chain = [
            f'.merge(grouped[{others}].drop_duplicates(), how="cross")',
            '.merge(grouped, how="left")',
            f".sort_values({by}, ignore_index=True)",
        ]
    else:
        writer.chain.append(gaps)
    fill_with_zero(step.measures, measured, schema, writer)
    writer.names = keys | measured


def fill_with_zero(measures: tuple[Measure, ...], measured: dict[str, str], schema: Schema, writer: Writer) -> None:
    """Write that a count or a sum of no rows is 0."""
    zeros = [m for m in measures if m.function in ZERO_WHEN_EMPTY]
    whole = [measured[m.name] for m in zeros if _is_whole(m, schema)]
    if zeros:
        writer.chain.append(f".fillna({{{', '.join(f'{measured[m.name]}: 0' for m in zeros)}}})")
    if whole:
        kinds = ", ".join(f'{name}: "int64"' for name in whole)
        writer.chain.append(f".astype({{{kinds}}})")


def _is_whole(measure: Measure, schema: Schema) -> bool:
    """Tell whether a count or a sum is a whole number."""
    if measure.function is not AggregateFunction.SUM or measure.column is None:
        return True
    return schema.type_of(measure.column.name) is not ColumnType.REAL


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
    counted = measure.function is AggregateFunction.COUNT and measure.column is None and measure.where is None
    figure = met.get(measure.name) or ("" if measure.column is None else table.name(measure.column))
    cells = f"{groups}.size()" if counted else f"{groups}[{figure}].agg({_method(measure)})"
    writer.replace("wide", f"{cells}.unstack().reindex(columns={values})")
    names = f"[str(value) for value in {step.parameter}]" if step.parameter else repr(list(step.names))
    writer.statements.append(f"wide.columns = {names}")
    if measure.function in ZERO_WHEN_EMPTY:
        writer.chain.append('.fillna(0).astype("int64")' if _is_whole(measure, schema) else ".fillna(0.0)")
    writer.chain.append(".reset_index()")
    shown = {name: f"str({step.parameter}[{i}])" if step.parameter else repr(name) for i, name in enumerate(step.names)}
    writer.names = keys | shown
