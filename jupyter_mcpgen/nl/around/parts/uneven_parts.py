"""What rows without a part do to a figure of several: the ratio of two sums, and a sum of the values of each row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.around.parts.never_both import are_never_both
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Arithmetic, ArithmeticOp, Col, IsMissing, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter
from jupyter_mcpgen.plan.plan import Plan

_LEFT_OUT = "these rows are left out"
_SUMMED = "they add nothing to its sum"


def noting_parts(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning that says how many rows lack a part of its ratio, or of the sum of its columns."""
    if not isinstance(meant, Answered):
        return meant
    said = meant.winner.assumptions
    notes = tuple(note for note in dict.fromkeys(_notes(meant.winner.plan, context)) if note not in said)
    return replace(meant, winner=replace(meant.winner, assumptions=(*said, *notes))) if notes else meant


def _notes(plan: Plan, context: Context) -> Iterator[str]:
    sums: dict[str, str] = {}
    terms = [term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    held = {term.operand.name for term in terms if isinstance(term, IsMissing) and term.negated}
    for step in plan.steps:
        if isinstance(step, Aggregate):
            sums = {
                one.name: one.column.name
                for one in step.measures
                if one.column is not None and one.function is AggregateFunction.SUM
            }
        if not isinstance(step, Derive) or not isinstance(step.expression, Arithmetic):
            continue
        ratio = _ratio(step.expression)
        if ratio is not None and ratio[0] in sums and ratio[1] in sums:
            part, whole = sums[ratio[0]], sums[ratio[1]]
            if missing := _missing(part, context):
                beside = f"{_SUMMED}, and their `{whole}` counts all the same"
                yield f"{missing}: {_LEFT_OUT if part in held else beside}."
            if missing := _missing(whole, context):
                yield f"{missing}: {_LEFT_OUT if whole in held else _SUMMED}."
        elif not sums and step.expression.op in (ArithmeticOp.ADD, ArithmeticOp.SUBTRACT):
            for name in sorted(set(names_in(step))):
                if missing := _missing(name, context):
                    yield f"{missing}: these rows have no `{step.name}` and are left out."


def _ratio(expression: Arithmetic) -> tuple[str, str] | None:
    """Return the two figures that are divided, also where the ratio is told in percent."""
    if expression.op is ArithmeticOp.MULTIPLY and isinstance(expression.left, Arithmetic):
        return _ratio(expression.left)
    divides = expression.op is ArithmeticOp.DIVIDE
    if divides and isinstance(expression.left, Col) and isinstance(expression.right, Col):
        return expression.left.name, expression.right.name
    return None


def _missing(name: str, context: Context) -> str:
    """Say in how many rows a column is missing; nothing where it never is."""
    known = context.column(name) if name in context.column_words else None
    return f"`{name}` is missing in {known.nulls:,} of {context.profile.rows:,} rows" if known and known.nulls else ""


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
