"""A plan: a source, its steps and a chart. A plan that exists is valid over its schema."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, takewhile
from typing import Self

from pydantic import ConfigDict, model_validator

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.check import schema_after
from jupyter_mcpgen.plan.ops import Chart, Step
from jupyter_mcpgen.plan.reshaping import Members, Reshaping, Unpivot
from jupyter_mcpgen.plan.schema import Node, Schema
from jupyter_mcpgen.plan.sources import Second


class Plan(Node):
    """What to do with one table, checked when built: every column exists where it is used and fits its use.

    `source_schema` is what the first step sees. With a `second` table that is the table made of both, see `sources`.

    Raises `UnknownColumn` or `WrongType` at construction, with the nearest name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    source: str
    source_schema: Schema
    second: Second | None = None
    steps: tuple[Step, ...] = ()
    chart: Chart | None = None

    @model_validator(mode="after")
    def _check(self) -> Plan:
        if self.second is not None and self.second.schema_ != self.source_schema:
            raise PlanError(f"The columns of a plan over two tables follow from both, see `{self.second.other}`.")
        names = self.result_schema
        if self.chart is not None:
            for name in self.chart.columns:
                names.type_of(name)
        return self

    def schema_at(self, position: int) -> Schema:
        """Return the schema that the step at a position sees; `len(steps)` gives the result's."""
        return self._schemas[len(self.steps[:position])]

    @cached_property
    def _schemas(self) -> tuple[Schema, ...]:
        following = accumulate(self.steps, lambda schema, step: schema_after(step, schema), initial=self.source_schema)
        return tuple(following)

    def __copy__(self) -> Self:
        """Return a copy that has yet to find its schemas: `model_copy` may give it other steps."""
        copied = super().__copy__()
        vars(copied).pop("_schemas", None)
        vars(copied).pop("reshaping", None)
        return copied

    @cached_property
    def reshaping(self) -> tuple[Reshaping, ...]:
        """The steps at the beginning that make other rows of the source: those that are asked about."""
        steps = (step if isinstance(step, Unpivot | Members) else None for step in self.steps)
        return tuple(step for step in takewhile(lambda step: step is not None, steps) if step is not None)

    @property
    def table_schema(self) -> Schema:
        """The columns of the rows that are asked about: those of the source, unless it is reshaped."""
        return self.schema_at(len(self.reshaping))

    @property
    def result_schema(self) -> Schema:
        """The columns of the result."""
        return self._schemas[-1]

    def with_steps(self, steps: tuple[Step, ...], chart: Chart | None = None) -> Plan:
        """Return the same source with other steps, and with no chart unless one is given."""
        return Plan(source=self.source, source_schema=self.source_schema, second=self.second, steps=steps, chart=chart)

    def tried(self, steps: tuple[Step, ...], chart: Chart | None = None) -> Plan | None:
        """Return the same source with other steps and a chart; None where they do not fit its columns."""
        try:
            return self.with_steps(steps, chart)
        except PlanError:
            return None

    def over(self, second: Second) -> Plan:
        """Return the same steps over a table that is made of two; raises `PlanError` when its columns do not fit."""
        return Plan(source=self.source, source_schema=second.schema_, second=second, steps=self.steps, chart=self.chart)
