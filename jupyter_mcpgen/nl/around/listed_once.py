"""Lists each thing once where a question asks which things there are: "which countries are in Africa"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.assembling.orders import sorts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.words.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import Distinct, Filter, Select
from jupyter_mcpgen.plan.plan import Plan

LEAST_ROWS_OF_EACH = 2
"""From so many rows of each value on, the rows are not what the values name."""


def listing_once(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning that lists a column of several rows per value once for each, where its plural asks for it."""
    name = _listed_alone(meant.winner.plan) if isinstance(meant, Answered) else None
    if not isinstance(meant, Answered) or name is None:
        return meant
    if not _repeats(name, context) or not _asks_for_several(name, question, context):
        return meant
    winner = meant.winner
    once = (Distinct(columns=Columns(names=(name,))), *sorts((name,), context.profile))
    plan = winner.plan.with_steps((*winner.plan.steps[:-1], *once))
    note = f"Each `{name}` is listed once, however many rows it has."
    return replace(meant, winner=replace(winner, plan=plan, assumptions=(*winner.assumptions, note)))


def _listed_alone(plan: Plan) -> str | None:
    """Return the only column that a plan lists of some rows or of all; None for any other plan."""
    *chosen, last = plan.steps or (None,)
    if not isinstance(last, Select) or len(last.columns.names) != 1 or plan.chart is not None:
        return None
    return last.columns.names[0] if all(isinstance(step, Filter) for step in chosen) else None


def _repeats(name: str, context: Context) -> bool:
    """Tell whether a column of labels has several rows for most of its values."""
    known = name in context.profile.schema_.names and not context.is_measure(name)
    return known and context.column(name).distinct * LEAST_ROWS_OF_EACH <= context.profile.rows


def _asks_for_several(name: str, question: str, context: Context) -> bool:
    """Tell whether a question has a word of the column in its plural."""
    own, lexicon = context.column_words[name], context.lexicon
    said = (token.lower for token in tokenize(question, decimal_comma=lexicon.decimal_comma))
    return any(lexicon.base(word) != word and context.plain(word) in own for word in said)
