"""Figures of what periods had: the standard deviation of monthly revenue is that of the monthly totals.

"Median and 90th percentile of daily sales", "range of weekly output": the adjective says whose totals these are.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.repeated.once_each import figures_of_rows
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.reading import Answered, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Col, Columns, DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Limit, Measure, Sort
from jupyter_mcpgen.plan.plan import Plan

_OF_VALUES = frozenset(AggregateFunction) - {
    AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT, AggregateFunction.SUM, AggregateFunction.RATE,
    AggregateFunction.PERCENT,
}  # fmt: skip
"""What is taken of several values of which each is told for itself."""


def of_whole_periods(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning whose figures of a period's rows are those of the periods' totals, where these are asked for.

    Where nothing says that a column adds up, both ways are asked about. An average alone is settled elsewhere.
    """
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    grouped = figures_of_rows(plan)
    if not isinstance(grouped, Aggregate) or any(isinstance(step, Limit) for step in plan.steps):
        return meant
    amounts = {one.column.name if one.column is not None and one.where is None else "" for one in grouped.measures}
    functions = {one.function for one in grouped.measures}
    amount = min(amounts)
    if len(amounts) != 1 or not functions <= _OF_VALUES or functions == {AggregateFunction.MEAN}:
        return meant
    if amount not in context.column_words or context.adds_up(amount) is False:
        return meant
    units = _units_before(amount, question, context)
    parts = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    period = next((name for name in grouped.by.names if _is_of(parts.get(name), units)), None)
    whole = _of_totals(plan, grouped, amount, period) if period is not None else None
    if whole is None:
        return meant
    note = f"`{amount}` is added up for each `{period}`, and the figures are those of these totals."
    own = replace(meant.winner, plan=whole, assumptions=(*meant.winner.assumptions, note))
    if context.adds_up(amount) or context.counts_things(amount):
        return Answered(own, no_chart=meant.no_chart)
    return asking_which((own, meant.winner), f"What `{amount}` is in a period may be its total, or that of each row. ")


def _units_before(amount: str, question: str, context: Context) -> frozenset[DateUnit]:
    """Return the periods that stand as adjectives before a column, or before its total: "monthly total revenue"."""
    items = link(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context)
    starts = {item.start for item in items if item.meaning == m.Column(amount)}
    totals = {
        (item.start, item.end)
        for item in items
        if isinstance(item.meaning, m.Function) and item.meaning.function is AggregateFunction.SUM
    }
    starts |= {start for start, end in totals if end in starts}
    periods = [(item.end, item.meaning.unit) for item in items if isinstance(item.meaning, m.Unit) and _modifies(item)]
    if not starts:  # "monthly billing" of `bill`, which its name does not spell
        starts = {end for end, _ in periods} - {item.start for item in items if not isinstance(item.meaning, m.RowNoun)}
    return frozenset(unit for end, unit in periods if end in starts)


def _modifies(item: Item) -> bool:
    return isinstance(item.meaning, m.Unit) and item.meaning.adjective


def _is_of(part: object, units: frozenset[DateUnit]) -> bool:
    return isinstance(part, DatePart) and part.unit in units


def _of_totals(plan: Plan, grouped: Aggregate, amount: str, period: str) -> Plan | None:
    """Return the figures of the totals of each period; None where these make no plan."""
    place = plan.steps.index(grouped)
    kept = tuple(name for name in grouped.by.names if name != period)
    total = Measure(function=AggregateFunction.SUM, column=Col(name=amount))
    over = tuple(one.model_copy(update={"column": Col(name=total.name), "label": one.name}) for one in grouped.measures)
    rest = tuple(step for step in plan.steps[place + 1 :] if not isinstance(step, Sort) or kept)
    steps = (
        *plan.steps[:place],
        grouped.model_copy(update={"measures": (total,)}),
        Aggregate(by=Columns(names=kept), measures=over),
        *rest,
    )
    for chart in (plan.chart, None) if kept else (None,):
        try:
            return plan.with_steps(steps, chart)
        except PlanError:
            continue
    return None
