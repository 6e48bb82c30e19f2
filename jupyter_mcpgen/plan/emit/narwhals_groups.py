"""Writes the steps that make figures of rows: aggregates, a column per value, a summary of columns.

Every engine groups by columns and takes one plain figure of each; so conditions become columns first, and figures of
figures come after.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from jupyter_mcpgen.plan.emit.narwhals_engines import Ability
from jupyter_mcpgen.plan.emit.narwhals_expressions import literal_text, predicate_text
from jupyter_mcpgen.plan.emit.narwhals_writer import Key, Writer, column, named, over
from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Describe, Measure, Pivot
from jupyter_mcpgen.plan.schema import ColumnType, Schema

_ABILITIES = {
    AggregateFunction.COUNT_DISTINCT: Ability.DISTINCT_COUNTS,
    AggregateFunction.MEDIAN: Ability.QUANTILES,
    AggregateFunction.QUANTILE: Ability.QUANTILES,
    AggregateFunction.STD: Ability.SPREADS,
    AggregateFunction.VAR: Ability.SPREADS,
}
_QUARTILES = {"q25": 0.25, "median": 0.5, "q75": 0.75}


@dataclass
class _Figures:
    """The columns that figures need, made one after the other, the figures of each group, and what is made of these."""

    by: tuple[str, ...]
    marked: list[list[tuple[str, str]]] = field(default_factory=lambda: [[], [], []])
    grouped: list[tuple[str, str]] = field(default_factory=list)
    results: list[tuple[str, str]] = field(default_factory=list)


def write_aggregate(step: Aggregate, schema: Schema, writer: Writer) -> None:
    """Write one row per group, or one row of totals."""
    figures = _Figures(step.by.names)
    for measure in step.measures:
        _add(measure, measure.name, schema, writer, figures)
    _write_groups(figures, writer)


def _write_groups(figures: _Figures, writer: Writer) -> None:
    by = figures.by
    for marked in figures.marked:
        writer.add(marked)
    cells = ", ".join(named(value, name) for name, value in figures.grouped)
    if by:
        keys = ", ".join(map(repr, by))
        writer.chain.append(f".group_by({keys}, drop_null_keys=True).agg({cells})")
    else:
        writer.chain.append(f".select({cells})")
    if figures.results != [(name, column(name)) for name, _ in figures.grouped]:
        results = [*map(repr, by), *(value for _, value in figures.results)]
        writer.chain.append(f".select({', '.join(results)})")
    names = (*by, *(name for name, _ in figures.results))
    writer.became(names, tuple(Key(name) for name in by), by)


def _add(
    measure: Measure, name: str, schema: Schema, writer: Writer, figures: _Figures, only: str | None = None
) -> None:
    """Add what a measure needs; `only` is a condition on the rows it counts."""
    if measure.where is not None or measure.column is None:
        _add_rows(measure, name, schema, writer, figures, only)
        return
    function, source = measure.function, measure.column.name
    type_ = schema.type_of(source)
    if function in _ABILITIES:
        writer.need(_ABILITIES[function], f"`{measure.name}`")
    value = _one_or_zero(source) if type_ is ColumnType.BOOLEAN and _is_sum(function) else column(source)
    if only is not None or value != column(source):
        source = writer.new_name()
        figures.marked[0].append((source, value if only is None else f"nw.when({only}).then({value})"))
    cell = column(source)
    match function:
        case AggregateFunction.COUNT_DISTINCT:
            distinct, there, rows = (writer.new_name() for _ in range(3))
            figures.grouped += [(distinct, f"{cell}.n_unique()"), (there, f"{cell}.count()"), (rows, "nw.len()")]
            missing = f"({column(there)}.cast(nw.Int64) < {column(rows)}.cast(nw.Int64))"
            there_ = f"{column(distinct)}.cast(nw.Int64) - {missing}.cast(nw.Int64)"
            figures.results.append((name, named(there_, name)))
            return
        case AggregateFunction.SKEW | AggregateFunction.KURT:
            writer.refuse(f"`{measure.name}`: its skewness and kurtosis are those of the whole population")
        case AggregateFunction.STD | AggregateFunction.VAR:
            written = f"{cell}.{function.value}(ddof=1)"
        case AggregateFunction.QUANTILE:
            written = f'{cell}.quantile({measure.fraction!r}, interpolation="linear")'
        case AggregateFunction.MODE:
            written = f"{column(_most_frequent(source, writer, figures))}.min()"
        case AggregateFunction.FIRST | AggregateFunction.LAST:
            is_first = function is AggregateFunction.FIRST
            written = f"{column(_at_an_end(source, is_first, writer, figures))}.max()"
        case _:
            written = f"{cell}.{function.value}()"
    is_whole = function is AggregateFunction.COUNT or (
        function is AggregateFunction.SUM and type_ is not ColumnType.REAL
    )
    figures.grouped.append((name, written))
    result = f"{column(name)}.cast(nw.Int64)" if is_whole else column(name)
    if function is AggregateFunction.SUM:
        result = named(_of_some_values(result, cell, only, writer, figures), name)
    figures.results.append((name, result))


def _of_some_values(total: str, cell: str, only: str | None, writer: Writer, figures: _Figures) -> str:
    """Return a total that is missing where no value is there, and 0 where `only` leaves no row."""
    there = writer.new_name()
    figures.grouped.append((there, f"{cell}.count()"))
    some = f"nw.when({column(there)}.cast(nw.Int64) > 0).then({total})"
    if only is None:
        return some
    mark, rows = writer.new_name(), writer.new_name()
    figures.marked[0].append((mark, f"nw.when({only}).then(1)"))
    figures.grouped.append((rows, f"{column(mark)}.count()"))
    return f"{some}.when({column(rows)}.cast(nw.Int64) == 0).then(0)"


def _most_frequent(source: str, writer: Writer, figures: _Figures) -> str:
    """Add a column that has those values of a group that occur most often, and return its name."""
    writer.need(Ability.PLACES, "the most frequent value")
    often, chosen = writer.new_name(), writer.new_name()
    keys = dict.fromkeys([*figures.by, source])
    figures.marked[1].append((often, f"{column(source)}.count(){over(keys)}"))
    most = f"{column(often)}.max(){over(figures.by)}"
    figures.marked[2].append((chosen, f"nw.when({column(often)} == {most}).then({column(source)})"))
    return chosen


def _at_an_end(source: str, is_first: bool, writer: Writer, figures: _Figures) -> str:
    """Add a column that has the first or last value of a group that is there, and return its name."""
    writer.need(Ability.PLACES, f"the {'first' if is_first else 'last'} value")
    key = writer.number(f"the {'first' if is_first else 'last'} value")
    place, chosen = writer.new_name(), writer.new_name()
    end = "min" if is_first is not key.descending else "max"
    figures.marked[1].append((place, f"nw.when(~{column(source)}.is_null()).then({column(key.column)})"))
    reached = f"{column(place)} == {column(place)}.{end}(){over(figures.by)}"
    figures.marked[2].append((chosen, f"nw.when({reached}).then({column(source)})"))
    return chosen


def _one_or_zero(truth: str) -> str:
    return f"nw.when({column(truth)}).then(1).when(~{column(truth)}).then(0)"


def _is_sum(function: AggregateFunction) -> bool:
    return function in (AggregateFunction.SUM, AggregateFunction.MEAN)


def _add_rows(measure: Measure, name: str, schema: Schema, writer: Writer, figures: _Figures, only: str | None) -> None:
    """Add a number of rows, or the part of them that meets a condition."""
    is_count = measure.function is AggregateFunction.COUNT
    if measure.where is None and only is None:
        figures.grouped.append((name, "nw.len()"))
    else:
        unit = "100.0" if measure.function is AggregateFunction.PERCENT else "1" if is_count else "1.0"
        zero = "0" if is_count else "0.0"
        met = "" if measure.where is None else predicate_text(measure.where, schema, writer)
        value = f"nw.when({met}).then({unit}).otherwise({zero})" if met else f"nw.lit({unit})"
        mark = writer.new_name()
        figures.marked[0].append((mark, value if only is None else f"nw.when({only}).then({value})"))
        figures.grouped.append((name, f"{column(mark)}.{'sum' if is_count else 'mean'}()"))
    figures.results.append((name, f"{column(name)}.cast(nw.Int64)" if is_count else column(name)))


def write_pivot(step: Pivot, schema: Schema, writer: Writer) -> None:
    """Write one row per group with a column per value: each is a figure of the rows that have it."""
    listed = ", ".join(literal_text(value) for value in step.values)
    writer.chain.append(f".filter({column(step.column.name)}.is_in([{listed}]))")
    figures = _Figures(step.by.names)
    for value, name in zip(step.values, step.names, strict=True):
        _add(step.measure, name, schema, writer, figures, only=_equals(step.column.name, value))
    _write_groups(figures, writer)


def _equals(name: str, value: Lit) -> str:
    return f"{column(name)} == {literal_text(value)}"


def write_describe(step: Describe, schema: Schema, writer: Writer) -> None:
    """Write one row per number column, one below the other."""
    writer.need(Ability.QUANTILES, "quartiles")
    if step.by.names:
        writer.refuse("a summary of each group")
    table = writer.name_it("table")
    place = writer.new_name()
    rows = []
    for position, name in enumerate(step.columns.names):
        real = "" if schema.type_of(name) is ColumnType.REAL else ".cast(nw.Float64)"
        number = f"{column(name)}{real}"
        cells = {
            "column": f"nw.lit({name!r})",
            "count": f"{number}.count().cast(nw.Int64)",
            "missing": f"{number}.is_null().cast(nw.Int64).sum().cast(nw.Int64)",
            "mean": f"{number}.mean()",
            "std": f"{number}.std(ddof=1)",
            "min": f"{number}.min()",
            **{label: f'{number}.quantile({part}, interpolation="linear")' for label, part in _QUARTILES.items()},
            "max": f"{number}.max()",
            place: f"nw.lit({position})",
        }
        figures = ", ".join(f"{value}.alias({label!r})" for label, value in cells.items() if value.startswith("nw.col"))
        labels = ", ".join(f"{value}.alias({label!r})" for label, value in cells.items() if value.startswith("nw.lit"))
        rows.append(f"{table}.select({figures}).with_columns({labels})")
    names = ("column", "count", "missing", "mean", "std", "min", *_QUARTILES, "max")
    writer.frame = f"nw.concat([{', '.join(rows)}])"
    writer.chain = []
    writer.became((*names, place), (Key(place),), (place,))
    writer.visible = names
