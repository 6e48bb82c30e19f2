"""Empty places: "empty seats" beside a column of how many seats there are is no row without a number of them."""

from __future__ import annotations

from itertools import pairwise

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import IsMissing, terms_of
from jupyter_mcpgen.plan.ops import Filter


def refusing_empty_places(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or a refusal where a number of places that no row lacks is looked for among missing values."""
    if not isinstance(meant, Answered):
        return meant
    terms = [t for step in meant.winner.plan.steps if isinstance(step, Filter) for t in terms_of(step.predicate)]
    lacking = [term.operand.name for term in terms if isinstance(term, IsMissing) and not term.negated]
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    empty = load_vocabulary(language).words("empty_words")
    said = {context.plain(noun) for word, noun in pairwise(words) if word in empty}
    for name in (name for name in lacking if name in context.column_words):
        if said & set(context.column_words[name]) and context.counts_things(name) and not context.column(name).nulls:
            return Refused(
                f"`{name}` says how many there are, not how many are empty. Ask for the difference of two columns, or "
                f"for rows where `{name}` is missing."
            )
    return meant
