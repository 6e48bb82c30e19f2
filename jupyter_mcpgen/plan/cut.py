"""A plan cut where its rows become figures: what comes before, what is grouped by, what is measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from jupyter_mcpgen.plan.check import period_of
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import (
    CUTS,
    FIGURES,
    Aggregate,
    Describe,
    Measure,
    Pivot,
    Resample,
    Step,
    TopPerGroup,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.statistics import FigureStatistic


@dataclass(frozen=True)
class Cut:
    """A plan cut where its rows become figures, or where a list of rows is cut off."""

    plan: Plan

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
