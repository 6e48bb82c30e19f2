"""Tells columns of one name apart: a question that means one of them is asked which, with the place of each."""

from __future__ import annotations

from typing import cast

from jupyter_mcpgen.data.references import repeated_columns
from jupyter_mcpgen.errors import DataError, PlanError
from jupyter_mcpgen.model.intent import Intent, intent_of
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import DataRef, Request
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import followed, with_names
from jupyter_mcpgen.plan.slots import rebuilt


def which_column(understood: Understood | OpenQuestion, ref: DataRef, request: Request) -> Understood | OpenQuestion:
    """Return what was understood, or the question which of several columns of one name is meant.

    Raises `DataError` where more is open than that.
    """
    intents = understood.intents if isinstance(understood, OpenQuestion) else (understood,)
    used = {name for intent in intents for name in intent.columns}
    for given, columns in repeated_columns(ref).items():
        meant = used.intersection(columns)
        if not meant or (given not in meant and all(name in request.question for name in meant)):
            continue
        if len(meant) > 1 or not isinstance(understood, Intent) or understood.plan.second is not None:
            raise DataError(
                f"`{ref.name}` has {len(columns)} columns named `{given}`, so a question about it cannot be "
                "answered. Rename them so that each has a name of its own, then ask again."
            )
        return _asked(understood, meant.pop(), given, columns, ref, request)
    return understood


def _asked(
    intent: Intent, taken: str, given: str, columns: tuple[str, ...], ref: DataRef, request: Request
) -> Intent | OpenQuestion:
    """Return the question with a reading for each of the columns that fits, or the one reading that there is."""
    places = intent.plan.source_schema.names
    readings: list[Intent] = []
    for name in columns:
        plan = _with_column(intent.plan, taken, name)
        if plan is not None:
            note = f"`{name}` is column {places.index(name) + 1} of the table, one of {len(columns)} named `{given}`."
            other = intent_of(plan, intent.input, (note, *intent.assumptions), (), intent.other_input)
            readings.append(other.replace(read_by=intent.read_by, output_format=intent.output_format))
    if len(readings) == 1:
        return readings[0]
    lines = "; ".join(f"({number}) {each.reading}" for number, each in enumerate(readings, 1))
    named = " and ".join(f"`{name}` in column {places.index(name) + 1}" for name in columns)
    text = f"`{ref.name}` has {len(columns)} columns named `{given}`, called {named}: {lines}. Which one do you mean?"
    return OpenQuestion(request=request, text=text, intents=tuple(readings))


def _with_column(plan: Plan, old: str, new: str) -> Plan | None:
    """Return a plan that reads another column in the place of one; None where that does not fit."""
    changed = (cast("Step", rebuilt(step, lambda node: with_names(node, {old: new}))) for step in plan.steps)
    try:
        return plan.with_steps(*followed(plan, tuple(changed)))
    except PlanError:
        return None
