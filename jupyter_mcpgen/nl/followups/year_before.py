"""The year before beside the year of an answer: "compare with the year before", "vs 2021"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.times.years_beside_dates import years_kept
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.plan.expressions import DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Limit
from jupyter_mcpgen.plan.plan import Plan

FollowUp = Callable[[str, Plan, str, Profile, str], Understanding | None]
_PERIODS = {DateUnit.START_OF_MONTH: "month", DateUnit.START_OF_QUARTER: "quarter", DateUnit.START_OF_WEEK: "week"}


def with_year_before(
    question: str, earlier: tuple[str, Plan] | None, profile: Profile, language: str, follow: FollowUp
) -> Answered | None:
    """Return an answer about one year set beside that of another; None where no year was asked about, or no other."""
    if earlier is None:
        return None
    found = Speech(question).find(table_of(profile, language).wording("with_year_before"))
    kept = years_kept(earlier[1]) if found is not None else None
    if found is None or kept is None or kept.first != kept.last:
        return None
    if any(isinstance(step, Limit) for step in earlier[1].steps):
        return None  # the first of both years together is not the first of each
    other = int(found["year"]) if found["year"] else kept.first - 1
    if other == kept.first:
        return None
    first, last = sorted((kept.first, other))
    both = follow(found.said("both", first=str(first), last=str(last)), earlier[1], earlier[0], profile, language)
    if not isinstance(both, Answered):
        return None
    apart = follow(_by_year(found, both.winner.plan), both.winner.plan, earlier[0], profile, language)
    if not isinstance(apart, Answered):
        return None
    note = found.said("note", other=str(other), year=str(kept.first))
    return replace(apart, winner=replace(apart.winner, assumptions=(*apart.winner.assumptions, note)))


def _by_year(found: Found, plan: Plan) -> str:
    """Return what asks for the years apart, beside the groups that a plan has."""
    grouped = [name for step in plan.steps if isinstance(step, Aggregate) for name in step.by.names]
    parts = {
        step.name: step.expression.unit
        for step in plan.steps
        if isinstance(step, Derive) and isinstance(step.expression, DatePart)
    }
    periods = [_PERIODS[parts[name]] for name in grouped if parts.get(name) in _PERIODS]
    if len(grouped) == len(periods) == 1:
        return found.said(periods[0])
    return found.said("beside" if grouped else "alone")
