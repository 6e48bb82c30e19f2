"""Statistics of figures of groups: "outliers in total yield by grower" looks at one total of each grower.

A statistic of rows has no place for "total" or "median"; passing over such a word would answer another question.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Grouping, to_plan
from jupyter_mcpgen.nl.assembling.implied import implied_functions
from jupyter_mcpgen.nl.assembling.parts import Parts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.statistics.intervals import other_interval
from jupyter_mcpgen.nl.statistics.lacking import Lacking
from jupyter_mcpgen.nl.statistics.named import Named
from jupyter_mcpgen.nl.statistics.request import Request
from jupyter_mcpgen.nl.tables.single_rows import names_single_rows
from jupyter_mcpgen.plan.english_measures import say_measure
from jupyter_mcpgen.plan.expressions import Col, DateUnit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Select, Sort, Step

_OF_FIGURES = frozenset(
    {"correlation", "strongest", "matrix", "heatmap", "regression", "outliers", "low_outliers", "high_outliers"}
    | {"histogram", "normality", "shapiro", "quartiles", "related", "relation", "effect"}
)
"""What can be asked of the figures of groups as well as of rows."""
_DRAWN_OF_ROWS = frozenset({"box_plot"})
"""What shows the rows of each group, also where their average is named."""
_FAR_FROM_OTHERS = frozenset({"outliers", "low_outliers", "high_outliers"})
_OF_ROWS = frozenset({"missing", "complete", "duplicates", "same", "cardinality", "quality"})
_OF_RANKS = frozenset({"mann_whitney", "kruskal"})
_PLAIN = frozenset({AggregateFunction.MEAN, AggregateFunction.SUM})
"""What is said of the values of rows by people who mean just these: "the average yield", "total cost"."""
_TAKEN = (
    "columns", "enumerated", "keys", "periods", "each", "measures", "functions", "pair", "relation", "varies",
    "names_rows", "lists_rows", "listed",
)  # fmt: skip


@dataclass(frozen=True)
class Figures:
    """The steps that make the figures of groups, the figures as columns to look at, and what was assumed."""

    steps: tuple[Step, ...]
    named: Named
    notes: tuple[str, ...] = ()


def figures_in(parts: Parts, request: Request, context: Context) -> Figures | Lacking | None:
    """Return the figures that a statistic is asked of; None where it is asked of the rows.

    What the words say, but no test computes, is said in a `Lacking`.
    """
    asks = set(request.asks)
    measured = _measured(parts, context)
    subject = _subject(parts, context) if asks <= _FAR_FROM_OTHERS else None
    if subject is not None and not measured and request.of_rows:
        return _lacking_functions(tuple(name for name in parts.columns if context.is_measure(name)) or parts.columns)
    if subject is not None and measured:
        kept = tuple(name for name in parts.columns if name != subject)
        parts = replace(parts, columns=kept, keys=(m.GroupKey(subject), *parts.keys))
    keys = (*parts.keys, *parts.periods)
    if asks == {"confidence"} and not parts.periods and any(key.unit is not None for key in keys):
        return _of_periods(parts, keys, measured, context)
    if "same" in asks and measured:
        return Lacking("Rows that are equal in a column have no one figure. Ask for the figure of each value instead.")
    if asks <= _OF_ROWS or not (measured or parts.periods):
        return None
    if not asks <= _OF_FIGURES or _compares_groups(parts, context):
        return _of_groups(asks, measured, of_ranks=bool(asks & _OF_RANKS) or "nonparametric" in request.said)
    if parts.measures and parts.functions:
        numbers = tuple(name for name in parts.columns if context.is_measure(name)) or parts.columns
        return _lacking_functions(numbers or tuple(sorted(_columns(parts.measures))))
    named = tuple(name for name in parts.columns if context.is_measure(name) and name not in _columns(measured))
    if not keys:
        return None if {one.function for one in measured} <= _PLAIN else _lacking_groups(measured)
    if named and measured:
        return _lacking_functions(named)
    if named:
        function, note, _ = next(iter(implied_functions(named, context)))
        return _figures(parts, keys, tuple(m.Measured(function, name) for name in named), (note,), context)
    return _figures(parts, keys, measured, (), context)


def _subject(parts: Parts, context: Context) -> str | None:
    """Return the label of those that are looked for: the growers of "which growers have an unusual total yield"."""
    labels = [name for name in parts.columns if not context.is_measure(name)]
    alone = len(labels) == 1 and not parts.keys and not names_single_rows(labels[0], context)
    return labels[0] if alone else None


def _measured(parts: Parts, context: Context) -> tuple[m.Measured, ...]:
    """Return the figures that are named, those of a function that stands before several columns included."""
    if not parts.functions:
        return parts.measures
    numbers = [name for name in parts.columns if context.is_measure(name)] or sorted(_columns(parts.measures))
    return (*parts.measures, *(m.Measured(function, name) for function in parts.functions for name in numbers))


def _columns(measured: tuple[m.Measured, ...]) -> frozenset[str]:
    return frozenset(one.column for one in measured if one.column is not None)


def _compares_groups(parts: Parts, context: Context) -> bool:
    """Tell whether a number is set against a label: the relation of an average to a label is a test of groups."""
    return any(not context.is_measure(name) for name in parts.columns)


def _of_groups(asks: set[str], measured: tuple[m.Measured, ...], *, of_ranks: bool) -> Lacking | None:
    """Return None for what a comparison of groups is about anyway: their means, their ranks, or their rows."""
    functions = {one.function for one in measured}
    if of_ranks and functions <= {AggregateFunction.MEDIAN}:
        return None  # that ranks are compared is said of the test
    if functions <= {AggregateFunction.MEAN} or (asks <= _DRAWN_OF_ROWS and functions <= _PLAIN):
        return None
    if "confidence" in asks:
        return other_interval()
    return Lacking(
        "The tests that are built in compare the means of groups, or the ranks of their rows, and none compares the "
        f"{_said(measured)}. Ask for a t-test, an ANOVA, a Mann–Whitney or a Kruskal–Wallis test of the column "
        "itself."
    )


def _said(measured: tuple[m.Measured, ...]) -> str:
    measures = [Measure(function=one.function, column=Col(name=one.column) if one.column else None) for one in measured]
    return " and ".join(map(say_measure, measures))


def _lacking_groups(measured: tuple[m.Measured, ...]) -> Lacking:
    return Lacking(
        f"Over all rows there is one {_said(measured)}, and a statistic needs several values. Say of which groups, for "
        "example “by month”, or leave the calculation out to take the values of the rows."
    )


def _lacking_functions(names: tuple[str, ...]) -> Lacking:
    listed = " and ".join(f"`{name}`" for name in names)
    return Lacking(
        f"One figure of each group is set beside {listed} of each row. Say which figure of {listed} is meant, for "
        "example its total or its average."
    )


def _figures(
    parts: Parts,
    keys: tuple[m.GroupKey, ...],
    measured: tuple[m.Measured, ...],
    notes: tuple[str, ...],
    context: Context,
) -> Figures | None:
    if not parts.has_only(*_TAKEN) or parts.contrasted is not None:
        return None
    try:
        plan = to_plan(Grouping(parts.conditions, keys, measured), context)
    except PlanError:
        return None  # such figures cannot be computed
    steps = tuple(step for step in plan.steps if not isinstance(step, Sort | Select))
    names = next(tuple(one.name for one in step.measures) for step in steps if isinstance(step, Aggregate))
    each = " and ".join(
        f"`{key.column}`" if key.unit is None else f"{_period(key.unit)} of `{key.column}`" for key in keys
    )
    said = f"Each value is the figure of one {each}."
    return Figures(steps, Named(names, (), None, (), context), (*notes, said))


def _of_periods(
    parts: Parts, keys: tuple[m.GroupKey, ...], measured: tuple[m.Measured, ...], context: Context
) -> Figures | Lacking | None:
    """Return the steps that make the periods of whose rows a mean is taken: "95% CI of cost by month"."""
    if not {one.function for one in measured} <= {AggregateFunction.MEAN}:
        return other_interval()
    grouped = {key.column for key in keys}
    numbers = sorted(_columns(measured)) or [name for name in parts.columns if context.is_measure(name)]
    if len(numbers) != 1 or set(parts.columns) - {*numbers, *grouped} or not parts.has_only(*_TAKEN, "relation"):
        return None
    try:
        plan = to_plan(Grouping(parts.conditions, keys, (m.Measured(AggregateFunction.MEAN, numbers[0]),)), context)
    except PlanError:
        return None  # there is no such period
    made = tuple(takewhile(lambda step: isinstance(step, Filter | Derive), plan.steps))
    rows = plan.steps[len(made)]
    if not isinstance(rows, Aggregate):
        return None
    return Figures(made, Named((numbers[0],), rows.by.names, None, (), context, rows.by.names))


def _period(unit: DateUnit) -> str:
    return unit.value.removeprefix("start_of_")
