"""Plans that set the sum of one column against the sum of another."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of, redrawn, renamed
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, IsMissing, Lit
from jupyter_mcpgen.plan.ops import AggregateFunction, Derive, Filter, Measure, Select
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def divided(plan: Plan, column: str, context: Context) -> Plan:
    """Divide the sum of one column by the sum of another, over the rows that have both."""
    ratio = _of_two_sums(plan, column, ArithmeticOp.DIVIDE, "per")
    aggregate = figures_of(ratio).aggregate
    summed = [measure.column for measure in aggregate.measures if measure.column is not None]
    lacking = [one for one in summed if one.name in context.profile.schema_.names and context.column(one.name).nulls]
    there = [Filter(predicate=IsMissing(operand=one, negated=True)) for one in lacking]
    place = ratio.steps.index(aggregate)
    own = [step for step in there if step not in ratio.steps[:place]]
    steps = (*ratio.steps[:place], *own, *ratio.steps[place:])
    return ratio.with_steps(steps).model_copy(update={"chart": ratio.chart}) if own else ratio


def as_part(plan: Plan, column: str, percent: bool) -> Plan:
    """Say the sum of one column as a part of the sum of another, both over all rows.

    A row without the part adds nothing to it, and belongs to the whole: who got no bonus is paid all the same.
    """
    ratio = _of_two_sums(plan, column, ArithmeticOp.DIVIDE, "per")
    if not percent:
        return ratio
    hundred = Lit(value=100, type=ColumnType.INTEGER)
    steps = tuple(_times(step, hundred) if isinstance(step, Derive) else step for step in ratio.steps)
    return ratio.with_steps(steps).model_copy(update={"chart": ratio.chart})


def _times(step: Derive, factor: Lit) -> Derive:
    if not isinstance(step.expression, Arithmetic) or step.expression.op is not ArithmeticOp.DIVIDE:
        return step
    product = Arithmetic(op=ArithmeticOp.MULTIPLY, left=step.expression, right=factor)
    return step.model_copy(update={"expression": product})


def reduced(plan: Plan, column: str) -> Plan:
    """Take the sum of one column off the sum of another."""
    return _of_two_sums(plan, column, ArithmeticOp.SUBTRACT, "minus")


def _of_two_sums(plan: Plan, column: str, op: ArithmeticOp, word: str) -> Plan:
    figures = figures_of(plan)
    above = figures.measure
    below = Measure(function=AggregateFunction.SUM, column=Col(name=column))
    if above.function is not AggregateFunction.SUM or above.column is None or above.column.name == column:
        raise PlanError("Only sums of two columns are set against each other.")
    name = figures.free(f"{above.column.name}_{word}_{column}")
    both = Arithmetic(op=op, left=Col(name=above.name), right=Col(name=below.name))
    aggregate = figures.aggregate.model_copy(update={"measures": (above, below)})
    names = {above.name: name}
    after = renamed(figures.without(Select), names)
    steps = (*figures.before, aggregate, Derive(name=name, expression=both), *after)
    return figures.built(steps, redrawn(figures.plan.chart, names))
