"""Reads window functions: each is a plan's only where missing values, ties and frames mean the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.from_sql.nodes import Read, bare, function_name, integer, only, quoted, stripped, type_name
from jupyter_mcpgen.plan.from_sql.orders import read_keys
from jupyter_mcpgen.plan.from_sql.rows import Rows, missing_group
from jupyter_mcpgen.plan.from_sql.symbols import Numbered, Symbol, Total, order_rows, settle
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import SortKey, Window, WindowFunction

_FIGURES: dict[type[exp.Expr], WindowFunction] = {
    exp.Avg: WindowFunction.MEAN,
    exp.Median: WindowFunction.MEDIAN,
    exp.Stddev: WindowFunction.STD,
    exp.StddevSamp: WindowFunction.STD,
    exp.Min: WindowFunction.MIN,
    exp.Max: WindowFunction.MAX,
}


@dataclass
class Frame:
    """Where a window function looks: rows of a group, in an order, and how far."""

    by: tuple[str, ...]
    keys: tuple[SortKey, ...]
    is_ordered: bool
    spec: exp.WindowSpec | None


def read_window(
    node: exp.Window, read: Read, rows: Rows, guard: frozenset[str], named: Mapping[str, exp.Window]
) -> Symbol:
    """Read a window function; under `guard` some columns are known to have values."""
    if isinstance(node.this, exp.Rank):
        node = _without_rounding(node)
    frame = _frame(node, read, rows, named)
    function = node.this
    present = rows.present | guard
    match function:
        case exp.RowNumber():
            if frame.by and not frame.is_ordered:
                raise CannotHold(f"{quoted(node)} numbers the rows of each group in any order.")
            return Numbered(frame.by, rows.decisive((*frame.keys, *rows.order)), rows.version)
        case exp.Rank():
            return _rank(node, frame, rows, present)
        case exp.Lag() | exp.Lead():
            return _look_back(function, node, frame, read, rows, present)
        case exp.Sum() if frame.is_ordered:
            return _running(function, node, frame, read, rows, present)
        case exp.Sum():
            only(function, "this")
            _need_no_spec(node, frame)
            column = settle(read(function.this), rows)
            return Total(column, frame.by, rows.steps, present)
        case _ if isinstance(function, (*_FIGURES, exp.PercentileCont)) or function_name(function) == "favg":
            return _figure(function, node, frame, read, rows, present)
        case _:
            raise CannotHold(f"A plan has no window function like {quoted(function)}.")


def _without_rounding(node: exp.Window) -> exp.Window:
    """Return a rank of numbers rounded to twelve digits as a rank of the numbers: a plan ranks so."""

    def plain(each: exp.Expr) -> exp.Expr:
        inner = bare(each.this) if isinstance(each, exp.Cast) and type_name(each) == "DOUBLE" else None
        is_rounded = isinstance(inner, exp.Anonymous) and function_name(inner) == "printf"
        if inner is None or not is_rounded or inner.expressions[0].name != "%.12g":
            return each
        found: exp.Expr = inner.expressions[1]
        return found

    found = node.copy().transform(plain)
    return found if isinstance(found, exp.Window) else node


def _frame(node: exp.Window, read: Read, rows: Rows, named: Mapping[str, exp.Window]) -> Frame:
    only(node, "this", "partition_by", "order", "spec", "over", "alias")
    alias = node.args.get("alias")
    if alias is not None:
        known = named.get(alias.name.lower())
        if known is None or node.args.get("partition_by") or node.args.get("order"):
            raise CannotHold(f"The window `{alias.name}` is not defined by itself.")
        only(known, "this", "partition_by", "order", "spec", "alias")
        node = known
    by = tuple(dict.fromkeys(rows.column(settle(read(each), rows)) for each in node.args.get("partition_by") or ()))
    order = node.args.get("order")
    keys = read_keys(order.expressions, read, rows, by) if order is not None else ()
    apart = () if isinstance(node.this, exp.Rank) else by
    return Frame(by, tuple(key for key in keys if key.column not in apart), order is not None, node.args.get("spec"))


def _need(names: tuple[str, ...], present: frozenset[str]) -> None:
    for name in names:
        if name not in present:
            raise CannotHold(missing_group(name))


def _need_value(column: str, present: frozenset[str], what: exp.Expr) -> None:
    if column not in present:
        raise CannotHold(
            f"{quoted(what)} also gives a value where its column is missing, and a plan does not. "
            "Add a condition that the column IS NOT NULL."
        )


def _need_no_spec(node: exp.Window, frame: Frame) -> None:
    if frame.spec is not None and not isinstance(node.this, exp.RowNumber | exp.Rank):
        raise CannotHold(f"{quoted(node)} looks at a part of the rows that a plan does not.")


def _rank(node: exp.Window, frame: Frame, rows: Rows, present: frozenset[str]) -> Symbol:
    only(node.this)
    if len(frame.keys) != 1 or frame.keys[0].order:
        raise CannotHold("A plan ranks rows by one column.")
    key = frame.keys[0]
    _need(frame.by, present)
    _need_value(key.column, present, node)
    step = Window(
        name=rows.new_name(),
        function=WindowFunction.RANK,
        column=Col(name=key.column),
        by=Columns(names=frame.by),
        descending=key.descending,
    )
    return Col(name=rows.window(step))


def _look_back(
    function: exp.Lag | exp.Lead, node: exp.Window, frame: Frame, read: Read, rows: Rows, present: frozenset[str]
) -> Symbol:
    only(function, "this", "offset")
    if frame.spec is not None or not frame.is_ordered:
        raise CannotHold(f"{quoted(node)} needs an order and nothing more.")
    _need(frame.by, present)
    size = integer(function.args["offset"]) if function.args.get("offset") is not None else 1
    if not size:
        raise CannotHold(f"{quoted(function)} looks back a number of rows that is not written out.")
    keys = frame.keys
    if isinstance(function, exp.Lead):
        for key in keys:
            _need_value(key.column, present, node)
        keys = tuple(key.model_copy(update={"descending": not key.descending}) for key in keys)
    column = rows.column(settle(read(function.this), rows))
    return _ordered(WindowFunction.LAG, column, frame.by, keys, size, rows)


def _running(
    function: exp.Sum, node: exp.Window, frame: Frame, read: Read, rows: Rows, present: frozenset[str]
) -> Symbol:
    only(function, "this")
    if not _is_from_the_start(frame.spec):
        raise CannotHold(f"{quoted(node)} adds up a part of the rows; a plan adds up all rows so far.")
    in_rows = frame.spec is not None and str(frame.spec.args.get("kind")).lower() == "rows"
    decided = any(columns <= {*frame.by, *(key.column for key in frame.keys)} for columns in rows.unique)
    if not in_rows and not decided:
        raise CannotHold(
            f"{quoted(node)} adds up rows that are equal in the order together, and a plan adds them one by one. "
            "Write ROWS UNBOUNDED PRECEDING, or group by that column first."
        )
    column = rows.column(settle(read(function.this), rows))
    _need(frame.by, present)
    _need_value(column, present, node)
    return _ordered(WindowFunction.RUNNING_TOTAL, column, frame.by, frame.keys, 1, rows)


def _is_from_the_start(spec: exp.WindowSpec | None) -> bool:
    if spec is None:
        return True
    only(spec, "kind", "start", "start_side", "end", "end_side")
    return (
        str(spec.args.get("start")).upper() == "UNBOUNDED"
        and str(spec.args.get("start_side")).upper() == "PRECEDING"
        and str(spec.args.get("end") or "CURRENT ROW").upper() == "CURRENT ROW"
        and str(spec.args.get("kind")).upper() in ("ROWS", "RANGE")
    )


def _ordered(
    function: WindowFunction, column: str, by: tuple[str, ...], keys: tuple[SortKey, ...], size: int, rows: Rows
) -> Col:
    order = order_rows(keys, rows)
    step = Window(
        name=rows.new_name(), function=function, column=Col(name=column), by=Columns(names=by), order=order, size=size
    )
    return Col(name=rows.window(step))


def _figure(
    function: exp.Expr, node: exp.Window, frame: Frame, read: Read, rows: Rows, present: frozenset[str]
) -> Symbol:
    if frame.is_ordered or frame.spec is not None:
        raise CannotHold(
            f"{quoted(node)} is a figure of a part of the rows. A plan has the mean of so many rows, missing where "
            "there are fewer: CASE WHEN count(x) OVER (…) = n THEN avg(x) OVER (…) END."
        )
    argument = function.expressions[0] if isinstance(function, exp.Anonymous) else function.this
    if not isinstance(function, exp.Anonymous):
        only(function, "this", "expression")
    column = Col(name=rows.column(settle(read(argument), rows)))
    if not rows.schema.type_of(column.name).is_number:
        raise CannotHold(f"{quoted(node)} is a figure of something other than a number.")
    _need(frame.by, present)
    if isinstance(function, exp.PercentileCont):
        return _as_figure(WindowFunction.QUANTILE, column, frame.by, _fraction(function), rows)
    return _as_figure(_FIGURES.get(type(function), WindowFunction.MEAN), column, frame.by, None, rows)


def _as_figure(function: WindowFunction, column: Col, by: tuple[str, ...], fraction: float | None, rows: Rows) -> Col:
    step = Window(name=rows.new_name(), function=function, column=column, by=Columns(names=by), fraction=fraction)
    return Col(name=rows.window(step))


def _fraction(function: exp.PercentileCont) -> float:
    value = function.expression
    if not isinstance(value, exp.Literal) or value.is_string or not 0 < float(value.this) < 1:
        raise CannotHold(f"{quoted(function)} needs a part between 0 and 1.")
    return float(value.this)


def read_moving_average(
    node: exp.Case, read: Read, rows: Rows, guard: frozenset[str], named: Mapping[str, exp.Window]
) -> Col | None:
    """Read `CASE WHEN count(x) OVER w = 3 THEN avg(x) OVER w END`: the mean of three rows, missing where fewer are."""
    if len(node.args["ifs"]) != 1 or node.args.get("default") or node.this is not None:
        return None
    condition, mean = bare(node.args["ifs"][0].this), bare(node.args["ifs"][0].args["true"])
    if not (
        isinstance(mean, exp.Window) and isinstance(mean.this, exp.Avg) and isinstance(condition, exp.EQ | exp.GTE)
    ):
        return None
    counted, size = bare(condition.this), integer(condition.expression)
    frame = _frame(mean, read, rows, named)
    if not isinstance(counted, exp.Window) or size is None or frame.spec is None or not _is_last_rows(frame.spec, size):
        return None
    column = rows.column(settle(read(stripped(mean.this.this)), rows))
    present = rows.present | guard
    other = _frame(counted, read, rows, named)
    if (other.by, other.keys) != (frame.by, frame.keys):
        return None
    match counted.this:
        case exp.Count(this=exp.Star()) if _is_last_rows(other.spec, size) and column in present:
            pass
        case exp.RowNumber() if isinstance(condition, exp.GTE) and column in present:
            pass
        case exp.Count() if _is_last_rows(other.spec, size) and not isinstance(counted.this.this, exp.Distinct):
            if isinstance(counted.this.this, exp.Star) or rows.column(settle(read(counted.this.this), rows)) != column:
                return None
        case _:
            return None
    _need(frame.by, present)
    return _ordered(WindowFunction.MOVING_AVERAGE, column, frame.by, frame.keys, size, rows)


def _is_last_rows(spec: exp.WindowSpec | None, size: int) -> bool:
    if spec is None:
        return False
    start = spec.args.get("start")
    return (
        str(spec.args.get("kind")).upper() == "ROWS"
        and isinstance(start, exp.Expr)
        and integer(start) == size - 1
        and str(spec.args.get("start_side")).upper() == "PRECEDING"
        and str(spec.args.get("end") or "CURRENT ROW").upper() == "CURRENT ROW"
        and not spec.args.get("exclude")
    )


def is_missing_without(window: Window, column: str) -> bool:
    """Tell whether a comparison of rows is missing where a column is."""
    own = not window.function.is_figure and window.function is not WindowFunction.LAG
    return column in window.by.names or (own and column == window.column.name)
