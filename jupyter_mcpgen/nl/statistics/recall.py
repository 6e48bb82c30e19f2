"""Reads a statistical plan back as what was asked for and the columns that it names, so that a part can be changed."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.assembling.implied import all_measures
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.statistics.choice import Choice
from jupyter_mcpgen.nl.statistics.named import Named
from jupyter_mcpgen.nl.statistics.plans import choices
from jupyter_mcpgen.nl.statistics.request import Request
from jupyter_mcpgen.plan.expressions import All, Columns, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, Filter, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    CorrelationMatrix,
    CorrelationMethod,
    Correlations,
    Duplicates,
    Histogram,
    KruskalWallis,
    LinearRegression,
    MeanInterval,
    MissingValues,
    Normality,
    OutlierMethod,
    Outliers,
    OutlierSide,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)


@dataclass(frozen=True)
class Recalled:
    """What a statistical plan answers."""

    request: Request
    named: Named


@dataclass(frozen=True)
class _Said:
    """A step in the words that ask for it."""

    ask: str
    said: frozenset[str] = frozenset()
    number: int | float | None = None
    numbers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    sides: tuple[str, Lit, Lit] | None = None


def recall_statistic(plan: Plan, context: Context) -> Recalled | None:
    """Return what gives exactly this plan; None for a plan that no request for a statistic gives."""
    steps = list(plan.steps) if plan.second is None else []
    conditions: tuple[Predicate, ...] = ()
    if steps and isinstance(first := steps[0], Filter):
        steps.pop(0)
        conditions = first.predicate.terms if isinstance(first.predicate, All) else (first.predicate,)
    said = _in_words(steps[0], context) if steps else None
    if said is None:
        return None
    more = {"count"} if isinstance(steps[-1], Aggregate) else {"ranked"} if isinstance(steps[-1], Sort) else set()
    request = Request((said.ask,), said.said | more, said.number, "", "", (), ())
    named = Named(said.numbers, said.labels, said.sides, conditions, context)
    same = (choice for choice in choices(request, named) if isinstance(choice, Choice))
    return Recalled(request, named) if any(choice.steps == tuple(steps) for choice in same) else None


def _in_words(step: Step, context: Context) -> _Said | None:
    match step:
        case MissingValues(columns=columns) | Duplicates(columns=columns):
            ask = "missing" if isinstance(step, MissingValues) else "duplicates"
            return _Said(ask, numbers=_unless_all(columns, context))
        case Outliers(column=column, method=method, reach=reach, side=side):
            deviations = method is OutlierMethod.Z_SCORE
            number = reach.value if isinstance(reach.value, int | float) else None
            said = frozenset({"z_score" if deviations else "iqr"})
            return _Said(_SIDES[side], said, number, (column.name,), labels=step.by.names)
        case Correlations(columns=columns, against=None, method=method):
            return _Said("correlation", _method(method), numbers=columns.names, labels=step.by.names)
        case Correlations(against=against, method=method) if against is not None and not step.by.names:
            return _Said("correlation", _method(method), numbers=(against.name,))
        case CorrelationMatrix(columns=columns, method=method):
            every = tuple(name for name in all_measures(context) if context.is_measure(name))
            return _Said("matrix", _method(method), numbers=() if columns.names == every else columns.names)
        case LinearRegression(y=y, x=x):
            return _Said("regression", numbers=(y.name, x.name), labels=step.by.names)
        case TwoGroups(test=test, value=value, group=group, first=first, second=second):
            return _Said(_ASKS[test], numbers=(value.name,), sides=(group.name, first, second))
        case TwoColumns(test=test, first=first, second=second):
            return _Said(_ASKS[test], numbers=(first.name, second.name))
        case Anova(value=value, group=group, post_hoc=post_hoc):
            return _Said("tukey" if post_hoc else "anova", numbers=(value.name,), labels=(group.name,))
        case KruskalWallis(value=value, group=group):
            return _Said("kruskal", numbers=(value.name,), labels=(group.name,))
        case MeanInterval(column=column, level=level, by=by):
            return _Said("confidence", number=_percent(level), numbers=(column.name,), labels=by.names)
        case ChiSquare(first=first, second=second):
            return _Said("chi_square", labels=(first.name, second.name))
        case Normality(column=column):
            return _Said("normality", numbers=(column.name,), labels=step.by.names)
        case Histogram(column=column, bins=bins) if isinstance(bins.value, int):
            return _Said("histogram", number=bins.value, numbers=(column.name,))
        case _:
            return None


_SIDES = {
    OutlierSide.BOTH: "outliers",
    OutlierSide.LOW: "low_outliers",
    OutlierSide.HIGH: "high_outliers",
}
_ASKS = {
    TwoSampleTest.WELCH: "t_test",
    TwoSampleTest.MANN_WHITNEY: "mann_whitney",
    TwoSampleTest.PAIRED: "paired",
    TwoSampleTest.WILCOXON: "wilcoxon",
}


def _percent(level: Lit) -> float:
    return round(100 * float(level.value), 8)


def _method(method: CorrelationMethod) -> frozenset[str]:
    return frozenset({method.value})


def _unless_all(columns: Columns, context: Context) -> tuple[str, ...]:
    return () if columns.names == context.profile.schema_.names else columns.names
