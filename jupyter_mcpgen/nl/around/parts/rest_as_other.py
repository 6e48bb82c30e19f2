"""The first few groups with all others put together: "pie of sales by product, top 5 and the rest as other"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.comparing.plans.figures import ADDED_UP
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, table_of
from jupyter_mcpgen.nl.reading import Answered, Read, Reading, Understanding
from jupyter_mcpgen.plan.expressions import (
    Case,
    Col,
    Columns,
    Compare,
    CompareOp,
    Expression,
    IsMissing,
    Lit,
    Predicate,
    When,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Limit,
    Measure,
    Sort,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def read_rest_as_other(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the groups behind its first few as one, where it asks so."""
    said = Speech(question)
    table = table_of(profile, language)
    found = next((f for f in said.find_all(table.wording("rest_as_other")) if f.text.strip(" ,.?!")), None)
    if found is None or table.is_data(found.folded("rest")):
        return read(question, profile, language)
    meant = read(said.put(found, found.said("by") if found["in_what"] else "").text, profile, language)
    if not isinstance(meant, Answered):
        return read(question, profile, language)
    known = {value.casefold() for value in table.context.written_values}
    label = next((name for name in (found.said("one"), found.said("another")) if name.casefold() not in known), None)
    made = _together(meant.winner, label, table.context) if label is not None else None
    return read(question, profile, language) if made is None else Answered(made)


def _together(reading: Reading, label: str, context: Context) -> Reading | None:
    """Return the first few groups of a plan and the others under one label; None where their figures do not add up."""
    steps = reading.plan.steps
    match steps[-3:]:
        case (Aggregate(by=Columns(names=(group,)), measures=(measure,)) as grouped, Sort() as order, Limit(count=n)):
            pass
        case _:
            return None
    type_ = reading.plan.schema_at(len(steps) - 2).type_of(group)
    ranked = len(order.keys) == 1 and order.keys[0].column == measure.name
    if type_ is not ColumnType.TEXT or not ranked or measure.function not in ADDED_UP:
        return None
    column, place, counted = Col(name=group), "place", "counted"
    other, lacking = Lit(value=label, type=ColumnType.TEXT), _may_lack(group, reading.plan, context)
    kept = Compare(op=CompareOp.LE, left=Col(name=place), right=Lit(value=n, type=ColumnType.INTEGER))
    total = Measure(function=AggregateFunction.SUM, column=Col(name=measure.name), label=measure.name)
    is_other = Compare(op=CompareOp.EQ, left=column, right=other)
    made: tuple[Step, ...] = (
        *steps[:-3],
        *((_called(group, IsMissing(operand=column), other, column),) if lacking else ()),
        grouped,
        order,
        _called(counted, is_other, Lit(value=0, type=ColumnType.INTEGER), Lit(value=1, type=ColumnType.INTEGER)),
        Window(name=place, function=WindowFunction.RUNNING_TOTAL, column=Col(name=counted)),  # no two share a place
        _called(group, kept, column, other),
        Aggregate(by=Columns(names=(group,)), measures=(total,)),
        order,
    )
    without = f", and rows without a `{group}`," if lacking else ""
    note = f"All values of `{group}` behind the first {n}{without} are put together as “{label}”."
    return reading.with_steps(
        made, reading.plan.chart, assumptions=(*reading.assumptions, note)
    )  # a column of the table is called as the place


def _called(name: str, condition: Predicate, then: Expression, otherwise: Expression) -> Derive:
    return Derive(name=name, expression=Case(branches=(When(condition=condition, value=then),), otherwise=otherwise))


def _may_lack(group: str, plan: Plan, context: Context) -> bool:
    """Tell whether rows may be without a group, which would then be in none."""
    return group not in plan.source_schema.names or context.column(group).nulls > 0
