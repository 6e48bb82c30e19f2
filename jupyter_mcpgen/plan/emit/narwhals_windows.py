"""Writes the steps that look at a row's place in an order: the first of each group, windows."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.emit.narwhals_engines import Ability
from jupyter_mcpgen.plan.emit.narwhals_writer import Key, Writer, column, over
from jupyter_mcpgen.plan.ops import Sort, SortKey, TopPerGroup, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType, Schema


def write_sort(step: Sort, writer: Writer) -> None:
    """Let the rows be ordered by some columns; they are sorted when it matters."""
    writer.order_by(tuple(_key(key, writer) for key in step.keys))


def _key(key: SortKey, writer: Writer) -> Key:
    """Return what a key orders by: its column, or the places of its texts in their own order."""
    if not key.order:
        return Key(key.column, key.descending)
    place = writer.new_name()
    branches = "".join(
        f".when({column(key.column)} == {text!r}).then(nw.lit({position}))" for position, text in enumerate(key.order)
    )
    writer.add([(place, f"nw{branches}")])
    return Key(place, key.descending)


def write_top_per_group(step: TopPerGroup, writer: Writer) -> None:
    """Write the first rows of each group, group by group."""
    writer.need(Ability.PLACES, "the first rows of each group")
    by = step.by.names
    writer.chain.append(f".drop_nulls([{', '.join(map(repr, by))}])")
    writer.order_by(tuple(_key(key, writer) for key in step.keys))
    places = writer.places(writer.known_order("the first ones"))
    one, number = writer.new_name(), writer.new_name()
    writer.add([(one, "nw.lit(1)")])
    writer.add([(number, f"{column(one)}.cum_sum(){over(by, places)}")])
    writer.chain.append(f".filter({column(number)} <= {step.count})")
    writer.order = (*(Key(name) for name in by), *(key for key in writer.order if key.column not in by))
    writer.is_sorted = False


def write_window(step: Window, schema: Schema, writer: Writer) -> None:
    """Write a column that compares each row with others."""
    by = step.by.names
    places: list[str] = []
    writer.need(Ability.PLACES, f"`{step.function.value}`")
    if step.function is WindowFunction.QUANTILE:
        writer.refuse("a quantile beside each row")
    if step.function is WindowFunction.STD:
        writer.need(Ability.SPREADS, "a standard deviation beside each row")
    if step.function.is_ordered:
        keys = writer.known_order("a comparison with the rows before")
        if step.order is not None:
            first = _key(step.order, writer)
            keys = (first, *(key for key in keys if key.column != first.column))
        places = writer.places(keys)
    source = column(step.column.name)
    if step.column.name in by:  # a window over groups of its own values
        source = column(copy := writer.new_name())
        writer.add([(copy, column(step.column.name))])
    value = _value(step, schema, source, over(by, places))
    needed = list(by)
    if not (step.function.is_figure or step.function in (WindowFunction.LAG, WindowFunction.MOVING_AVERAGE)):
        needed.append(step.column.name)
    if needed:
        present = " & ".join(f"~{column(name)}.is_null()" for name in dict.fromkeys(needed))
        value = f"nw.when({present}).then({value})"
    writer.free(step.name)
    writer.add([(step.name, value)])
    writer.show(step.name)
    writer.is_sorted = False


def _value(step: Window, schema: Schema, source: str, over_: str) -> str:
    real = source if schema.type_of(step.column.name) is ColumnType.REAL else f"{source}.cast(nw.Float64)"
    match step.function:
        case WindowFunction.RANK:
            downwards = ", descending=True" if step.descending else ""
            return f'{source}.rank("min"{downwards}){over_}.fill_null(0).cast(nw.Int64)'
        case WindowFunction.RUNNING_TOTAL:
            return f"{source}.cum_sum(){over_}"
        case WindowFunction.MOVING_AVERAGE:
            return f"{real}.rolling_mean({step.size}){over_}"
        case WindowFunction.LAG:
            return f"{source}.shift({step.size}){over_}"
        case WindowFunction.CHANGE:
            return f"{source} - {source}.shift({step.size}){over_}"
        case WindowFunction.PERCENT_CHANGE:
            before = f"{real}.shift({step.size}){over_}"
            return f"nw.when({before} != 0).then(({real} / {before} - 1) * 100)"
        case WindowFunction.SHARE | WindowFunction.PERCENT:
            total = f"{real}.sum(){over_}"
            share = f"{real} / {total}"
            part = f"{share} * 100" if step.function is WindowFunction.PERCENT else share
            return f"nw.when({total} != 0).then({part})"
        case (
            WindowFunction.MEAN | WindowFunction.MEDIAN | WindowFunction.STD | WindowFunction.MIN | WindowFunction.MAX
            | WindowFunction.QUANTILE
        ):  # fmt: skip
            figure = f"{real}.{step.function.value}({'ddof=1' if step.function is WindowFunction.STD else ''}){over_}"
            close = f"({real} - {figure}).abs() <= 1e-9 * {figure}.abs()"
            return f"nw.when({close}).then({real}).otherwise({figure})"
        case _:
            assert_never(step.function)
