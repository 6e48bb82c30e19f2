"""Finds what is said of rows that have some of a figure, or none, or the date of a deed.

"Delayed" and "on time" are of `delay_min`, "cancelled" is of a `cancelled_at` that is empty in some rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import STEM, Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import is_irregular_past
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, IsMissing

LONGEST = 3
"""How many words such a phrase has at most."""
SAID_OF_A_FIGURE = 0.05
"""What it costs to take a word for a condition on a figure, or on whether there is a date."""


def participles_in(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield conditions that a word or a few lay down for a figure of which some rows have none."""
    if not context.lexicon.participles:
        return
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + LONGEST, len(tokens)) + 1):
            if any(token.kind is not TokenKind.WORD for token in tokens[start:end]):
                break
            phrase = " ".join(token.lower for token in tokens[start:end])
            date = _date_of(phrase, context) if end == start + 1 else None
            if date is not None:
                happened = IsMissing(operand=Col(name=date), negated=True)
                note = f"“{phrase}” is taken to mean that `{date}` is not missing."
                yield Item(start, end, m.NotedCondition(happened, note), SAID_OF_A_FIGURE)
            for op in (CompareOp.GT, CompareOp.EQ):
                name = _figure_of(phrase, op, context)
                if name is not None:
                    predicate = Compare(op=op, left=Col(name=name), right=number(0))
                    side = "above 0" if op is CompareOp.GT else "equal to 0"
                    note = f"“{phrase}” is taken to mean `{name}` {side}."
                    yield Item(start, end, m.NotedCondition(predicate, note), SAID_OF_A_FIGURE)


def _date_of(word: str, context: Context) -> str | None:
    """Return the one date, empty in some rows, that is called after the deed of a participle."""
    lexicon = context.lexicon
    done = word.endswith(lexicon.participles) or is_irregular_past(word, lexicon.language)
    if not done or context.plain(word) in context.value_parts:
        return None
    found = [name for name, sure in context.columns_with(context.plain(word)).items() if sure >= STEM]
    of_a_deed = len(found) == 1 and found[0] in context.dates and context.column(found[0]).nulls > 0
    return found[0] if of_a_deed else None


def _figure_of(phrase: str, op: CompareOp, context: Context) -> str | None:
    """Return the one figure that a phrase says some or none of."""
    lexicon = context.lexicon
    if context.plain(phrase) in context.value_parts or phrase in context.values:
        return None
    word = (lexicon.having_some if op is CompareOp.GT else lexicon.having_none).get(phrase)
    if word is None and op is CompareOp.GT and phrase.endswith(lexicon.participles):
        found = [name for name, sure in context.columns_with(context.plain(phrase)).items() if sure == STEM]
    elif word is not None:
        found = list(context.columns_with(word))
    else:
        return None
    return found[0] if len(found) == 1 and _may_be_none(found[0], context) else None


def _may_be_none(name: str, context: Context) -> bool:
    """Tell whether a column is a figure, never negative, that is 0 in some rows."""
    known = context.column(name)
    return context.is_measure(name) and known.minimum == 0
