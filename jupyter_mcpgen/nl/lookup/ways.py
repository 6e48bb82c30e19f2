"""Finds the other ways to read a question whose words leave open what a value is of, or what a figure adds up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.lookup.binding import Bind, conditions_of
from jupyter_mcpgen.nl.lookup.choice import Choice
from jupyter_mcpgen.nl.lookup.numbered import is_sequence
from jupyter_mcpgen.nl.lookup.opponents import turned_around
from jupyter_mcpgen.nl.lookup.plans import Draft, draft, holds_years
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure, Select
from jupyter_mcpgen.plan.plan import Plan

MAX_WAYS = 4
_ROWS = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
"""How many rows there are."""


@dataclass(frozen=True)
class Ways:
    """The plans that a question may mean, the likeliest first, and what it leaves open."""

    plans: tuple[Plan, ...]
    open_words: tuple[str, ...] = ()
    """The limits that name no column."""


NO_OTHER = Ways(())


def ways_of(made: Draft, choice: Choice, scene: Scene, table: Table) -> Ways:
    """Return the ways to read a question that leaves something open; none where it does not."""
    figure = scene.wants_figure or any(isinstance(step, Aggregate) for step in made.plan.steps)
    alone = len(choice.binding.binds) == 1  # the cells of two conditions show whether both were meant so
    others = tuple(_rebound(choice, scene, table))[: MAX_WAYS - 1] if figure or alone else ()
    turned = (draft(other, scene, table) for other in turned_around(choice, scene, table))
    others += tuple(other.plan for other in turned if other is not None)
    bare = tuple(_written(b, scene) for b in choice.binding.binds if b.bare)
    if others or bare:
        return Ways(tuple(dict.fromkeys((made.plan, *others))), bare)
    if scene.wants_figure and _lists_several(made.plan, choice, table):
        return Ways((made.plan, *_figures(made.plan, choice)))
    return NO_OTHER


def as_good(plan: Plan, choice: Choice, scene: Scene, table: Table) -> tuple[frozenset[str], frozenset[str]]:
    """Return the plans, as said, that must show what a plan shows, and those that mean nothing beside it.

    The same value in another column of the same rows makes no difference, nor does it whether rows or the values of a
    column without gaps are counted; a numbering or a year adds up to nothing.
    """
    same = {say_plan(one) for one in _rebound(choice, scene, table, same_rows=True)}
    last, column = plan.steps[-1] if plan.steps else None, choice.column
    if choice.name is None or not isinstance(last, Aggregate) or last != _ROWS:
        return frozenset(same), frozenset()
    counted = _with_figure(plan, AggregateFunction.COUNT, column)
    same |= {say_plan(counted)} if not table.context.column(column).nulls else set()
    numbers = table.context.is_code(column) or is_sequence(column, table) or holds_years(column, table)
    sums = (AggregateFunction.SUM, AggregateFunction.MEAN) if numbers and table.context.is_number(column) else ()
    return frozenset(same), frozenset(say_plan(_with_figure(plan, one, column)) for one in sums)


def _with_figure(plan: Plan, function: AggregateFunction, column: str) -> Plan:
    measure = Measure(function=function, column=Col(name=column))
    return plan.model_copy(update={"steps": (*plan.steps[:-1], Aggregate(measures=(measure,)))})


def _rebound(choice: Choice, scene: Scene, table: Table, *, same_rows: bool = False) -> Iterator[Plan]:
    """Yield the plans with one value in another column, where some row meets that: other rows, or the same ones."""
    binds = choice.binding.binds
    for place, bound in enumerate(binds):
        for other in bound.rivals:
            turned = (*binds[:place], other, *binds[place + 1 :])
            picked = conditions_of(turned, table)
            if other.cells.column == choice.column or not table.rows.meets(picked):
                continue
            if table.rows.same(picked, conditions_of(binds, table)) is not same_rows:
                continue
            made = draft(replace(choice, binding=replace(choice.binding, binds=turned)), scene, table)
            if made is not None:
                yield made.plan


def _written(bound: Bind, scene: Scene) -> str:
    words = {*(bound.bound.words if bound.bound else ()), *range(bound.mention.start, bound.mention.end)}
    return " ".join(word.written for i, word in enumerate(scene.words) if i in words)


def _lists_several(plan: Plan, choice: Choice, table: Table) -> bool:
    """Tell whether "how many" is answered with the cells of several rows."""
    lists = bool(plan.steps) and isinstance(plan.steps[-1], Select) and table.context.is_number(choice.column)
    binds = choice.binding.binds
    return lists and bool(binds) and table.rows.several(conditions_of(binds, table))


def _figures(plan: Plan, choice: Choice) -> Iterator[Plan]:
    for function in (AggregateFunction.SUM, AggregateFunction.MEAN):
        yield _with_figure(plan, function, choice.column)
