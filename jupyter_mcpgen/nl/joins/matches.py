"""Plans over the figures of another table: which rows have a match, and which figures say what they seem to."""

from __future__ import annotations

from jupyter_mcpgen.nl.reading import Refused
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english_sources import say_keys
from jupyter_mcpgen.plan.expressions import Columns as Names
from jupyter_mcpgen.plan.expressions import Compare, CompareOp, Lit, terms_of
from jupyter_mcpgen.plan.ops import ZERO_WHEN_EMPTY, Aggregate, Filter, Select, Step
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Join, JoinKind, Summary

_OF_ALL = frozenset({(F.MIN, F.MIN), (F.MAX, F.MAX), (F.SUM, F.SUM), (F.COUNT, F.SUM)})
"""Figures whose figure, the second, is that of all rows of the second table."""
_WEIGHED = frozenset({F.COUNT, F.COUNT_DISTINCT, F.SUM})
"""Figures of which every figure says something: the mean of totals, not the mean of means."""


def matched(plan: Plan, summary: Summary) -> Plan:
    """Return rows with none or some of the other table as those without or with a match."""
    only = summary.measures[0] if len(summary.measures) == 1 else None
    if only is None or only.function is not F.COUNT:
        return plan
    name = summary.figures[0].name
    filters = [step for step in plan.steps if isinstance(step, Filter)]
    terms = [term for step in filters for term in terms_of(step.predicate)]
    about = [term for term in terms if name in set(names_in(term))]
    others = [step for step in plan.steps if not isinstance(step, Filter) and name in set(names_in(step))]
    if len(about) != 1 or others:
        return plan
    match about[0]:
        case Compare(op=CompareOp.EQ, right=Lit(value=0)):
            how = JoinKind.ANTI
        case Compare(op=CompareOp.GT, right=Lit(value=0)):
            how = JoinKind.SEMI
        case _:
            return plan
    if only.where is not None:
        shown = Select(columns=Names(names=summary.first_schema.names))
        grouped = any(isinstance(step, Aggregate | Select) for step in plan.steps)
        return plan if grouped else plan.with_steps((*plan.steps, shown))
    join = Join(
        other=summary.other, first_schema=summary.first_schema, other_schema=summary.other_schema, keys=summary.keys,
        how=how,
    )  # fmt: skip
    steps: list[Step] = []
    for step in plan.steps:
        if isinstance(step, Filter):
            left = [term for term in terms_of(step.predicate) if term != about[0]]
            steps += [Filter(predicate=term) for term in left]
        else:
            steps.append(step)
    return Plan(source=plan.source, source_schema=join.schema_, second=join, steps=tuple(steps), chart=plan.chart)


def notes_of_summary(summary: Summary, source: str) -> tuple[str, ...]:
    """Return what is assumed about rows that have no match."""
    zero = [f.name for f in summary.figures if f.function in ZERO_WHEN_EMPTY]
    missing = [f.name for f in summary.figures if f.function not in ZERO_WHEN_EMPTY]
    parts = [*([f"0 as {_listed(zero)}"] if zero else []), *([f"no {_listed(missing)}"] if missing else [])]
    return (
        f"Each row of `{source}` with figures of the rows of `{summary.other}` that have its {say_keys(summary)}.",
        f"A row without any has {' and '.join(parts)}. Rows of `{summary.other}` that match none are left out.",
    )


def _listed(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def misleading(plan: Plan) -> Refused | None:
    """Return the refusal of a figure of figures that is none of the second table's rows."""
    summary = plan.second
    if not isinstance(summary, Summary):
        return None
    made = {figure.name: figure.function for figure in summary.figures}
    for measure in (one for step in plan.steps if isinstance(step, Aggregate) for one in step.measures):
        function = made.get(measure.column.name) if measure.column is not None else None
        if function is None or measure.column is None:
            continue
        name, shared = measure.column.name, not summary.relation.first_is_unique
        if shared and measure.function in (F.SUM, F.COUNT):
            return Refused(
                f"Several rows of `{plan.source}` share a key, so `{name}` stands in each of them and would be counted "
                f"several times. Ask for it over both tables: “… in {summary.other} joined with {plan.source}”."
            )
        if function not in _WEIGHED and (function, measure.function) not in _OF_ALL:
            return Refused(
                f"A {measure.function.value} of `{name}` weighs each row of `{plan.source}` alike, however many rows "
                f"of `{summary.other}` it has. Ask for it over both tables: “… in {summary.other} joined with "
                f"{plan.source}”."
            )
    return None
