"""Parts that were not made: a list of rows where one is asked for, and a part of each group that is all or none."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind, Profile
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Arithmetic
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Limit, Select, Sort
from jupyter_mcpgen.plan.plan import Plan

_PERCENT = "%"
_PARTS = (AggregateFunction.RATE, AggregateFunction.PERCENT)


def refusing_unmade_parts(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Refuse an answer that lists rows where a part of them is asked for, unless a column is called so."""
    if isinstance(meant, Refused):
        return meant
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options
    if (name := next(filter(None, (_all_or_none(way.plan) for way in ways)), None)) is not None:
        return Refused(
            f"All or none of the rows of each `{name}` meet it, so a share says nothing. Leave `{name}` out of the "
            f"groups, or ask how the rows are spread: share of rows by `{name}`.",
            words=(name,),
        )
    if not all(isinstance(step, Filter | Select | Sort | Limit) for way in ways for step in way.plan.steps):
        return meant
    table = Table(context, load_vocabulary(language))
    found = Speech(question).find(table.wording("asked_part"))
    if (
        found is None
        or context.columns_with(found.folded("part"))
        or any(_holds_parts(way.plan, context) for way in ways)
    ):
        return meant
    return Refused(
        f"“{found.text}” asks for a share, but I could read the rest only as a list of rows. Ask in this way, with "
        "your own columns: “share of sales by region”.",
        words=(found["part"],),
    )


def _holds_parts(plan: Plan, context: Context) -> bool:
    """Tell whether a column of percentages is shown, which holds the part that is asked for."""
    known = [context.column(name) for name in plan.result_schema.names if name in context.column_words]
    return any(one.kind is Kind.PERCENT or one.unit == _PERCENT for one in known)


def _all_or_none(plan: Plan) -> str | None:
    """Return the column of which a value is asked of groups that have one value each."""
    for step in plan.steps:
        for measure in step.measures if isinstance(step, Aggregate) else ():
            asked = set(names_in(measure.where)) if measure.function in _PARTS and measure.where is not None else set()
            if isinstance(step, Aggregate) and len(asked) == 1 and asked <= set(step.by.names):
                return asked.pop()
    return None


def refusing_unmade_products(meant: Understanding, question: str, profile: Profile, language: str) -> Understanding:
    """Refuse a meaning without a calculation where words of two columns are multiplied."""
    if not isinstance(meant, Answered):
        return meant
    if any(isinstance(step, Derive) and isinstance(step.expression, Arithmetic) for step in meant.winner.plan.steps):
        return meant
    table = table_of(profile, language)
    for found in Speech(question).find_all(table.wording("product_said")):
        named = [table.context.columns_with(table.context.plain(found.folded(side))) for side in ("one", "other")]
        if all(named):
            return Refused(
                f"I could not read “{found.text}” as a product of two columns. Write the column names in backticks.",
                words=(found["sign"],),
            )
    return meant
