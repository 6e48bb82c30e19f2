"""Ways in which a SELECT could be read wrong, each as a plan with one change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.plan.expressions import All, Case, DatePart, DateUnit, IsMissing
from jupyter_mcpgen.plan.ops import (
    AggregateFunction,
    Distinct,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    Step,
    TopPerGroup,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.sources import Join, JoinKind

Misreading = Callable[[Plan], Iterator[Plan]]


def _nodes(node: Node, change: Callable[[Node], Node | None]) -> Iterator[Node]:
    """Yield a node with one change in one place inside it, for each place."""
    changed = change(node)
    if changed is not None:
        yield changed
    for field in type(node).model_fields:
        value = getattr(node, field)
        for place, child in enumerate(value if isinstance(value, tuple) else (value,)):
            for new in _nodes(child, change) if isinstance(child, Node) else ():
                both = (*value[:place], new, *value[place + 1 :]) if isinstance(value, tuple) else new
                yield node.model_copy(update={field: both})


def _changed(plan: Plan, change: Callable[[Node], Node | None]) -> Iterator[Plan]:
    for place, step in enumerate(plan.steps):
        for new in _nodes(step, change):
            yield from _valid(plan, (*plan.steps[:place], new, *plan.steps[place + 1 :]))


def _without(plan: Plan, kind: type[Step]) -> Iterator[Plan]:
    for place, step in enumerate(plan.steps):
        if isinstance(step, kind):
            yield from _valid(plan, (*plan.steps[:place], *plan.steps[place + 1 :]))


def _valid(plan: Plan, steps: tuple[Step, ...]) -> Iterator[Plan]:
    try:
        yield plan.with_steps(steps)
    except McpgenError:
        return


def lose_a_condition(plan: Plan) -> Iterator[Plan]:
    """Lose a condition."""

    def less(node: Node) -> Node | None:
        return (
            node.model_copy(update={"terms": node.terms[1:]}) if isinstance(node, All) and len(node.terms) > 1 else None
        )

    yield from chain(_without(plan, Filter), _changed(plan, less))


def join_otherwise(plan: Plan) -> Iterator[Plan]:
    """Join otherwise."""
    others = {
        JoinKind.LEFT: JoinKind.INNER,
        JoinKind.INNER: JoinKind.LEFT,
        JoinKind.SEMI: JoinKind.ANTI,
        JoinKind.ANTI: JoinKind.SEMI,
        JoinKind.OUTER: JoinKind.LEFT,
    }
    if isinstance(plan.second, Join):
        yield plan.over(plan.second.model_copy(update={"how": others[plan.second.how]}))


def turn_a_test_for_missing_values(plan: Plan) -> Iterator[Plan]:
    """Turn a test for missing values."""

    def turned(node: Node) -> Node | None:
        return node.model_copy(update={"negated": not node.negated}) if isinstance(node, IsMissing) else None

    yield from _changed(plan, turned)


def give_nothing_where_a_choice_gives_a_value(plan: Plan) -> Iterator[Plan]:
    """Give nothing where a choice gives a value."""
    yield from _changed(
        plan,
        lambda node: (
            node.model_copy(update={"otherwise": None})
            if isinstance(node, Case) and node.otherwise is not None
            else None
        ),
    )


def count_rows_for_values(plan: Plan) -> Iterator[Plan]:
    """Count rows for values."""

    def rows(node: Node) -> Node | None:
        is_count = isinstance(node, Measure) and node.function is AggregateFunction.COUNT and node.column is not None
        return node.model_copy(update={"column": None, "label": node.name}) if is_count else None

    yield from _changed(plan, rows)


def count_all_for_some(plan: Plan) -> Iterator[Plan]:
    """Count all for some."""

    def every(node: Node) -> Node | None:
        is_some = isinstance(node, Measure) and node.where is not None and node.function is AggregateFunction.COUNT
        return node.model_copy(update={"where": None, "label": node.name}) if is_some else None

    yield from _changed(plan, every)


def take_another_figure(plan: Plan) -> Iterator[Plan]:
    """Take another figure."""
    others = {
        AggregateFunction.SUM: AggregateFunction.MEAN,
        AggregateFunction.MEAN: AggregateFunction.MEDIAN,
        AggregateFunction.MIN: AggregateFunction.MAX,
        AggregateFunction.MAX: AggregateFunction.MIN,
        AggregateFunction.COUNT_DISTINCT: AggregateFunction.COUNT,
        AggregateFunction.STD: AggregateFunction.VAR,
    }

    def other(node: Node) -> Node | None:
        known = isinstance(node, Measure) and node.function in others
        return node.model_copy(update={"function": others[node.function], "label": node.name}) if known else None

    yield from _changed(plan, other)


def order_the_other_way(plan: Plan) -> Iterator[Plan]:
    """Order the other way."""
    for place, step in enumerate(plan.steps):
        if isinstance(step, Sort | TopPerGroup):
            first = step.keys[0]
            keys = (first.model_copy(update={"descending": not first.descending}), *step.keys[1:])
            yield from _valid(
                plan, (*plan.steps[:place], step.model_copy(update={"keys": keys}), *plan.steps[place + 1 :])
            )


def rank_the_other_way(plan: Plan) -> Iterator[Plan]:
    """Rank the other way."""
    yield from _changed(
        plan,
        lambda node: (
            node.model_copy(update={"descending": not node.descending})
            if isinstance(node, Window) and node.function is WindowFunction.RANK
            else None
        ),
    )


def keep_repeats(plan: Plan) -> Iterator[Plan]:
    """Keep repeats."""
    for place, step in enumerate(plan.steps):
        if isinstance(step, Distinct):
            yield from _valid(plan, (*plan.steps[:place], Select(columns=step.columns), *plan.steps[place + 1 :]))


def keep_one_row_more(plan: Plan) -> Iterator[Plan]:
    """Keep one row more."""
    for place, step in enumerate(plan.steps):
        if isinstance(step, Limit | TopPerGroup):
            more = step.model_copy(update={"count": step.count + 1})
            yield from _valid(plan, (*plan.steps[:place], more, *plan.steps[place + 1 :]))


def lose_the_groups(plan: Plan) -> Iterator[Plan]:
    """Lose the groups."""

    def alone(node: Node) -> Node | None:
        in_groups = isinstance(node, Window) and node.by.names
        return node.model_copy(update={"by": node.by.model_copy(update={"names": ()})}) if in_groups else None

    yield from _changed(plan, alone)


def take_another_period(plan: Plan) -> Iterator[Plan]:
    """Take another period."""
    others = {
        DateUnit.START_OF_MONTH: DateUnit.START_OF_QUARTER,
        DateUnit.START_OF_WEEK: DateUnit.START_OF_DAY,
        DateUnit.YEAR: DateUnit.MONTH,
        DateUnit.MONTH: DateUnit.DAY,
        DateUnit.HOUR: DateUnit.MINUTE,
        DateUnit.WEEKDAY: DateUnit.DAY,
    }
    yield from _changed(
        plan,
        lambda node: (
            node.model_copy(update={"unit": others[node.unit]})
            if isinstance(node, DatePart) and node.unit in others
            else None
        ),
    )


MISREADINGS: tuple[Misreading, ...] = (
    lose_a_condition,
    join_otherwise,
    turn_a_test_for_missing_values,
    give_nothing_where_a_choice_gives_a_value,
    count_rows_for_values,
    count_all_for_some,
    take_another_figure,
    order_the_other_way,
    rank_the_other_way,
    keep_repeats,
    keep_one_row_more,
    lose_the_groups,
    take_another_period,
)
