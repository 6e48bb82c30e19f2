"""What a question was understood to ask: the seed's fields, and the plan behind them."""

from __future__ import annotations

from enum import StrEnum

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.english_measures import say_measure
from jupyter_mcpgen.plan.ops import Aggregate, Describe, Distinct, Filter, Limit, Pivot, Resample, Sort, TopPerGroup
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


class ReadBy(StrEnum):
    """Who read a question."""

    PLANNER = "planner"
    MODEL = "model"
    BOTH = "both"
    """The planner and the model, who understood the same."""
    PERSON = "person"
    """A person, who picked this reading from several."""
    SQL = "sql"
    """Nobody: a person asked in SQL."""


class OutputFormat(StrEnum):
    """In which form the person wants the result."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


class Agreeing(Record):
    """How many replies of one model gave the rows that are shown, of those that were asked for."""

    replies: int
    asked: int


class Alternative(Record):
    """Another reading, ready to be switched to."""

    label: str
    reading: str
    plan: Plan
    assumptions: tuple[str, ...] = ()


class Intent(Record):
    """A question as understood: operation, columns and metrics, the input, and the plan that says it exactly."""

    operation: Operation
    columns: tuple[str, ...]
    metrics: tuple[str, ...]
    input: str
    other_input: str | None = None
    """The path of the second table, for a plan over two; `input` is that of the first."""
    reading: str
    plan: Plan
    assumptions: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    read_by: ReadBy = ReadBy.PLANNER
    own: Second | None = None
    """The query that the plan was read from, where a model or a person wrote one; it must give the plan's rows."""
    agreeing: Agreeing | None = None
    """How many replies of a model say this, where it was asked for several."""
    output_format: OutputFormat = OutputFormat.TABLE
    tables: tuple[DataRef, ...] = ()
    """What `input` and `other_input` are the paths of: a file may have been unpacked, or read as a person said."""

    @property
    def as_alternative(self) -> Alternative:
        """This reading as one to be switched to."""
        return Alternative(label=self.reading, reading=self.reading, plan=self.plan, assumptions=self.assumptions)

    def instead_of(self, former: Intent) -> Intent:
        """Return the intent with the reading that it corrects among its alternatives, so that a person can go back."""
        others = tuple(other for other in self.alternatives if other.plan != former.plan)
        return self.replace(alternatives=(*others, former.as_alternative))

    def picked(self, chosen: Alternative) -> Intent:
        """Return the intent with another of its readings, by a person; the one it had becomes an alternative."""
        others = tuple(other for other in self.alternatives if other != chosen)
        other = intent_of(chosen.plan, self.input, chosen.assumptions, (*others, self.as_alternative), self.other_input)
        return other.replace(read_by=ReadBy.PERSON, output_format=self.output_format, tables=self.tables)


def intent_of(
    plan: Plan,
    input_: str,
    assumptions: tuple[str, ...],
    alternatives: tuple[Alternative, ...],
    other_input: str | None = None,
) -> Intent:
    """Return the intent that a plan over an input, or over two, is; everything else follows from the plan."""
    measures = [m for step in plan.steps if isinstance(step, Aggregate | Resample) for m in step.measures]
    measures += [step.measure for step in plan.steps if isinstance(step, Pivot)]
    used = used_columns(plan)
    return Intent(
        operation=operation_of(plan),
        columns=tuple(name for name in plan.source_schema.names if name in used),
        metrics=tuple(m.function.value if m.column is None else say_measure(m) for m in measures),
        input=input_,
        other_input=other_input if plan.second is not None else None,
        reading=say_plan(plan),
        plan=plan,
        assumptions=assumptions,
        alternatives=alternatives,
    )


def operation_of(plan: Plan) -> Operation:
    """Return the kind of work that a plan is."""
    kinds = {type(step) for step in plan.steps}
    grouped = any(
        isinstance(step, Resample | Pivot | Distinct) or (isinstance(step, Aggregate) and step.by.names)
        for step in plan.steps
    )
    if grouped:
        return Operation.FILTER_GROUPBY if Filter in kinds else Operation.GROUPBY_AGGREGATE
    if Aggregate in kinds:
        return Operation.AGGREGATE
    if Describe in kinds:
        return Operation.DESCRIBE
    if kinds & {Limit, Sort, TopPerGroup}:
        return Operation.TOP
    return Operation.FILTER if Filter in kinds else Operation.SELECT
