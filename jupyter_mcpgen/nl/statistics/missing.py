"""Missing values: how many each column, or each group, lacks, and the rows that lack some, or none."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.statistics.choice import Choice, col
from jupyter_mcpgen.nl.statistics.lacking import Lacking, lacking
from jupyter_mcpgen.nl.statistics.named import Named
from jupyter_mcpgen.nl.statistics.request import PART, Request
from jupyter_mcpgen.nl.tables.single_rows import names_single_rows
from jupyter_mcpgen.plan.expressions import All, AnyOf, Columns, Compare, CompareOp, IsMissing, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Chart, ChartKind, Filter, Measure, Sort, SortKey
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import MissingValues

_NONE = Lit(value=0, type=ColumnType.INTEGER)
_COUNT = Measure(function=AggregateFunction.COUNT)


def missing(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield how many values are missing in each column, in each group, or the rows that lack some."""
    any_row = "any_row" in request.said and not (set(named.labels) - set(named.keys) or named.numbers)
    if (named.keys and not any_row) or (named.labels and request.of_rows and "most_missing" in request.said):
        yield from _by_group(request, named)
    elif request.of_rows:
        yield from _rows(request, named, complete=False)
    else:
        yield from _of_columns(request, named)


def complete(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the rows that lack no value, how many or which part they are, or the columns that lack none."""
    if request.asks == ("complete",) and "each_column" not in request.said:
        yield from _rows(request, named, complete=True)
        return
    columns = (*named.numbers, *named.labels) or named.context.profile.schema_.names
    none = Filter(predicate=Compare(op=CompareOp.EQ, left=col("missing"), right=_NONE))
    steps = (MissingValues(columns=Columns(names=columns)), none)
    yield Choice((*steps, Aggregate(measures=(_COUNT,))) if _counts_columns(request) else steps)


def _counts_columns(request: Request) -> bool:
    return "columns_counted" in request.said


def _of_columns(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    columns = (*named.numbers, *named.labels) or named.context.profile.schema_.names
    chart = Chart(kind=ChartKind.BAR, x="column", y="missing") if len(columns) > 1 else None
    counted = MissingValues(columns=Columns(names=columns))
    limit = _limit(request)
    if limit is not None:
        yield Choice((counted, limit), chart)
        return
    if _counts_columns(request):
        some = Filter(predicate=Compare(op=CompareOp.GT, left=col("missing"), right=_NONE))
        yield Choice((counted, some, Aggregate(measures=(_COUNT,))))
        return
    if "in_all" in request.said and "each_column" not in request.said:
        total = Measure(function=AggregateFunction.SUM, column=col("missing"))
        part = Measure(function=AggregateFunction.MEAN, column=col("share_missing"))  # each column has as many rows
        yield Choice((counted, Aggregate(measures=(part if PART in request.said else total,))))
        return
    ranked = Sort(keys=(SortKey(column="missing", descending=True),))
    most_first = {"ranked", "most_missing"} & request.said
    yield Choice((counted, ranked) if most_first else (counted,), chart)


def _limit(request: Request) -> Filter | None:
    """Return which of the columns are asked for: those that lack more, or less, than so many percent."""
    if request.number is not None and request.op is not None:
        part = Lit(value=request.number / 100, type=ColumnType.REAL)
        return Filter(predicate=Compare(op=request.op, left=col("share_missing"), right=part))
    return None


def _rows(request: Request, named: Named, *, complete: bool) -> Iterator[Choice | Lacking]:
    """Yield rows by whether any of their values is missing, how many these are, or which part of all."""
    by = named.keys or (named.labels if "grouped" in request.said else ())
    subjects = tuple(name for name in named.labels if name not in by and names_single_rows(name, named.context))
    others = tuple(name for name in named.labels if name not in by and name not in subjects)
    if (others and request.of_rows) or (by and len(by) != len(named.labels)):
        what = "Rows are looked at for missing values, and each of these has several"
        yield Lacking(f"{what}: {', '.join(f'`{name}`' for name in (*others, *by))}. Ask for rows, or by group.")
        return
    columns = (*named.numbers, *others)
    note = () if columns else ("All columns are looked at.",)
    gaps = _any_missing(columns or named.context.profile.schema_.names, complete=complete)
    part = _part(request)
    if part is not None:
        measure = Measure(function=part, where=gaps)
        yield Choice((Aggregate(by=Columns(names=by), measures=(measure,)),), notes=note)
        return
    rows = Filter(predicate=gaps)
    counts = "count" in request.said or bool(by)
    yield Choice((rows, Aggregate(by=Columns(names=by), measures=(_COUNT,))) if counts else (rows,), notes=note)


def _part(request: Request) -> AggregateFunction | None:
    if "percent_of" in request.said:
        return AggregateFunction.PERCENT
    return AggregateFunction.RATE if "share_of" in request.said else None


def _any_missing(names: tuple[str, ...], *, complete: bool) -> Predicate:
    gaps = tuple(IsMissing(operand=col(name), negated=complete) for name in names)
    if len(gaps) == 1:
        return gaps[0]
    return All(terms=gaps) if complete else AnyOf(terms=gaps)


def _by_group(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield how many values of one column each group lacks, and which part of its rows that is."""
    keys = named.keys or named.labels
    columns = tuple(name for name in (*named.numbers, *named.labels) if name not in keys)
    if len(columns) != 1 or len(keys) != 1:
        what = "Missing values are counted by group for one column"
        yield lacking(what, named, example="missing values of {0} by {1}")
        return
    gap = IsMissing(operand=col(columns[0]))
    counted = Measure(function=AggregateFunction.COUNT, where=gap)
    part = Measure(function=AggregateFunction.PERCENT, where=gap)
    groups = Aggregate(by=Columns(names=keys), measures=(counted, part))
    first = counted if "most_missing" in request.said else part
    ranked = Sort(keys=(SortKey(column=first.name, descending=True),))
    yield Choice((groups, ranked), Chart(kind=ChartKind.BAR, x=keys[0], y=part.name))
