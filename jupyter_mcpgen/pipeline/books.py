"""A plan cut where its rows become figures, and the engine that counts them: what accounting reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.plan.cut import Cut
from jupyter_mcpgen.plan.expressions import Col, IsIn, IsMissing
from jupyter_mcpgen.plan.ops import (
    CUTS,
    FIGURES,
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Measure,
    Pivot,
    Rename,
    Resample,
    Sort,
    Step,
    Window,
)
from jupyter_mcpgen.plan.statistics import Duplicates, Outliers

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
class Books(Cut):
    """A plan cut where its rows become figures, and the engine that counts."""

    engine: Engine

    @property
    def used(self) -> tuple[Step, ...]:
        """Steps that give just the rows that belong to a group."""
        present = tuple(Filter(predicate=IsMissing(operand=Col(name=name), negated=True)) for name in self.keys)
        shown = (Filter(predicate=listed(self.step)),) if isinstance(self.step, Pivot) else ()
        return (*self.before, *present, *shown)

    @property
    def shows_every_group(self) -> bool:
        """True when nothing after the aggregation leaves a group out."""
        return not any(isinstance(step, (Filter, Outliers, Duplicates, *CUTS)) for step in self.after)

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


def rows_said(number: int) -> str:
    """Return a number of rows in words."""
    return f"{number:,} {'row' if number == 1 else 'rows'}"


def left_out(which: str, number: int) -> Evidence:
    """Return that some rows were not used; `which` counts them and says why."""
    return note("left_out", f"{which} {'was' if number == 1 else 'were'} left out.", number)


def note(check: str, sentence: str, figure: int | None = None) -> Evidence:
    """Return what the card says below its line of evidence."""
    return Evidence(check=check, verdict=Verdict.PASSED, sentence=sentence, figure=figure, place=Place.NOTE)
