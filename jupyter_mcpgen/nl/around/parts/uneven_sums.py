"""Two sums set against each other where each column lacks rows that the other has: their difference may turn round."""

from __future__ import annotations

from jupyter_mcpgen.nl.around.parts.never_both import are_never_both
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Arithmetic, Col, IsMissing, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter
from jupyter_mcpgen.plan.plan import Plan

MANY = 0.2
"""From this part of the rows on, the rows that lack a value weigh in its sum."""


def asking_which_rows(meant: Understanding, context: Context) -> Understanding:
    """Ask whether sums are of all rows or of those with both values, where each of two columns lacks many rows."""
    if not isinstance(meant, Answered):
        return meant
    columns = _set_against(meant.winner.plan)
    uneven = columns is not None and all(_lacks_many(name, context) for name in columns)
    uneven = uneven and columns is not None and not are_never_both(*columns, context)
    both = _of_both(meant.winner, columns) if columns is not None and uneven else None
    if both is None or columns is None:
        return meant
    options = (both, meant.winner)
    gaps = " and ".join(f"`{name}` in {context.column(name).nulls:,}" for name in columns)
    said = f"Of {context.profile.rows:,} rows, {gaps} are missing, so the sums are of different rows."
    return asking_which(options, f"{said} ")


def _set_against(plan: Plan) -> tuple[str, str] | None:
    """Return the two columns whose sums a plan computes with; None for any other plan."""
    sums: dict[str, str] = {}
    held: set[str] = set()
    for step in plan.steps:
        match step:
            case Filter(predicate=predicate):
                terms = (term for term in terms_of(predicate) if isinstance(term, IsMissing) and term.negated)
                held |= {term.operand.name for term in terms}
            case Aggregate(measures=measures):
                summed = [one for one in measures if one.function is AggregateFunction.SUM and one.column is not None]
                sums = {one.name: one.column.name for one in summed if one.column is not None}
            case Derive(expression=Arithmetic() as expression) if sums:
                named = [sums[name] for name in dict.fromkeys(names_in(expression)) if name in sums]
                return (named[0], named[1]) if len(named) == 2 and not held & set(named) else None
            case _:
                pass
    return None


def _lacks_many(name: str, context: Context) -> bool:
    return name in context.column_words and context.column(name).nulls >= context.profile.rows * MANY


def _of_both(reading: Reading, columns: tuple[str, str]) -> Reading | None:
    """Return a reading over the rows that have both values; None where no plan does so."""
    plan = reading.plan
    place = next(place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate))
    there = All(terms=tuple(IsMissing(operand=Col(name=name), negated=True) for name in columns))
    steps = (*plan.steps[:place], Filter(predicate=there), *plan.steps[place:])
    return reading.with_steps(steps, plan.chart)
