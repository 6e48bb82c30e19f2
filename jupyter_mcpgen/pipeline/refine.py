"""Makes another question of a rejected answer and the words against it, where the words say what was meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jupyter_mcpgen.authors.author import Author
from jupyter_mcpgen.errors import ModelError, NotUnderstood
from jupyter_mcpgen.model.feedback import Reason
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Earlier, Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.intent import extract_intent
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.reasons import Objection, conditions_of, functions_of
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.ops import Limit, TopPerGroup
from jupyter_mcpgen.plan.plan import Plan


def refined_question(question: str, words: str) -> str:
    """Return what is asked now: the question of before, with the words against its answer."""
    return f"{question} ({words})"


def refine_by_planner(
    objection: Objection, request: Request, intent: Understood, material: Material, planner: Author
) -> Intent | None:
    """Return the change of an answer that the words against it ask for; None where no part of them says just one.

    Each part is read as a follow-up. A change counts when it does what the words find missing, and nothing else.
    """
    if isinstance(intent, WrittenIntent):
        return None
    by_model = intent.read_by is ReadBy.MODEL
    earlier = Earlier(question=request.question, plan=intent.plan, read_by_model=by_model, other=request.other)
    for fragment in objection.fragments:
        follow_up = request.replace(question=fragment, earlier=earlier)
        meant = [each for each in _read(follow_up, material, planner) if _meets(objection, intent.plan, each.plan)]
        if len(meant) == 1:
            return meant[0]
    return None


def refine_by_model(
    words: str, request: Request, intent: Understood, material: Material, services: Services
) -> Understood | None:
    """Return how a model reads the question with the words against its answer; None where it reads the same.

    `services` have the model for their author.
    """
    asked = request.replace(question=refined_question(request.question, words))
    try:
        meant = extract_intent(asked, material, replace(services, ask_back=lambda _: None))
    except (ModelError, NotUnderstood):
        return None  # what was rejected stays archived, and the person is told to ask anew
    return None if _is_same(meant, intent) else meant


def _is_same(meant: Understood, intent: Understood) -> bool:
    if isinstance(meant, Intent) and isinstance(intent, Intent):
        return meant.plan == intent.plan
    return isinstance(meant, WrittenIntent) and isinstance(intent, WrittenIntent) and meant.code == intent.code


def _read(request: Request, material: Material, planner: Author) -> Iterable[Intent]:
    """Return the readings of a follow-up; one that leaves words out is none."""
    other = material.other.profile if material.other is not None else None
    try:
        meant = planner.understand(request, material.profile, other)
    except NotUnderstood:
        return ()  # another part of the words may say it
    if isinstance(meant, OpenQuestion):
        return () if meant.refusal else tuple(each for each in meant.intents if isinstance(each, Intent))
    return (meant,) if isinstance(meant, Intent) else ()


def _meets(objection: Objection, before: Plan, after: Plan) -> bool:
    """Tell whether a plan does what the words find missing in the one before it, and keeps the rest of that."""
    kept_limits = _limits(before) == _limits(after)
    return (
        after != before
        and kept_limits
        and _columns_fit(objection, used_columns(before), used_columns(after))
        and _functions_fit(objection, before, after)
        and _conditions_fit(objection, before, after)
        and (Reason.OUTPUT_FORMAT not in objection.reasons or after.chart != before.chart)
        and (objection.reasons != (Reason.OUTPUT_FORMAT,) or after.steps == before.steps)
    )


def _columns_fit(objection: Objection, before: frozenset[str], after: frozenset[str]) -> bool:
    lost = before - after
    if Reason.COLUMN_MISMATCH in objection.reasons:
        return bool(objection.columns) and objection.columns <= after and len(lost) <= 1
    may_lose, may_gain = Reason.WRONG_METRIC in objection.reasons, Reason.MISSING_FILTER in objection.reasons
    return (may_lose or not lost) and (may_gain or after <= before)


def _functions_fit(objection: Objection, before: Plan, after: Plan) -> bool:
    was, now = functions_of(before), functions_of(after)
    if Reason.WRONG_METRIC not in objection.reasons:
        return was == now
    if not objection.functions or not objection.functions <= now:
        return False
    if objection.denies or not objection.computed:
        return not (objection.computed or was) & now
    return objection.computed <= now


def _conditions_fit(objection: Objection, before: Plan, after: Plan) -> bool:
    was, now = conditions_of(before), conditions_of(after)
    if Reason.MISSING_FILTER not in objection.reasons:
        return was == now
    return len(now) > len(was)


def _limits(plan: Plan) -> tuple[object, ...]:
    return tuple(step.count for step in plan.steps if isinstance(step, Limit | TopPerGroup))
