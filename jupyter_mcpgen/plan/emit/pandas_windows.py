"""Writes the steps that look at a row's place in an order: sorts, the first of each group, windows."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.ops import Sort, SortKey, TopPerGroup, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType, Schema

_ZERO_IS_MISSING = '.replace(0, float("nan"))'
_ROUNDED = '.astype(float).map("{:.12g}".format).astype(float)'
"""Real numbers to twelve digits: totals that only rounding keeps apart share a rank."""


def write_sort(step: Sort, writer: Writer) -> None:
    """Write a stable sort."""
    names = [_key(key, writer) for key in step.keys]
    descending = [key.descending for key in step.keys]
    if len(names) == 1:
        order = "" if not descending[0] else ", ascending=False"
        by = names[0] + _by_place(step.keys[0].order)
        writer.chain.append(f'.sort_values({by}{order}, kind="stable", ignore_index=True)')
    else:
        ascending = "" if not any(descending) else f", ascending={[not d for d in descending]}"
        writer.chain.append(f".sort_values([{', '.join(names)}]{ascending}, ignore_index=True)")


def write_top_per_group(step: TopPerGroup, writer: Writer) -> None:
    """Write the first rows of each group."""
    by = writer.table.list(step.by)
    keys = ", ".join(_key(key, writer) for key in step.keys)
    flags = [not key.descending for key in step.keys]
    if step.by.parameter is None:
        order = f"[{by[1:-1]}, {keys}], ascending={[True] * len(step.by.names) + flags}"
    else:
        order = f"[*{by}, {keys}], ascending=[*[True] * len({by}), {str(flags)[1:-1]}]"
    writer.chain += [
        f".dropna(subset={by})",
        f".sort_values({order})",
        f".groupby({by}, observed=True)",
        f".head({step.parameter or step.count})",
        ".reset_index(drop=True)",
    ]


def write_window(step: Window, schema: Schema, writer: Writer) -> None:
    """Write a column that compares each row with others; it finds its rows by their index."""
    frame = writer.name_it("table").frame
    if step.order is not None and step.function.is_ordered:
        order = ", ascending=False" if step.order.descending else ""
        writer.statements.append(f'ordered = {frame}.sort_values({_key(step.order, writer)}{order}, kind="stable")')
        frame = "ordered"
    column = f"{frame}[{writer.table.name(step.column)}]"
    if step.function.is_figure:
        value = _figure(step, frame, column, writer)
    elif step.function is WindowFunction.RANK and schema.type_of(step.column.name) is ColumnType.REAL:
        writer.statements.append(f"values = {column}{_ROUNDED}")
        value = _in_groups(step, "values", _grouped_values(step, frame, writer))
    elif not step.by.names:
        value = _among_all(step, column)
    else:
        by = writer.table.list(step.by)
        value = _in_groups(step, column, f"{frame}.groupby({by}, observed=True)[{writer.table.name(step.column)}]")
    writer.assign("derived", {step.name: value})


def _figure(step: Window, frame: str, column: str, writer: Writer) -> str:
    """Write a figure of all values, which is the row's own where rounding alone keeps the two apart."""
    # one figure of no rows is of no type yet
    writer.statements.append(f'values = pd.to_numeric({column}).astype("float64")')
    among = _in_groups(step, "values", _grouped_values(step, frame, writer))
    writer.statements.append(f"figure = {among if step.by.names else _among_all(step, 'values')}")
    return "values.where((values - figure).abs() <= 1e-9 * abs(figure), figure)"


def _grouped_values(step: Window, frame: str, writer: Writer) -> str:
    """Write the variable `values` in the groups of a step, or as it is without groups."""
    if not step.by.names:
        return "values"
    if step.by.parameter is not None:
        keys = f"[{frame}[name] for name in {step.by.parameter}]"
    else:
        keys = f"[{', '.join(f'{frame}[{writer.names[name]}]' for name in step.by.names)}]"
    return f"values.groupby({keys}, observed=True)"


def _among_all(step: Window, column: str) -> str:
    match step.function:
        case WindowFunction.MOVING_AVERAGE:
            return f"{column}.rolling({_size(step)}).mean()"
        case WindowFunction.SHARE | WindowFunction.PERCENT:
            share = f'{column} / ({column}.sum() or float("nan"))'
            return f"{share} * 100" if step.function is WindowFunction.PERCENT else share
        case (
            WindowFunction.MEAN | WindowFunction.MEDIAN | WindowFunction.STD | WindowFunction.MIN | WindowFunction.MAX
            | WindowFunction.QUANTILE
        ):  # fmt: skip
            return f"{column}.{step.function.value}({'' if step.fraction is None else repr(step.fraction)})"
        case _:
            return _in_groups(step, column, column)


def _in_groups(step: Window, column: str, groups: str) -> str:
    match step.function:
        case WindowFunction.RANK:
            order = ", ascending=False" if step.descending else ""
            return f'{groups}.rank(method="min"{order}).astype("Int64")'
        case WindowFunction.RUNNING_TOTAL:
            return f"{groups}.cumsum()"
        case WindowFunction.MOVING_AVERAGE:
            return f"{groups}.transform(lambda values: values.rolling({_size(step)}).mean())"
        case WindowFunction.LAG:
            return f"{groups}.shift({_size(step)})"
        case WindowFunction.CHANGE:
            return f"{groups}.diff({_size(step)})"
        case WindowFunction.PERCENT_CHANGE:
            return f"({column} / {groups}.shift({_size(step)}){_ZERO_IS_MISSING} - 1) * 100"
        case WindowFunction.SHARE | WindowFunction.PERCENT:
            share = f'{column} / {groups}.transform("sum"){_ZERO_IS_MISSING}'
            return f"{share} * 100" if step.function is WindowFunction.PERCENT else share
        case (
            WindowFunction.MEAN | WindowFunction.MEDIAN | WindowFunction.STD | WindowFunction.MIN | WindowFunction.MAX
            | WindowFunction.QUANTILE
        ):  # fmt: skip
            fraction = "" if step.fraction is None else f", {step.fraction!r}"
            return f'{groups}.transform("{step.function.value}"{fraction})'
        case _:
            assert_never(step.function)


def _size(step: Window) -> str:
    return step.parameter or str(step.size)


def _key(key: SortKey, writer: Writer) -> str:
    return key.parameter or writer.names[key.column]


def _by_place(order: tuple[str, ...]) -> str:
    """Write that texts are sorted by their places in a list; one that is not there has none and comes last."""
    if not order:
        return ""
    places = {word: place for place, word in enumerate(order)}
    return f", key=lambda words: words.map({places!r})"
