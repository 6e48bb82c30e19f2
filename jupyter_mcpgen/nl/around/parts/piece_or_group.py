"""So much per piece or by group: "freight per TEU" over a column of how many, which may be divided by or grouped by."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Kind, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.repeated.once_each import figures_of_rows
from jupyter_mcpgen.nl.comparing.plans.sums import divided
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure

LEAST_YEAR = 1000
"""Numbers from here on may be years, such as those of a `season`."""


def asking_piece_or_group(meant: Understanding, question: str, context: Context) -> Understanding:
    """Ask where an amount per what a column counts may be divided by it, or be one of each group."""
    if not isinstance(meant, Answered):
        return meant
    first = figures_of_rows(meant.winner.plan)
    if not isinstance(first, Aggregate) or len(first.measures) != 1:
        return meant
    amount = first.measures[0].column
    if amount is None or amount.name not in context.column_words or context.adds_up(amount.name) is False:
        return meant
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    behind = {word for per, word in pairwise(words) if m.GroupWord(each=True) in context.lexicon.meanings(per)}
    pieces = [name for name in first.by.names if _may_count(name, context) and name.casefold() in behind]
    own = _divided(meant.winner, first, pieces[0], context) if len(pieces) == 1 else None
    return asking_which((own, meant.winner), how=IN_ITS_WORDS) if own is not None else meant


def _may_count(name: str, context: Context) -> bool:
    """Tell whether a column of numbers may say how many pieces a row is about: no year, no label and no time."""
    if name not in context.column_words or not context.is_number(name):
        return False
    known, own = context.column(name), context.column_words[name]
    units = any(isinstance(one, m.Unit) for word in own for one in context.lexicon.meanings(word))
    rate = set(own) & context.lexicon.intensive
    positive = isinstance(known.minimum, int | float) and 0 < known.minimum < LEAST_YEAR
    return positive and not units and not rate and known.kind is not Kind.YEAR and known.role is not Role.IDENTIFIER


def _divided(reading: Reading, first: Aggregate, piece: str, context: Context) -> Reading | None:
    """Return two sums, divided, for the groups that are left; None where that is no plan."""
    plan, column = reading.plan, first.measures[0].column
    if column is None or column.name not in context.column_words:
        return None
    total = Measure(function=AggregateFunction.SUM, column=Col(name=column.name))
    names = tuple(name for name in first.by.names if name != piece)
    before = tuple(step for step in plan.steps[: plan.steps.index(first)] if isinstance(step, Filter | Derive))
    summed = first.model_copy(update={"by": Columns(names=names), "measures": (total,)})
    try:
        base = plan.with_steps((*before, summed))
        own = divided(base, piece, context)
    except PlanError:
        return None
    return replace(reading, plan=own, assumptions=())
