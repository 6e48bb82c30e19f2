"""Some groups of an answer that says parts of a whole: "what about the West?" keeps the whole that its part is of."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembling.answers import Answer, Grouping, to_plan
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.uncompared import Complete, Former
from jupyter_mcpgen.nl.predicates import about, equal_values
from jupyter_mcpgen.plan.expressions import All, Compare, Predicate
from jupyter_mcpgen.plan.ops import ChartKind, Filter, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan

PARTS = frozenset({WindowFunction.SHARE, WindowFunction.PERCENT})
THE_WHOLE = "The parts are those of the whole that was there before."


def of_the_same_whole(
    answer: Answer, former: Former, said: tuple[Predicate, ...], context: Context
) -> tuple[Answer, Complete]:
    """Return a changed answer and what completes it, where a condition that was said chooses among its groups.

    Parts of a total are computed of all groups first, so that the one that is asked about is not all there is.
    """
    keys = {key.column for key in answer.keys if key.unit is None} if isinstance(answer, Grouping) else set()
    chosen = tuple(one for one in said if about(one) in keys and isinstance(one, Compare) and equal_values(one))
    if not isinstance(answer, Grouping) or len(answer.keys) != 1 or not chosen or not _says_parts(former, context):
        return answer, former.complete
    others = tuple(one for one in answer.conditions if one not in chosen)
    whole = replace(answer, conditions=others, limit=None).noting(THE_WHOLE)
    return whole, partial(_choosing, former.complete, chosen)


def _says_parts(former: Former, context: Context) -> bool:
    if former.percent is None:
        return False
    steps = former.complete(to_plan(former.answer, context)).steps
    return any(isinstance(step, Window) and step.function in PARTS for step in steps)


def _choosing(complete: Complete, chosen: tuple[Predicate, ...], plan: Plan) -> Plan:
    made = complete(plan)
    places = [place for place, step in enumerate(made.steps) if isinstance(step, Window) and step.function in PARTS]
    if not places:
        raise PlanError("Only parts of a total are of a whole that some groups are chosen from.")
    kept = Filter(predicate=chosen[0] if len(chosen) == 1 else All(terms=chosen))
    steps = (*made.steps[: places[0] + 1], kept, *made.steps[places[0] + 1 :])
    chart = made.chart
    if chart is not None and chart.kind is ChartKind.PIE:
        chart = chart.model_copy(update={"kind": ChartKind.BAR})  # a pie of one part looks like the whole
    return made.with_steps(steps).model_copy(update={"chart": chart})
