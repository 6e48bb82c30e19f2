"""A plan of figures taken apart around its only aggregation, which every comparison begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Chart,
    Derive,
    Filter,
    Measure,
    Select,
    Sort,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan

ADDED_UP = frozenset({AggregateFunction.SUM, AggregateFunction.COUNT})
"""The figures that add up, so that they have a total."""


@dataclass(frozen=True)
class Figures:
    """A plan around its only aggregation."""

    plan: Plan
    before: tuple[Step, ...]
    aggregate: Aggregate
    after: tuple[Step, ...]

    @property
    def measure(self) -> Measure:
        """The only figure."""
        if len(self.aggregate.measures) != 1:
            raise PlanError("Only one figure is compared at a time.")
        return self.aggregate.measures[0]

    @property
    def derived(self) -> Mapping[str, Derive]:
        """The columns that are computed before, by name."""
        return {step.name: step for step in self.before if isinstance(step, Derive)}

    def without(self, *kinds: type[Step]) -> tuple[Step, ...]:
        """Return the steps after the aggregation without some, and refuse any that filter groups."""
        if any(isinstance(step, Filter) for step in self.after):
            raise PlanError("Figures of some groups only are not compared.")
        return tuple(step for step in self.after if not isinstance(step, kinds))

    def free(self, name: str) -> str:
        """Return a name that no column of the result has."""
        taken = {*self.plan.source_schema.names, *self.plan.result_schema.names}
        while name in taken:
            name += "_"
        return name

    def built(self, steps: tuple[Step, ...], chart: Chart | None) -> Plan:
        """Return the plan of other steps over the same source."""
        return self.plan.with_steps(steps, chart)


def figures_of(plan: Plan) -> Figures:
    """Return a plan taken apart around its aggregation; raises `PlanError` where it has none, or several."""
    found = [(place, step) for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)]
    if len(found) != 1:
        raise PlanError("There are no figures to compare.")
    place, aggregate = found[0]
    return Figures(plan, plan.steps[:place], aggregate, plan.steps[place + 1 :])


def showing(step: Step, name: str) -> Step:
    """Let a choice of columns show one more."""
    if isinstance(step, Select):
        return Select(columns=Columns(names=(*step.columns.names, name)))
    return step


def renamed(steps: tuple[Step, ...], names: Mapping[str, str]) -> tuple[Step, ...]:
    """Let sorts and choices of columns name figures that are called otherwise now."""
    return tuple(_renamed(step, names) for step in steps)


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    """Let a sort or a choice of columns name the new figures."""
    match step:
        case Sort():
            keys = tuple(k.model_copy(update={"column": names.get(k.column, k.column)}) for k in step.keys)
            return Sort(keys=keys)
        case Select():
            return Select(columns=Columns(names=tuple(names.get(n, n) for n in step.columns.names)))
        case _:
            return step


def redrawn(chart: Chart | None, names: Mapping[str, str]) -> Chart | None:
    """Let a chart draw the figures that are called otherwise now."""
    if chart is None or chart.y is None:
        return chart
    return chart.model_copy(update={"y": names.get(chart.y, chart.y)})
