"""The average of one column less another that most rows lack: "average total minus refund" is over all rows.

Taken row by row, only the few rows with a refund would be left, and their average is not that of the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.around.parts.never_both import are_never_both, is_of_never_both
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Case, Col, IsMissing, Lit, When
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive
from jupyter_mcpgen.plan.schema import ColumnType

MOSTLY_LACKING = 0.5
"""From this part of the rows on, a missing amount says that there was none, and not that nobody wrote it down."""
_AVERAGES = (AggregateFunction.MEAN, AggregateFunction.MEDIAN)


def keeping_rows_without(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning in which rows without an amount that most rows lack keep the other one."""
    made = _kept(meant.winner, context) if isinstance(meant, Answered) else None
    return replace(meant, winner=made) if isinstance(meant, Answered) and made is not None else meant


def _kept(reading: Reading, context: Context) -> Reading | None:
    plan = reading.plan
    averaged = {
        one.column.name
        for step in plan.steps
        if isinstance(step, Aggregate)
        for one in step.measures
        if one.column is not None and one.function in _AVERAGES
    }
    for place, step in enumerate(plan.steps):
        if not isinstance(step, Derive) or not (step.name in averaged or is_of_never_both(step, context)):
            continue
        match step.expression:
            case Arithmetic(
                op=ArithmeticOp.SUBTRACT | ArithmeticOp.ADD, left=Col(name=whole), right=Col(name=part)
            ) if are_never_both(whole, part, context) or (
                _mostly_lacks(part, context) and not _mostly_lacks(whole, context)
            ):
                pass
            case _:
                continue
        kept = Case(branches=tuple(_branches(step.expression, whole, part, context)), otherwise=step.expression)
        made = step.model_copy(update={"expression": kept})
        changed = plan.tried((*plan.steps[:place], made, *plan.steps[place + 1 :]))
        if changed is None:
            return None
        lacking = f"`{part}` is missing in {context.column(part).nulls:,} of {context.profile.rows:,} rows"
        note = f"{lacking}: these rows keep their `{whole}`, as in a total."
        if are_never_both(whole, part, context):
            note = f"Hardly any row has both `{whole}` and `{part}`: the missing one is taken to be nothing."
        return replace(reading, plan=changed, assumptions=(*reading.assumptions, note))
    return None


def _branches(value: Arithmetic, whole: str, part: str, context: Context) -> Iterator[When]:
    """Yield what a calculation is without the part, and without the whole where no row has both."""
    yield When(condition=IsMissing(operand=Col(name=part)), value=Col(name=whole))
    if are_never_both(whole, part, context):
        nothing = Lit(value=0, type=ColumnType.INTEGER)
        alone = value.model_copy(update={"left": nothing})
        yield When(condition=IsMissing(operand=Col(name=whole)), value=alone)


def _mostly_lacks(name: str, context: Context) -> bool:
    """Tell whether an amount that adds up is missing in most rows."""
    if name not in context.column_words or context.adds_up(name) is False:
        return False
    return context.column(name).nulls >= context.profile.rows * MOSTLY_LACKING
