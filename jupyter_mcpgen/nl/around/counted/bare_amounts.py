"""An amount that a question does not tell apart: "average amount per buyer" beside a refund amount and a total paid."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import stem
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate, Filter


def refusing_bare_amounts(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Refuse where only a word for any amount names a column of money, and another column holds money as well."""
    general = load_vocabulary(language).words("any_amount")
    if not isinstance(meant, Answered) or not general:
        return meant
    steps = meant.winner.plan.steps
    measured = {
        one.column.name
        for step in steps
        if isinstance(step, Aggregate)
        for one in step.measures
        if one.column is not None and one.column.name in context.column_words
    }
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    said = {stem(context.plain(token.lower), context.lexicon.language) for token in tokens}
    bare = sorted(name for name in measured if _is_bare(name, said, general, context))
    used = {name for step in steps if isinstance(step, Aggregate | Filter) for name in names_in(step)}
    others = [name for name in context.column_words if name not in used and _is_amount(name, context)]
    if len(bare) != 1 or not others:
        return meant
    listed = " or ".join(f"`{name}`" for name in (bare[0], *others))
    return Refused(f"The question does not say which amount you mean: {listed}. Name the column.", words=(bare[0],))


def _is_amount(name: str, context: Context) -> bool:
    """Tell whether a column holds amounts of money that add up."""
    return context.is_of_money(name) and context.adds_up(name) is True


def _is_bare(name: str, said: set[str], general: frozenset[str], context: Context) -> bool:
    """Tell whether a question says of the name of an amount nothing but a word that any amount may be called by."""
    own = set(context.column_words[name]) - context.lexicon.currencies
    told = {word for word in own if stem(word, context.lexicon.language) in said}
    return context.is_of_money(name) and bool(own - general) and bool(told) and told <= general
