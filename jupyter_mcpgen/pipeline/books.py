"""A plan cut where its rows become figures, and the engine that counts them: what accounting reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.plan.check import period_of
from jupyter_mcpgen.plan.expressions import Col, Columns, IsIn, IsMissing
from jupyter_mcpgen.plan.ops import (
    CUTS,
    FIGURES,
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Filter,
    Measure,
    Pivot,
    Rename,
    Resample,
    Sort,
    Step,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.statistics import FigureStatistic

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Rows:
    """Where the rows of the source went."""

    source: int
    kept: int
    used: int
    without_key: tuple[tuple[str, int], ...]
    without_value: tuple[tuple[str, int], ...] = ()
    """Rows used whose measured value is missing: they are in a group and add nothing to its figure."""
    other_values: tuple[tuple[str, int], ...] = ()
    """Rows that have another value than those that became columns."""


@dataclass(frozen=True)
class Books:
    """A plan cut where its rows become figures, and the engine that counts."""

    plan: Plan
    engine: Engine

    @cached_property
    def place(self) -> int:
        """Where rows become figures, or where a list of rows is cut off."""
        steps = self.plan.steps
        figures = [place for place, step in enumerate(steps) if isinstance(step, (*FIGURES, FigureStatistic))]
        limits = [place for place, step in enumerate(steps) if isinstance(step, CUTS)]
        return (figures or limits or [len(steps)])[0]

    @property
    def step(self) -> Step | None:
        """The step that stands there."""
        return self.plan.steps[self.place] if self.place < len(self.plan.steps) else None

    @property
    def aggregate(self) -> Aggregate | None:
        """The aggregation that stands there; of periods, the one before empty ones are put in."""
        match self.step:
            case Aggregate() as aggregate:
                return aggregate
            case Resample(name=name, by=by, measures=measures):
                return Aggregate(by=Columns(names=(name, *by.names)), measures=measures)
            case _:
                return None

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns it groups by; a row without one of them is left out."""
        match self.step:
            case Pivot(by=by, column=column):
                return (*by.names, column.name)
            case TopPerGroup(by=by) | Describe(by=by):
                return by.names
            case _:
                return self.aggregate.by.names if self.aggregate is not None else ()

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The figures it computes."""
        if isinstance(self.step, Pivot):
            return (self.step.measure,)
        return self.aggregate.measures if self.aggregate is not None else ()

    @property
    def before(self) -> tuple[Step, ...]:
        """The steps that give the rows to aggregate."""
        dated = (period_of(self.step),) if isinstance(self.step, Resample) else ()
        return (*self.plan.steps[: self.place], *dated)

    @property
    def after(self) -> tuple[Step, ...]:
        """The steps that the groups go through."""
        return self.plan.steps[self.place + 1 :]

    @property
    def used(self) -> tuple[Step, ...]:
        """Steps that give just the rows that belong to a group."""
        present = tuple(Filter(predicate=IsMissing(operand=Col(name=name), negated=True)) for name in self.keys)
        shown = (Filter(predicate=listed(self.step)),) if isinstance(self.step, Pivot) else ()
        return (*self.before, *present, *shown)

    @property
    def shows_every_group(self) -> bool:
        """True when nothing after the aggregation leaves a group out."""
        return not any(isinstance(step, (Filter, *CUTS)) for step in self.after)

    def shows(self, measure: Measure) -> bool:
        """Tell whether the result still has the figures of a measure as they were computed."""
        made = {step.name for step in self.after if isinstance(step, Derive | Window | Rename)}
        again = any(isinstance(step, FIGURES) for step in self.after)
        return not again and measure.name not in made and measure.name in self.plan.result_schema.names

    def remeasured(self, *measures: Measure) -> tuple[Step, ...]:
        """Return the plan with other measures in the same groups and the same order."""
        figures: tuple[Step, ...] = ()
        if isinstance(self.step, Aggregate | Resample):
            both = {measure.name: measure for measure in (*self.step.measures, *measures)}
            figures = (self.step.model_copy(update={"measures": tuple(both.values())}),)
        order = tuple(step for step in self.after if isinstance(step, Sort | Derive | Window | Rename))
        return (*self.plan.steps[: self.place], *figures, *order)

    def count(self, steps: tuple[Step, ...]) -> int:
        """Return how many rows some steps give."""
        counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
        return int(self.figure((*steps, counted)))

    def over_all(self, measure: Measure) -> float:
        """Return a measure over all rows used, without groups."""
        return self.figure((*self.used, Aggregate(measures=(measure,))))

    def figure(self, steps: tuple[Step, ...]) -> float:
        """Return the one figure that some steps give."""
        return self.engine.figure(self.plan.with_steps(steps))

    def table(self, steps: tuple[Step, ...]) -> pd.DataFrame:
        """Return the table that some steps give."""
        return self.engine.table(self.plan.with_steps(steps))


def listed(step: Pivot) -> IsIn:
    """Return that a row has one of the values that became columns."""
    return IsIn(operand=Col(name=step.column.name), values=step.values)
