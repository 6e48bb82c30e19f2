"""Groups whose figure is compared with that of the others: "regions with above-average revenue"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from jupyter_mcpgen.nl.computed.column import text_of
from jupyter_mcpgen.nl.computed.figures import Comparison, column_named, comparisons_in, without_hyphens
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.words.tokens import Token
from jupyter_mcpgen.plan.expressions import Col, Compare
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan


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
        sums = [t.lower for t in words[compared.start : compared.end] if t.lower in vocabulary.lists["sums"]]
        functions = {*sums[:1]} or {
            word for word in vocabulary.lists["functions"] if opening and opening[-1].lower == word
        }
        subject = tuple(t for t in opening if t.lower not in functions)
        group = column_named(subject, context)
        if group is None or context.is_measure(group) or context.names_rows(group):
            continue
        said = [*functions, f"`{value.name}`", vocabulary.words["by"], f"`{group}`", text_of(words[compared.end :])]
        return ComparedGroups(" ".join(part for part in said if part), partial(_kept, group=group, compared=compared))
    return None


def _kept(plan: Plan, group: str, compared: Comparison) -> Plan | None:
    """Return the plan with the groups that compare so; None where it does not give one figure per group."""
    places = [place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)]
    aggregate = plan.steps[places[0]] if len(places) == 1 else None
    if not isinstance(aggregate, Aggregate) or aggregate.by.names != (group,) or len(aggregate.measures) != 1:
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
    return Plan(
        source=plan.source,
        source_schema=plan.source_schema,
        second=plan.second,
        steps=(*before, *figures, kept, *after),
        chart=plan.chart,
    )


def _with_mean_of_rows(aggregate: Aggregate, column: Col, function: WindowFunction) -> tuple[Window | Aggregate, ...]:
    """Return the means of the groups beside the figure of all rows."""
    name = f"{function.value}_of_all_rows"
    beside = Measure(function=AggregateFunction.FIRST, column=Col(name=name), label=name)
    window = Window(name=name, function=function, column=column)
    return window, aggregate.model_copy(update={"measures": (*aggregate.measures, beside)})
