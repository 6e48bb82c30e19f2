"""Conditions of the answer before that a question of its own does not have: said, so that none is lost unseen."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.plan.expressions import Predicate, terms_of
from jupyter_mcpgen.plan.ops import Filter
from jupyter_mcpgen.plan.plan import Plan


def telling_what_is_left(meant: Understanding, earlier: tuple[str, Plan] | None) -> Understanding:
    """Return a meaning that says that conditions of the answer before do not hold for it, where there were some."""
    if earlier is None or not isinstance(meant, Answered):
        return meant
    asked_before, plan = earlier
    left = _conditions(plan) - _conditions(meant.winner.plan)
    if not left or meant.winner.plan.source != plan.source:
        return meant
    note = f"Read as a question of its own, not about the rows of “{asked_before.strip(' ?.!')}”."
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))


def _conditions(plan: Plan) -> set[str]:
    """Return the conditions of the rows of a plan, each as it is written."""
    filters = (step.predicate for step in plan.steps if isinstance(step, Filter))
    return {_written(term) for predicate in filters for term in terms_of(predicate)}


def _written(term: Predicate) -> str:
    return term.model_dump_json()
