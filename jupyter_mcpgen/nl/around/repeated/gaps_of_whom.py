"""The time between orders of several customers: of all orders, or of those of each customer, asked about."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import persons
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Understanding, asking_which
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Columns, TimeBetween
from jupyter_mcpgen.plan.ops import Derive, Step, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan


def asking_whose_gaps(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning, or ask whether the time since the row before is of all rows or of each customer's."""
    if not isinstance(meant, Answered):
        return meant
    plan, vocabulary = meant.winner.plan, load_vocabulary(language)
    lag = _gap(plan)
    if lag is None or lag.by.names:
        return meant
    person = persons.only_person(Table(context, vocabulary))
    makers = vocabulary.words("deal_makers")
    if person is None or context.column_words[person][-1] not in makers:
        return meant
    if any(person in names_in(step) for step in plan.steps):
        return meant  # of one of them, or told of each
    each = replace(meant.winner, plan=plan.with_steps(tuple(_of_each(step, lag, person) for step in plan.steps)))
    options = (meant.winner, each)
    return asking_which(
        options, f"The time since the row before may be that of all rows, or of the rows of each `{person}`. "
    )


def _gap(plan: Plan) -> Window | None:
    """Return the step that gives each row the date of the row before, where the time since then is computed."""
    starts = {
        name
        for step in plan.steps
        if isinstance(step, Derive) and isinstance(step.expression, TimeBetween)
        for name in names_in(step)
    }
    lags = (step for step in plan.steps if isinstance(step, Window) and step.function is WindowFunction.LAG)
    return next((step for step in lags if step.name in starts), None)


def _of_each(step: Step, lag: Window, person: str) -> Step:
    return lag.model_copy(update={"by": Columns(names=(person,))}) if step == lag else step
