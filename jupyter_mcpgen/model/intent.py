"""What a question was understood to ask: the seed's fields, and the plan behind them."""

from __future__ import annotations

from enum import StrEnum

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.ops import Aggregate, Describe, Filter, Limit, Sort
from jupyter_mcpgen.plan.plan import Plan


class Operation(StrEnum):
    """The kind of work, in the seed's words where it has one (ruling R26)."""

    GROUPBY_AGGREGATE = "groupby_aggregate"
    FILTER_GROUPBY = "filter_groupby"
    AGGREGATE = "aggregate"
    FILTER = "filter"
    TOP = "top"
    DESCRIBE = "describe"
    SELECT = "select"

    @classmethod
    def _missing_(cls, value: object) -> Operation | None:
        return cls.GROUPBY_AGGREGATE if value == "group_by_and_aggregate" else None


class Alternative(Record):
    """Another reading, ready to be switched to."""

    label: str
    reading: str
    plan: Plan


class Intent(Record):
    """A question as understood: operation, columns and metrics, the input, and the plan that says it exactly."""

    operation: Operation
    columns: tuple[str, ...]
    metrics: tuple[str, ...]
    input: str
    reading: str
    plan: Plan
    assumptions: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


def operation_of(plan: Plan) -> Operation:
    """Return the kind of work that a plan is."""
    kinds = {type(step) for step in plan.steps}
    grouped = any(isinstance(step, Aggregate) and step.by.names for step in plan.steps)
    if grouped:
        return Operation.FILTER_GROUPBY if Filter in kinds else Operation.GROUPBY_AGGREGATE
    if Aggregate in kinds:
        return Operation.AGGREGATE
    if Describe in kinds:
        return Operation.DESCRIBE
    if Limit in kinds or Sort in kinds:
        return Operation.TOP
    return Operation.FILTER if Filter in kinds else Operation.SELECT
