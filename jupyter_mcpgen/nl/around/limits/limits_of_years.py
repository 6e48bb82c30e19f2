"""Ages asked of columns of years: "older than 100 years" is no limit on the number of `Year Built`."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.around.limits.limits import limits_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.ops import Filter

_FIRST_YEAR = 1000
"""A number below this is no year of a column that holds only later ones."""


def refusing_ages_of_years(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning, or a refusal where a column of years is compared with a number that can only be an age."""
    if not isinstance(meant, Answered):
        return meant
    steps = (step for step in meant.winner.plan.steps if isinstance(step, Filter))
    for limit in (limit for step in steps for limit in limits_of(step.predicate)):
        if not 0 < limit.number < _FIRST_YEAR or limit.column not in context.column_words:
            continue
        known = context.column(limit.column)
        if known.kind is Kind.YEAR and isinstance(known.minimum, int | float) and known.minimum >= _FIRST_YEAR:
            return Refused(
                f"`{limit.column}` holds years, and {limit.number:g} is not a year. An age needs a day to count back "
                f"from: ask for rows with `{limit.column}` before a year, such as {known.maximum:g}."
            )
    return meant
