"""Reads "the second largest lake" as the largest one, and takes the place that is asked for instead of the first."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembling.superlatives import only_the_first
from jupyter_mcpgen.nl.entities.plans import at_place
from jupyter_mcpgen.nl.entities.reader import LONGEST
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.reading import Answered, Read, Understanding
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Limit,
    Select,
    Sort,
    SortKey,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan

_EXTREMES = {AggregateFunction.MAX: True, AggregateFunction.MIN: False}


def read_places(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means that may ask for another place of a ranking than the first."""
    if len(question) > LONGEST:
        return read(question, profile, language)
    said, table = Speech(question), table_of(profile, language)
    found = said.find(table.wording("another_place"))
    if found is None or _ranks_twice(said, table):
        return read(question, profile, language)
    first = read(said.put(found, "").text, profile, language)
    plan = _at_place(first.winner.plan, int(found.meant("place"))) if isinstance(first, Answered) else None
    if plan is None or not isinstance(first, Answered):
        return read(question, profile, language)
    note = f"“{found.text}”: rows with the same figure share a place, and the next place is left out."
    of_one = {only_the_first(name) for name in profile.schema_.names}
    assumed = (*(known for known in first.winner.assumptions if known not in of_one), note)
    winner = replace(first.winner, plan=plan, assumptions=assumed, no_chart=True)
    return Answered(winner, no_chart=True)


def _ranks_twice(said: Speech, table: Table) -> bool:
    """Tell whether a question asks for the ends of two orders, of which only one could have another place."""
    return len({found.start for found in said.find_all(table.wording("any_extreme"))}) > 1


def _at_place(plan: Plan, place: int) -> Plan | None:
    """Return a plan of what is first as one of what has another place; None where nothing is ranked."""
    steps = plan.steps
    one = next((number for number, step in enumerate(steps) if isinstance(step, Limit)), None)
    made = _of_an_extreme(plan, place) if one is None else _of_a_ranking(plan, one, place)
    try:
        return plan.with_steps(made).model_copy(update={"chart": None}) if made is not None else None
    except PlanError:
        return None


def _of_a_ranking(plan: Plan, one: int, place: int) -> tuple[Step, ...] | None:
    """Return the steps to another place of an order of which a plan keeps the first row, and maybe some columns."""
    steps = plan.steps
    ranked, limit, behind = steps[one - 1] if one else None, steps[one], steps[one + 1 :]
    if not isinstance(ranked, Sort) or not isinstance(limit, Limit) or limit.count != 1:
        return None
    if any(not isinstance(step, Select) for step in behind):
        return None
    return (*steps[: one - 1], *at_place(ranked.keys[0], place, plan.schema_at(one)), *behind)


def _of_an_extreme(plan: Plan, place: int) -> tuple[Step, ...] | None:
    """Return the steps to another place among the values of which the last step gives the largest or the smallest."""
    last = plan.steps[-1] if plan.steps else None
    if not isinstance(last, Aggregate) or last.by.names or len(last.measures) != 1:
        return None
    measure = last.measures[0]
    if measure.column is None or measure.function not in _EXTREMES:
        return None
    key = SortKey(column=measure.column.name, descending=_EXTREMES[measure.function])
    shown = Select(columns=Columns(names=(measure.column.name,)))
    return (*plan.steps[:-1], *at_place(key, place, plan.schema_at(len(plan.steps) - 1)), shown)
