"""Periods of dates that are missing: fees "by month" of those who have not cancelled are by no month of cancelling."""

from __future__ import annotations

from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, IsMissing, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter
from jupyter_mcpgen.plan.plan import Plan


def refusing_periods_of_missing(meant: Understanding) -> Understanding:
    """Return a meaning, or a refusal where its groups are periods of a date that all of its rows lack."""
    column = _grouped_without(meant.winner.plan) if isinstance(meant, Answered) else None
    if column is None:
        return meant
    return Refused(
        f"These rows have no `{column}`, which the periods are taken from. Name another date for the periods, or ask "
        "without them."
    )


def _grouped_without(plan: Plan) -> str | None:
    """Return a column that rows must lack and that makes their groups, or None."""
    lacking: set[str] = set()
    made: dict[str, set[str]] = {}
    for step in plan.steps:
        if isinstance(step, Filter):
            terms = (term for term in terms_of(step.predicate) if isinstance(term, IsMissing) and not term.negated)
            lacking.update(term.operand.name for term in terms if isinstance(term.operand, Col))
        elif isinstance(step, Derive):
            made[step.name] = set(names_in(step.expression))
        elif isinstance(step, Aggregate):
            keys = {source for name in step.by.names for source in made.get(name, {name})}
            return next(iter(sorted(lacking & keys)), None)
    return None
