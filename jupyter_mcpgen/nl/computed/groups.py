"""Groups whose figure is compared with that of the others: "regions with above-average revenue".

Groups are also periods: "months in which revenue was below the average".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import text_of
from jupyter_mcpgen.nl.computed.figures import Comparison, column_named, comparisons_in, without_hyphens
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan

HOW_MANY = 2
"""Of how many words it is that groups are counted."""


@dataclass(frozen=True)
class ComparedGroups:
    """The question for the figures of all groups, and what keeps those groups of its plan that are asked for."""

    question: str
    complete: Callable[[Plan], Plan | None]


def groups_in(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> ComparedGroups | None:
    """Return the groups that a question compares with the average of all, or None where it is about rows."""
    words = without_hyphens(tokens, vocabulary)
    for compared in comparisons_in(words, vocabulary, context):
        value = compared.value
        if compared.by is not None or compared.factor != 1 or value is None:
            continue
        opening = tuple(t for t in words[: value.start] if t.lower not in vocabulary.lists["asking"])
        said_sums = [t.lower for t in words[compared.start : compared.end] if t.lower in vocabulary.lists["sums"]]
        functions = {*said_sums[:1]} or {
            word for word in vocabulary.lists["functions"] if opening and opening[-1].lower == word
        }
        subject = tuple(t for t in opening if t.lower not in functions)
        counted = " ".join(t.lower for t in subject[:HOW_MANY]) in vocabulary.lists["how_many"]
        group = _group(subject[HOW_MANY:] if counted else subject, vocabulary, context)
        if group is None:
            continue
        called, kind = group
        sums: list[str] = (
            [] if isinstance(kind, str) or context.adds_up(value.name) is False else list(vocabulary.lists["sums"][:1])
        )
        said = [*(functions or sums), f"`{value.name}`", vocabulary.words["by"], called, text_of(words[compared.end :])]
        complete = partial(_kept, group=kind, compared=compared, counted=counted)
        return ComparedGroups(" ".join(part for part in said if part), complete)
    return None


def _group(subject: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> tuple[str, str | DateUnit] | None:
    """Return what groups are called, and their column or which periods they are; None where words name no groups."""
    while subject and subject[-1].lower in vocabulary.lists["in_periods"]:
        subject = subject[:-1]
    name = column_named(subject, context)
    if name is not None and not context.is_measure(name) and not context.names_rows(name):
        return f"`{name}`", name
    words = [token.lower for token in subject if token.lower not in vocabulary.lists["in_periods"]]
    if len(words) != 1 or context.columns_with(context.plain(words[0])):
        return None
    units = (one.unit for one in context.lexicon.meanings(words[0]) if isinstance(one, m.Unit) and not one.adjective)
    unit = next((unit for unit in units if unit.is_period), None)
    return None if unit is None else (words[0], unit)


def _kept(plan: Plan, group: str | DateUnit, compared: Comparison, *, counted: bool) -> Plan | None:
    """Return the plan with the groups that compare so; None where it does not give one figure per group."""
    places = [place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)]
    aggregate = plan.steps[places[0]] if len(places) == 1 else None
    if not isinstance(aggregate, Aggregate) or len(aggregate.by.names) != 1 or len(aggregate.measures) != 1:
        return None
    made = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    period = made.get(aggregate.by.names[0])
    if aggregate.by.names != (group,) and not (isinstance(period, DatePart) and period.unit is group):
        return None
    measure = aggregate.measures[0]
    before, after = plan.steps[: places[0]], plan.steps[places[0] + 1 :]
    figures: tuple[Window | Aggregate, ...]
    if measure.function is AggregateFunction.MEAN and measure.column is not None:
        figures = _with_mean_of_rows(aggregate, measure.column, compared.function)
    else:
        name = f"{compared.function.value}_of_groups"
        figures = (aggregate, Window(name=name, function=compared.function, column=Col(name=measure.name)))
    last = figures[-1]
    with_figure = last.measures[-1].name if isinstance(last, Aggregate) else last.name
    kept = Filter(predicate=Compare(op=compared.op, left=Col(name=measure.name), right=Col(name=with_figure)))
    number = Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT),))
    return plan.with_steps(
        (*before, *figures, kept, *((number,) if counted else after)), None if counted else plan.chart
    )


def _with_mean_of_rows(aggregate: Aggregate, column: Col, function: WindowFunction) -> tuple[Window | Aggregate, ...]:
    """Return the means of the groups beside the figure of all rows."""
    name = f"{function.value}_of_all_rows"
    beside = Measure(function=AggregateFunction.FIRST, column=Col(name=name), label=name)
    window = Window(name=name, function=function, column=column)
    return window, aggregate.model_copy(update={"measures": (*aggregate.measures, beside)})
