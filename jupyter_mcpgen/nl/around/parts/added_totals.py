"""The total of a sum or a difference of columns: that of their totals, so that a row without one keeps the others.

Added up row by row, a person without a bonus would have no pay at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, Expression
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Measure, Step


def adding_totals(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning that adds up the totals of columns where some rows lack one of them."""
    made = _in_totals(meant.winner, context) if isinstance(meant, Answered) else None
    return replace(meant, winner=made) if isinstance(meant, Answered) and made is not None else meant


def _in_totals(reading: Reading, context: Context) -> Reading | None:
    """Return a reading whose columns are added up first; None where no column is one of those of each row."""
    plan = reading.plan
    place = next((at for at, step in enumerate(plan.steps) if isinstance(step, Aggregate)), None)
    aggregate = plan.steps[place] if place is not None else None
    if place is None or not isinstance(aggregate, Aggregate) or len(aggregate.measures) != 1:
        return None
    measure = aggregate.measures[0]
    total = measure.column is not None and measure.function is AggregateFunction.SUM and measure.where is None
    if not total or measure.column is None:
        return None
    added = next((step for step in plan.steps[:place] if _adds(step, measure.column.name)), None)
    if not isinstance(added, Derive):
        return None
    parts = tuple(_parts(added.expression))
    names = [part.name for part in parts if part is not None]
    lacking = [name for name in names if name in context.column_words and context.column(name).nulls]
    others = [step for step in plan.steps[:place] if step is not added]
    used = {name for step in others for name in names_in(step)}
    if len(set(names)) < len(parts) or not lacking or added.name in used | set(aggregate.by.names):
        return None
    sums = tuple(Measure(function=AggregateFunction.SUM, column=Col(name=name)) for name in names)
    whole = _in_place(added.expression, {name: one.name for name, one in zip(names, sums, strict=True)})
    steps: tuple[Step, ...] = (
        *others,
        aggregate.model_copy(update={"measures": sums}),
        Derive(name=measure.name, expression=whole),
        *plan.steps[place + 1 :],
    )
    each = ", ".join(f"`{name}` in {context.column(name).nulls:,}" for name in lacking)
    note = f"The totals are added up: rows without one of the columns keep the others. Missing is {each} "
    note += f"of {context.profile.rows:,} rows."
    return reading.with_steps(
        steps, plan.chart, assumptions=(*reading.assumptions, note)
    )  # a group has the name of a sum


def _adds(step: Step, name: str) -> bool:
    return isinstance(step, Derive) and step.name == name and all(part is not None for part in _parts(step.expression))


def _in_place(expression: Expression, names: Mapping[str, str]) -> Expression:
    """Return a calculation with other columns in the place of its own."""
    match expression:
        case Arithmetic(op=op, left=left, right=right):
            return Arithmetic(op=op, left=_in_place(left, names), right=_in_place(right, names))
        case Col(name=name):
            return Col(name=names[name])
        case _:
            return expression


def _parts(expression: Expression) -> Iterator[Col | None]:
    """Yield the columns that are added up or taken off; None for anything else."""
    match expression:
        case Arithmetic(op=ArithmeticOp.ADD | ArithmeticOp.SUBTRACT, left=left, right=right):
            for side in (left, right):
                if isinstance(side, Col):
                    yield side
                else:
                    yield from _parts(side)
        case _:
            yield None
