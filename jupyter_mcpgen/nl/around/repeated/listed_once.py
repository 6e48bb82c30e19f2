"""Lists each thing once where a question asks which things there are: "which countries are in Africa"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.orders import sorts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import Derive, Distinct, Filter, Select, Sort, SortKey
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

LEAST_ROWS_OF_EACH = 2
"""From so many rows of each value on, the rows are not what the values name."""


def listing_once(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning that lists a column of several rows per value once for each, where its plural asks for it."""
    name = _listed_alone(meant.winner.plan) if isinstance(meant, Answered) else None
    if not isinstance(meant, Answered) or name is None:
        return meant
    winner = meant.winner
    if not _repeats(name, winner.plan, context):
        return meant
    several = _asks_for_several(name, question, context)
    if not several and not (_asks_which(name, question, context) and not _is_of_one_row(winner.plan, context)):
        return meant
    order = sorts((name,), context.profile) if name in context.profile.schema_.names else (_by(name),)
    once = (Distinct(columns=Columns(names=(name,))), *order)
    plan = winner.plan.with_steps((*winner.plan.steps[:-1], *once))
    note = f"Each `{name}` is listed once, however many rows it has."
    return replace(meant, winner=replace(winner, plan=plan, assumptions=(*winner.assumptions, note)))


def _listed_alone(plan: Plan) -> str | None:
    """Return the only column that a plan lists of some rows or of all; None for any other plan."""
    *chosen, last = plan.steps or (None,)
    if not isinstance(last, Select) or len(last.columns.names) != 1 or plan.chart is not None:
        return None
    return last.columns.names[0] if all(isinstance(step, Filter | Derive) for step in chosen) else None


def _by(name: str) -> Sort:
    return Sort(keys=(SortKey(column=name),))


def _repeats(name: str, plan: Plan, context: Context) -> bool:
    """Tell whether a column of labels has several rows for most of its values, as intervals of a number have."""
    if name not in context.profile.schema_.names:
        return plan.result_schema.type_of(name) is ColumnType.TEXT
    return not context.is_measure(name) and context.column(name).distinct * LEAST_ROWS_OF_EACH <= context.profile.rows


def _asks_for_several(name: str, question: str, context: Context) -> bool:
    """Tell whether a question has a word of the column in its plural."""
    own, lexicon = _words(name, context), context.lexicon
    header = [word.casefold() for word in split_name(name)]  # one cell of `Sideline reporters` may name several
    several = [word for word in _said(question, context) if lexicon.base(word) != word and word not in header]
    days = name in context.dates and name not in context.clocks
    units = (meaning for word in several if days for meaning in lexicon.meanings(word))
    return any(context.plain(word) in own for word in several) or any(isinstance(unit, m.Unit) for unit in units)


def _asks_which(name: str, question: str, context: Context) -> bool:
    """Tell whether a question opens with "which" before a word of the column."""
    said = _said(question, context)
    choosing = len(said) > 1 and said[0] in context.lexicon.choosing_words
    return choosing and context.plain(said[1]) in _words(name, context)


def _is_of_one_row(plan: Plan, context: Context) -> bool:
    """Tell whether the rows are chosen by what names each of them, or nearly: a bridge crosses one river."""
    chosen = {name for step in plan.steps if isinstance(step, Filter) for name in names_in(step)}
    known = [
        context.column(name) for name in chosen & set(context.profile.schema_.names) if not context.is_measure(name)
    ]
    return any(column.distinct * LEAST_ROWS_OF_EACH > context.profile.rows for column in known)


def _words(name: str, context: Context) -> tuple[str, ...]:
    return context.column_words.get(name) or tuple(context.plain(word) for word in split_name(name))


def _said(question: str, context: Context) -> list[str]:
    return [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
