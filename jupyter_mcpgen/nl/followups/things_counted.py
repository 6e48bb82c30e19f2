"""Things that a follow-up counts: "number of orders" is that of different ones where an order has several rows."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Grouping, to_plan
from jupyter_mcpgen.nl.computed.column import text_of
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.followups.cue import cue_of
from jupyter_mcpgen.nl.followups.in_one_sentence import Alone
from jupyter_mcpgen.nl.followups.uncompared import former_of
from jupyter_mcpgen.nl.parsing.grammar import COUNT_ROWS
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction
from jupyter_mcpgen.plan.plan import Plan


def counting_things(
    followed: Understanding | None, question: str, before: Plan, profile: Profile, language: str, alone: Alone
) -> Understanding | None:
    """Return a follow-up that counts what its words count where they stand alone; any other one as it is."""
    if not isinstance(followed, Answered) or not _counts_rows(followed.winner.plan) or _counts_rows(before):
        return followed
    context = context_of(profile, language)
    _, rest = cue_of(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context.lexicon)
    meant = alone(text_of(rest), profile, language) if rest else None
    thing = _thing(meant.winner.plan) if isinstance(meant, Answered) else None
    if not isinstance(meant, Answered) or thing is None:
        return followed
    made = _counting(thing, followed.winner, context)
    if made is None:
        return followed
    notes = (*followed.winner.assumptions, *meant.winner.assumptions)
    return replace(followed, winner=replace(made, assumptions=tuple(dict.fromkeys(notes))))


def _counts_rows(plan: Plan) -> bool:
    """Tell whether the number of rows is a figure of a plan."""
    measures = [measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures]
    return any(measure.function is AggregateFunction.COUNT and measure.column is None for measure in measures)


def _thing(plan: Plan) -> str | None:
    """Return the column whose different values are all that a plan counts; None for any other plan."""
    match plan.steps:
        case (Aggregate(by=by, measures=(measure,)),) if not by.names and measure.column is not None:
            return measure.column.name if measure.function is AggregateFunction.COUNT_DISTINCT else None
        case _:
            return None


def _counting(thing: str, reading: Reading, context: Context) -> Reading | None:
    """Return a reading with the different values of a column in the place of rows; None where it has no place."""
    former = former_of(reading.plan, context)
    if former is None or not isinstance(former.answer, Grouping):
        return None
    counted = m.Measured(AggregateFunction.COUNT_DISTINCT, thing)
    measures = tuple(counted if measured == COUNT_ROWS else measured for measured in former.answer.measures)
    order = counted if former.answer.order == COUNT_ROWS else former.answer.order
    try:
        plan = former.complete(to_plan(replace(former.answer, measures=measures, order=order), context))
    except PlanError:
        return None  # what is counted makes the groups
    return replace(reading, plan=plan)
