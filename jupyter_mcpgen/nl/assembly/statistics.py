"""Statistics that are asked for by name."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.assembly.answers import Answer, Crossed, Grouping, OneStep
from jupyter_mcpgen.nl.assembly.query import PAIRS, Query
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Is, Measure
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import Col, Columns, Lit
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import Describe, Step
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    CorrelationMatrix,
    CorrelationMethod,
    Correlations,
    Duplicates,
    KruskalWallis,
    LinearRegression,
    MeanInterval,
    MissingValues,
    Normality,
    Outliers,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)

_OF_GROUPS = frozenset({"t_test", "mann_whitney", "anova", PAIRS, "kruskal", "differ"})
_COUNTED = frozenset({F.COUNT, F.COUNT_DISTINCT, F.SUM})
_OF_VALUES = frozenset({"correlation", "spearman", "regression", "matrix"})
_TWO = 2
_REACH = 1.5
_LEVEL = 0.95


def statistics(query: Query, name: str, table: Table) -> Iterator[Answer]:
    """Yield the statistic of a name over the columns that a question names."""
    terms = [*query.terms, *(figure.term for figure in query.figures if isinstance(figure, Figure))]
    keys = [key.name for key in query.keys if isinstance(key, Column)]
    columns = list(dict.fromkeys(term.name for term in terms if isinstance(term, Column) and term.name not in keys))
    things = [one.column for one in query.entities if one.column and not (one.asked and name == "outliers")]
    numbers = [one for one in columns if table.is_number(one) and not table.column(one).is_label]
    labels = [one for one in dict.fromkeys((*columns, *keys, *things)) if one not in numbers]
    if len(keys) < len(query.keys) or any(not isinstance(one, Figure) for one in query.figures):
        return  # a statistic of figures, or in periods
    counted = any(_counts(figure) for figure in query.figures)
    if query.extreme is not None or query.limits or query.window is not None:
        return
    between = query.sides.test if query.sides is not None else None
    if between is not None and labels not in ([], [between.column]):
        return  # groups between some of which there is a statistic by others
    said = {one.function for one in query.figures if isinstance(one, Figure) and not one.implied}
    added = said - {F.COUNT, F.COUNT_DISTINCT, F.MEAN}
    if (name in _OF_VALUES and said - _COUNTED) or (name in _OF_GROUPS and added) or added - {F.SUM}:
        return  # a statistic of figures, or of another figure than the mean
    if name == "outliers" and not said <= {F.COUNT, F.COUNT_DISTINCT} and labels:
        return  # which of the figures of groups is one
    if name in _OF_VALUES and (said & {F.COUNT, F.COUNT_DISTINCT} or (said and keys)):
        return  # "correlation of the number of boats and the total weight by harbour" is one of figures
    if name == "crosstab":
        if len(labels) == 2 and not numbers:
            yield Crossed(query.tests, Column(labels[0]), Column(labels[1]), ROWS)
        return
    tests = query.tests
    step: Step | None = None
    match name:
        case "correlation" | "spearman" if len(numbers) >= 2 and len(labels) <= 1:
            method = CorrelationMethod.SPEARMAN if name == "spearman" else CorrelationMethod.PEARSON
            step = Correlations(columns=Columns(names=tuple(numbers)), by=_names(labels), method=method)
        case "regression" if len(numbers) == 2 and len(labels) <= 1:
            step = LinearRegression(y=Col(name=numbers[0]), x=Col(name=numbers[1]), by=_names(labels))
        case "t_test" | "mann_whitney":
            test = TwoSampleTest.WELCH if name == "t_test" else TwoSampleTest.MANN_WHITNEY
            two = [one for one in numbers if table.column(one).known.distinct == _TWO]
            if len(numbers) == _TWO and len(two) == 1 and not labels:
                numbers, labels = [one for one in numbers if one not in two], two
            if len(numbers) == 2 and not labels:
                step = TwoColumns(test=test, first=Col(name=numbers[0]), second=Col(name=numbers[1]))
            elif len(numbers) == 1:
                found = _two_groups(labels, query, table)
                if found is not None:
                    group, first, second, used = found
                    tests = tuple(test_ for test_ in tests if test_ is not used)
                    step = TwoGroups(
                        test=test, value=Col(name=numbers[0]), group=Col(name=group), first=first, second=second
                    )
        case "matrix" if not labels:
            named = tuple(numbers) or tuple(one for one in table.names if table.is_number(one))
            step = CorrelationMatrix(columns=Columns(names=named))
        case "missing_values" if not query.keys and not counted:
            step = MissingValues(columns=Columns(names=tuple(columns) or table.names))
        case "differ" if len(numbers) == 1 and len(labels) <= 1:
            found = _two_groups(labels, query, table)
            compared = Col(name=numbers[0])
            if found is not None and found[3] in (None, *query.tests):
                tests = tuple(test for test in tests if test is not found[3])
                step = TwoGroups(value=compared, group=Col(name=found[0]), first=found[1], second=found[2])
            elif found is None and labels:
                asked = any(one.asked for one in query.entities)  # "which towns differ significantly"
                step = Anova(value=compared, group=Col(name=labels[0]), post_hoc=asked)
        case "anova" | "tukey" if len(numbers) == 1 and len(labels) == 1:
            step = Anova(value=Col(name=numbers[0]), group=Col(name=labels[0]), post_hoc=name == PAIRS)
        case "kruskal" if len(numbers) == 1 and len(labels) == 1:
            step = KruskalWallis(value=Col(name=numbers[0]), group=Col(name=labels[0]))
        case "chi_square" if len(labels) == 2 and not numbers:
            step = ChiSquare(first=Col(name=labels[0]), second=Col(name=labels[1]))
        case "normality" if len(numbers) == 1 and len(labels) <= 1:
            step = Normality(column=Col(name=numbers[0]), by=_names(labels))
        case "interval" if len(numbers) == 1 and len(labels) <= 1:
            level = Lit(value=_LEVEL, type=ColumnType.REAL)
            step = MeanInterval(column=Col(name=numbers[0]), level=level, by=_names(labels))
        case "outliers" if len(numbers) == 1 and len(labels) <= 1:
            reach = Lit(value=_REACH, type=ColumnType.REAL)
            step = Outliers(column=Col(name=numbers[0]), reach=reach, by=_names(labels))
        case "duplicates" if not numbers:
            repeats = counted
            named = tuple(label for label in labels if not (counted and label in keys)) or table.names
            step = Duplicates(columns=Columns(names=named), repeats_only=repeats)
        case "describe" if len(labels) == 1 and not numbers and not keys:
            yield Grouping(tests, (Column(labels[0]),), (ROWS,))
        case "describe" if len(labels) <= 1:
            named = tuple(numbers) or tuple(one for one in table.names if table.is_number(one))
            step = Describe(columns=Columns(names=named), by=_names(labels))
        case _:
            return
    if step is not None:
        counts = counted and name in ("outliers", "duplicates")
        yield OneStep(tests, step, counted=counts, by=tuple(keys) if counts else ())


def _counts(figure: Measure) -> bool:
    """Tell whether rows are counted, or what "how many fares" adds up."""
    return isinstance(figure, Figure) and figure.function in (F.COUNT, F.COUNT_DISTINCT, F.SUM)


def _names(labels: list[str]) -> Columns:
    return Columns(names=tuple(labels))


def _two_groups(labels: list[str], query: Query, table: Table) -> tuple[str, Lit, Lit, object] | None:
    """Return the two groups to compare: those that are named, or the only two that a column has."""
    for test in query.tests:
        if isinstance(test, Is) and len(test.values) == 2 and (not labels or labels == [test.column]):
            first, second = (Lit(value=value, type=table.type_of(test.column)) for value in test.values)
            return test.column, first, second, test
    if len(labels) != 1:
        return None
    known = table.column(labels[0]).known
    if not known.complete or len(known.values) != 2:
        return None
    first, second = (Lit(value=value, type=table.type_of(labels[0])) for value in sorted(known.values))
    return labels[0], first, second, None
