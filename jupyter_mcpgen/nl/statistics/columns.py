"""Statistics of one column, or of the rows: distributions, duplicates, outliers."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from jupyter_mcpgen.nl.statistics.choice import OTHER, Choice, col
from jupyter_mcpgen.nl.statistics.lacking import Lacking, lacking
from jupyter_mcpgen.nl.statistics.named import Named, groups_of
from jupyter_mcpgen.nl.statistics.request import FAR, Request
from jupyter_mcpgen.nl.tables.single_rows import names_single_rows
from jupyter_mcpgen.plan.expressions import Columns, Lit
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Chart,
    ChartKind,
    Describe,
    Measure,
    Step,
)
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import Duplicates, Histogram, Normality, OutlierMethod, Outliers, OutlierSide

_NO_GROUPS = Columns(names=())
USUAL_REACH, USUAL_DEVIATIONS = 1.5, 3


def histogram(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield how the values of a number are distributed."""
    if len(named.numbers) != 1 or named.labels or named.sides:
        yield lacking(
            "A histogram needs one number column", named, groups=False, example="histogram of {0} with 20 bins"
        )
        return
    bins = Lit(value=int(request.number or 10), type=ColumnType.INTEGER)
    chart = Chart(kind=ChartKind.BAR, x="bin_start", y="count")
    yield Choice((Histogram(column=col(named.numbers[0]), bins=bins),), chart)


def duplicates(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the rows that occur again, or how many they are."""
    by = _groups_of_duplicates(request, named)
    columns = tuple(name for name in (*named.numbers, *named.labels) if name not in by)
    note = () if columns else ("Two rows are duplicates when they are equal in every column.",)
    columns = columns or named.context.profile.schema_.names
    if "count" in request.said or by:
        step = Duplicates(columns=Columns(names=columns), repeats_only=True)
        yield Choice(
            (step, _count(Columns(names=by))),
            notes=(*note, "Rows that repeat an earlier row are counted, not the first ones."),
        )
    else:
        yield Choice((Duplicates(columns=Columns(names=columns)),), notes=note)


def _groups_of_duplicates(request: Request, named: Named) -> tuple[str, ...]:
    """Return the groups by which duplicates are counted: those in whose columns nearly every row would be one."""
    said = named.keys or (named.labels if "grouped" in request.said else ())
    context = named.context
    few = prod(context.column(name).distinct for name in said) * 2 <= context.profile.rows
    return said if few else ()


def _count(by: Columns = _NO_GROUPS) -> Aggregate:
    return Aggregate(by=by, measures=(Measure(function=AggregateFunction.COUNT),))


def outliers(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the rows far from the others, by the usual ways to say how far."""
    if len(named.numbers) != 1 or named.sides:
        yield lacking("Outliers are looked for in one number column", named, groups=False, example="outliers in {0}")
        return
    groups = groups_of(named)
    by = Columns(names=tuple(name for name in groups.names if not names_single_rows(name, named.context)))
    each = f" of its `{' and '.join(by.names)}`" if by.names else ""
    deviations = bool({"z_score", "deviations", FAR} & request.said)
    side = next((_ON_SIDES[ask] for ask in request.asks if ask in _ON_SIDES), OutlierSide.BOTH)
    methods = [OutlierMethod.Z_SCORE if deviations else OutlierMethod.IQR]
    if not deviations and "iqr" not in request.said:
        methods.append(OutlierMethod.Z_SCORE)
    for place, method in enumerate(methods):
        usual = USUAL_DEVIATIONS if method is OutlierMethod.Z_SCORE else USUAL_REACH
        reach = request.number if request.number is not None and place == 0 else usual
        literal = Lit(value=reach, type=ColumnType.INTEGER if isinstance(reach, int) else ColumnType.REAL)
        step = Outliers(column=col(named.numbers[0]), method=method, reach=literal, side=side, by=by)
        steps: tuple[Step, ...] = (step, _count(by)) if "count" in request.said else (step,)
        notes = (_OUTSIDE[method].format(f"{reach:g}", each), *_ONE_SIDE.get(side, ()))
        yield Choice(steps, notes=notes, cost=OTHER * place)


_ON_SIDES = {"low_outliers": OutlierSide.LOW, "high_outliers": OutlierSide.HIGH}
_OUTSIDE = {
    OutlierMethod.IQR: (
        "An outlier lies more than {} interquartile ranges below the first or above the third quartile{}."
    ),
    OutlierMethod.Z_SCORE: "An outlier lies more than {} standard deviations from the mean{}.",
}


_ONE_SIDE = {
    OutlierSide.LOW: ("Only the outliers below the others are kept.",),
    OutlierSide.HIGH: ("Only the outliers above the others are kept.",),
}


def summary(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the figures that a box plot shows, of all rows or of each group."""
    if not named.numbers or named.sides:
        yield lacking("Quartiles need a number column", named, example="quartiles of {0} by {1}")
        return
    by = groups_of(named)
    step = Describe(columns=Columns(names=named.numbers), by=by)
    if "box_plot" not in request.asks:
        yield Choice((step,))
        return
    chart = _box_plot(named.numbers, by.names)
    yield Choice((step,), chart, notes=(_NOT_DRAWN if chart is None else _DRAWN,))


def _box_plot(numbers: tuple[str, ...], by: tuple[str, ...]) -> Chart | None:
    """Return a box for each row of a summary; None for more kinds of boxes than stand side by side."""
    sides = (*by, *(("column",) if len(numbers) > 1 or not by else ()))
    if len(sides) > _MOST_SIDES:
        return None
    return Chart(kind=ChartKind.BOX, x=sides[0], color=sides[1] if len(sides) > 1 else None)


_MOST_SIDES = 2
_DRAWN = (
    "A box reaches from the first to the third quartile, with a line at the median; "
    "its whiskers end at the smallest and the largest value, so no outlier stands apart."
)
_NOT_DRAWN = "No box plot is drawn of so many columns: the table has the five figures that each box would show."


def normality(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield whether a number is distributed normally, over all rows or in each group."""
    if len(named.numbers) != 1 or named.sides:
        example = "is {0} normally distributed"
        yield lacking("A normality test needs one number column", named, groups=False, example=example)
        return
    notes = (_NOT_SHAPIRO,) if "shapiro" in request.asks else ()
    yield Choice((Normality(column=col(named.numbers[0]), by=groups_of(named)),), notes=notes)


_NOT_SHAPIRO = (
    "The Shapiro–Wilk test is not built in: D'Agostino and Pearson's test, which asks the same, was made in its place."
)
