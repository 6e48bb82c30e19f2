"""The first few groups with all others put together: "pie of sales by product, top 5 and the rest as other"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.comparing.plans.figures import ADDED_UP
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.plan.expressions import Case, Col, Columns, Compare, CompareOp, Lit, When
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

Read = Callable[[str, Profile, str], Understanding]


def read_rest_as_other(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the groups behind its first few as one, where it asks so."""
    vocabulary = load_vocabulary(language)
    if vocabulary is None:
        return read(question, profile, language)
    said = Speech(question)
    table = Table(context_of(profile, language), vocabulary)
    found = next((f for f in said.find_all(table.wording("rest_as_other")) if f.text.strip(" ,.?!")), None)
    if found is None or table.is_data(found.folded("rest")):
        return read(question, profile, language)
    meant = read(said.put(found, "").text, profile, language)
    if not isinstance(meant, Answered):
        return read(question, profile, language)
    known = {value.casefold() for value in table.context.written_values}
    label = next((name for name in (found.said("one"), found.said("another")) if name.casefold() not in known), None)
    made = _together(meant.winner, label) if label is not None else None
    return read(question, profile, language) if made is None else Answered(made)


def _together(reading: Reading, label: str) -> Reading | None:
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
    place = "place"
    kept = Compare(op=CompareOp.LE, left=Col(name=place), right=Lit(value=n, type=ColumnType.INTEGER))
    named = Case(
        branches=(When(condition=kept, value=Col(name=group)),), otherwise=Lit(value=label, type=ColumnType.TEXT)
    )
    total = Measure(function=AggregateFunction.SUM, column=Col(name=measure.name), label=measure.name)
    made: tuple[Step, ...] = (
        *steps[:-3],
        grouped,
        Window(
            name=place,
            function=WindowFunction.RANK,
            column=Col(name=measure.name),
            descending=order.keys[0].descending,
        ),
        Derive(name=group, expression=named),
        Aggregate(by=Columns(names=(group,)), measures=(total,)),
        order,
    )
    try:
        plan = Plan(
            source=reading.plan.source, source_schema=reading.plan.source_schema, steps=made, chart=reading.plan.chart
        )
    except PlanError:
        return None  # a column of the table is called as the place
    note = f"All values of `{group}` behind the first {n} are put together as “{label}”."
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, note))
