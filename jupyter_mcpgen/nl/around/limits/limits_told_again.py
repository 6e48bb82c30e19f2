"""Limits that may be said of two columns: "at least 3 beds and 2 baths" may mean 2 baths, or at least 2."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from jupyter_mcpgen.nl.around.limits.limits import Limit, limits_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import All, Col, Compare, CompareOp, Lit, terms_of
from jupyter_mcpgen.plan.ops import Filter

_BOUNDS = (CompareOp.GT, CompareOp.GE, CompareOp.LT, CompareOp.LE)


def asking_of_second_limit(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or ask where a number behind "and" may be a limit as the one before it, or the value itself."""
    if not isinstance(meant, Answered):
        return meant
    plan, joining = meant.winner.plan, load_vocabulary(language).words("joining_limits")
    kept = next((step for step in plan.steps if isinstance(step, Filter)), None)
    terms = terms_of(kept.predicate) if kept is not None else ()
    bounds = [one for one in terms if isinstance(one, Compare) and one.op in _BOUNDS and isinstance(one.right, Lit)]
    said = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    behind = {number for word, number in pairwise(said) if word in joining}
    values = [one for one in terms if isinstance(one, Compare) and _is_a_number(one, behind, context)]
    if kept is None or len(bounds) != 1 or len(values) != 1 or bounds[0].left == values[0].left:
        return meant
    again = values[0].model_copy(update={"op": bounds[0].op})
    if any(_keeps_no_row(limit, context) for limit in limits_of(again)):
        return meant  # nobody has less than 0 draws
    limits = All(terms=tuple(again if one == values[0] else one for one in terms))
    steps = tuple(step.model_copy(update={"predicate": limits}) if step == kept else step for step in plan.steps)
    own = replace(meant.winner, plan=plan.model_copy(update={"steps": steps}))
    return asking_which((own, meant.winner), how=IN_ITS_WORDS)


def _keeps_no_row(limit: Limit, context: Context) -> bool:
    """Tell whether every number of a column is known to lie on the other side of a limit."""
    known = context.column(limit.column)
    if not isinstance(known.minimum, int | float) or not isinstance(known.maximum, int | float):
        return False
    match limit.op:
        case CompareOp.LT:
            return known.minimum >= limit.number
        case CompareOp.GT:
            return known.maximum <= limit.number
        case _:
            return False


def _is_a_number(term: Compare, said: set[str], context: Context) -> bool:
    """Tell whether a column of numbers is to have one of the numbers that are said."""
    match term:
        case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=int() | float() as number)):
            return str(number) in said and name in context.column_words and context.is_number(name)
        case _:
            return False
