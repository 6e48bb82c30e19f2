"""Statistics of the answer before, asked again of other columns, groups or rows, or as another statistic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import OneStep
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.assembly.statistics import statistics
from jupyter_mcpgen.nl.dialogue.merging import merged
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import Column, Is, Statistic
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import Describe, Step
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    CorrelationMatrix,
    CorrelationMethod,
    Correlations,
    KruskalWallis,
    LinearRegression,
    MeanInterval,
    Normality,
    Outliers,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)


def changed_test(answer: OneStep, said: Query, table: Table) -> OneStep | None:
    """Return the statistic with other columns or as another one; None where it has no place for what was said."""
    if said.extreme is not None or said.window is not None or said.limits or said.order is not None or said.drawn:
        return None
    labels, numbers = labels_and_numbers(said, numbers_of(table))
    keys = tuple(key.name for key in said.keys if isinstance(key, Column))
    things = tuple(one.column for one in said.entities if one.column)
    labels = tuple(dict.fromkeys((*labels, *keys, *things)))
    counts = ROWS in said.figures
    if len(keys) < len(said.keys) or (said.figures and not counts):
        return None
    if counts and not (labels or numbers) and isinstance(answer.step, Outliers):
        return replace(answer, counted=True)
    if counts or not (labels or numbers or said.statistic or said.tests):
        return None
    before = _query(answer, table)
    made = _made(before, table) if before is not None else None
    if before is None or made is None or type(made.step) is not type(answer.step):
        tests = merged(answer.tests, said.tests).tests
        return None if labels or numbers or said.statistic else replace(answer, tests=tests)
    after = _made(_asked(before, labels, numbers, said), table)
    return after if after is None or said.statistic is not None else replace(after, step=_kept(answer, made, after))


def _kept(answer: OneStep, made: OneStep, after: OneStep) -> Step:
    """Return a statistic with the options that it had, which a question need not say again."""
    if type(after.step) is not type(answer.step):
        return after.step
    fields = type(answer.step).model_fields
    new = {name: getattr(after.step, name) for name in fields if getattr(after.step, name) != getattr(made.step, name)}
    return answer.step.model_copy(update=new)


def _made(query: Query, table: Table) -> OneStep | None:
    name = query.statistic.name if query.statistic is not None else ""
    found = next(statistics(query, name, table), None)
    return found if isinstance(found, OneStep) else None


def _asked(before: Query, labels: tuple[str, ...], numbers: tuple[object, ...], said: Query) -> Query:
    own = tuple(term for term in before.terms if isinstance(term, Column))
    new = tuple(term for term in numbers if isinstance(term, Column))
    terms = new or own
    keys = tuple(map(Column, labels)) or before.keys
    tests = merged(before.tests, said.tests).tests
    return replace(before, terms=terms, keys=keys, tests=tests, statistic=said.statistic or before.statistic)


def _query(answer: OneStep, table: Table) -> Query | None:
    """Return the question that a statistic answers."""
    found = next(_columns(answer), None)
    if found is None:
        return None
    name, numbers, labels, tests = found
    return Query(
        terms=tuple(map(Column, numbers)),
        keys=tuple(map(Column, labels)),
        tests=(*answer.tests, *tests),
        statistic=Statistic(name),
        figures=(ROWS,) if answer.counted else (),
    )


def _columns(answer: OneStep) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...], tuple[Is, ...]]]:
    match answer.step:
        case Correlations(columns=columns, by=by, method=method):
            yield "spearman" if method is CorrelationMethod.SPEARMAN else "correlation", columns.names, by.names, ()
        case LinearRegression(y=y, x=x, by=by):
            yield "regression", (y.name, x.name), by.names, ()
        case TwoGroups(test=test, value=value, group=group, first=first, second=second):
            sides = Is(group.name, (first.value, second.value), apart=True)
            yield _name(test), (value.name,), (group.name,), (sides,)
        case TwoColumns(test=test, first=first, second=second):
            yield _name(test), (first.name, second.name), (), ()
        case Anova(value=value, group=group):
            yield "anova", (value.name,), (group.name,), ()
        case KruskalWallis(value=value, group=group):
            yield "kruskal", (value.name,), (group.name,), ()
        case ChiSquare(first=first, second=second):
            yield "chi_square", (), (first.name, second.name), ()
        case Normality(column=column, by=by):
            yield "normality", (column.name,), by.names, ()
        case MeanInterval(column=column, by=by):
            yield "interval", (column.name,), by.names, ()
        case Outliers(column=column, by=by):
            yield "outliers", (column.name,), by.names, ()
        case CorrelationMatrix(columns=columns):
            yield "matrix", columns.names, (), ()
        case Describe(columns=columns, by=by):
            yield "describe", columns.names, by.names, ()


def _name(test: TwoSampleTest) -> str:
    return "t_test" if test is TwoSampleTest.WELCH else "mann_whitney"
