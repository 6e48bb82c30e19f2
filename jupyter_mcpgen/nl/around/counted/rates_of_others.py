"""A noun before "rate" that is no part of the rate's column: an "error rate" beside a price called `rate`."""

from __future__ import annotations

from itertools import pairwise

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, Lit, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter
from jupyter_mcpgen.plan.plan import Plan

_APOSTROPHES = "'’"


def refusing_rates_of_others(meant: Understanding, question: str, context: Context) -> Understanding:
    """Refuse a meaning that takes "error rate" for two columns: the errors, and a rate of something else."""
    if not isinstance(meant, Answered):
        return meant
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    used = used_columns(meant.winner.plan)
    bare = {name: _bare(name, context) for name in used if name in context.column_words}
    rates = {name: own[0] for name, own in bare.items() if len(own) == 1 and own[0] in context.lexicon.intensive}
    for of, noun in pairwise(words):
        rate = next((name for name, word in rates.items() if context.plain(noun) == word), None)
        if rate is None or words.count(noun) > 1 or context.lexicon.meanings(of):
            continue
        named = (name for name in context.columns_with(context.plain(of)) if name in used and name != rate)
        held = _held_at_a_value_of(question, meant.winner.plan)
        if rate in held and any(sign in of for sign in _APOSTROPHES):
            continue  # "which player's score is 71" chooses the row by its score
        others = [name for name in named if name not in held]
        if others and rate not in context.columns_with(context.plain(of)):
            said = f"`{rate}` is not a {noun} of `{others[0]}`, so I could not read “{of} {noun}”."
            ask = f"Ask for a share of the rows, for one figure divided by another, or for `{others[0]}` itself."
            return Refused(f"{said} {ask}", words=(f"{of} {noun}",))
    return meant


def refusing_scores_for_things(meant: Understanding, question: str, context: Context) -> Understanding:
    """Refuse a meaning that takes several guests for a `Guest Score`, which the question does not name."""
    if not isinstance(meant, Answered):
        return meant
    said = {token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)}
    plain = {context.plain(word) for word in said}
    for step in meant.winner.plan.steps:
        for measure in step.measures if isinstance(step, Aggregate) else ():
            summed = measure.function is AggregateFunction.SUM and measure.column is not None
            own = context.column_words.get(measure.column.name, ()) if summed and measure.column is not None else ()
            if len(own) < 2 or own[-1] not in context.lexicon.nouns_of_figures or own[-1] in plain:
                continue
            several = [word for word in said if context.plain(word) in own and word != context.plain(word)]
            if several and measure.column is not None:
                noun = several[0]
                text = f"`{measure.column.name}` is not a number of “{noun}”."
                return Refused(f"{text} Ask for `{measure.column.name}` by its whole name, or for rows.", words=(noun,))
    return meant


def _held_at_a_value_of(question: str, plan: Plan) -> frozenset[str]:
    """Return the columns that are held at a value which is said: "Leeds' team score" is of the row of that `Team`."""
    predicates = (step.predicate for step in plan.steps if isinstance(step, Filter))
    terms = (term for predicate in predicates for term in terms_of(predicate))
    return frozenset(
        term.left.name
        for term in terms
        if isinstance(term, Compare) and isinstance(term.left, Col) and isinstance(term.right, Lit)
        if term.op is CompareOp.EQ and str(term.right.value).casefold() in question.casefold()
    )


def _bare(name: str, context: Context) -> list[str]:
    """Return the words of a column's name without those of its unit."""
    unit = {context.plain(word) for word in split_name(context.column(name).unit or "")}
    return [word for word in context.column_words[name] if word not in unit]
