"""Means in which rows count by their weight: "average price weighted by quantity", "quantity-weighted average price".

The products of both columns are added up and divided by the sum of the weights, over the rows that have both.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of, redrawn, renamed
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, table_of
from jupyter_mcpgen.nl.reading import Answered, Read, Refused, Understanding
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, IsMissing
from jupyter_mcpgen.plan.ops import AggregateFunction, Derive, Filter, Measure, Select
from jupyter_mcpgen.plan.plan import Plan


def read_weighted_means(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with a weighted mean in place of the plain one where it names the weights."""
    meant = read(question, profile, language)
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("weighted_mean"))
    if found is None or not isinstance(meant, Refused):
        return meant
    of, weight = columns.figure(found["what"], table), columns.figure(found["weight"], table)
    if of is None or weight is None or of == weight:
        return meant
    plain = read(found.said(column=of), profile, language)
    if not isinstance(plain, Answered):
        return meant
    try:
        plan = _weighted(plain.winner.plan, of, weight, table.context)
    except PlanError:
        return meant
    note = f"The sum of `{of}` times `{weight}` is divided by the sum of `{weight}`."
    return Answered(replace(plain.winner, plan=plan, label="", assumptions=(note, *plain.winner.assumptions)))


def _weighted(plan: Plan, of: str, weight: str, context: Context) -> Plan:
    """Return a plan of the mean of a column with its weighted one; raises `PlanError` where it has no such mean."""
    figures = figures_of(plan)
    if figures.measure != Measure(function=AggregateFunction.MEAN, column=Col(name=of)):
        raise PlanError("Only a mean is weighted.")
    both = (Col(name=of), Col(name=weight))
    product = Derive(
        name=figures.free(f"{of}_times_{weight}"),
        expression=Arithmetic(op=ArithmeticOp.MULTIPLY, left=both[0], right=both[1]),
    )
    sums = tuple(Measure(function=AggregateFunction.SUM, column=Col(name=name)) for name in (product.name, weight))
    mean = Derive(
        name=figures.free(f"weighted_mean_{of}"),
        expression=Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(name=sums[0].name), right=Col(name=sums[1].name)),
    )
    there = [Filter(predicate=IsMissing(operand=one, negated=True)) for one in both if context.column(one.name).nulls]
    names = {figures.measure.name: mean.name}
    steps = (
        *figures.before,
        *(step for step in there if step not in figures.before),
        product,
        figures.aggregate.model_copy(update={"measures": sums}),
        mean,
        *renamed(figures.without(Select), names),
    )
    return figures.built(steps, redrawn(plan.chart, names))
