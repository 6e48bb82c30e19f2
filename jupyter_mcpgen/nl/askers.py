"""Whether an answer is of the kind that the question's first word asks for: "who" asks for names, never for a month."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Refused, Understanding
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.tokens import Token, tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Sort
from jupyter_mcpgen.plan.schema import ColumnType, Field


def naming_whom(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where "who" is asked and the answer holds nothing that could be a name.

    A near reading that names somebody takes the place of a winner that does not only as an offer.
    """
    if not isinstance(meant, Answered) or not _asks_who(question, context) or _names(meant.winner, context):
        return meant
    nearest = next((one for one in meant.alternatives if _names(one, context)), meant.winner)
    word = question.split()[0]
    return Refused(
        f"“{word}” asks for a name, and what I read gives none, so nothing was computed. "
        f"The nearest that can be computed: {say_plan(nearest.plan)}. Say which column holds the names that you want.",
        words=(word,),
        nearest=nearest,
    )


def telling_how_much(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where an amount is asked for, such as the largest gift, and a date answers."""
    said = f" {' '.join(token.lower for token in _tokens(question, context))} "
    word = next((word for word in sorted(context.lexicon.amount_words) if f" {word} " in said), None)
    if word is None or not isinstance(meant, Answered) or not _is_date_only(meant.winner):
        return meant
    used = (split_name(name) for step in meant.winner.plan.steps for name in names_in(step))
    if any(f" {' '.join(name)} " in said for name in used):
        return meant  # "the largest ship date"
    near = (one for one in meant.alternatives if not _is_date_only(one))
    return Refused(
        f"“{word}” asks for an amount, and what I read gives dates, so nothing was computed. "
        "Say which column holds the amounts.",
        words=(word,),
        nearest=next(near, None),
    )


def _is_date_only(reading: Reading) -> bool:
    """Tell whether a result is one column of dates: cells, or the earliest or latest of them."""
    fields = reading.plan.result_schema.fields
    ordered = any(isinstance(step, Sort) for step in reading.plan.steps)
    return len(fields) == 1 and fields[0].type is ColumnType.DATE and not ordered


def _tokens(question: str, context: Context) -> tuple[Token, ...]:
    return tokenize(question, decimal_comma=context.lexicon.decimal_comma)


def _asks_who(question: str, context: Context) -> bool:
    tokens = _tokens(question, context)
    return bool(tokens) and tokens[0].lower in context.lexicon.person_words


def _names(reading: Reading, context: Context) -> bool:
    """Tell whether a result has texts or identifiers, which may name somebody; dates, also written ones, do not."""
    return any(_may_name(field, context) for field in reading.plan.result_schema.fields)


def _may_name(field: Field, context: Context) -> bool:
    if field.name not in context.profile.schema_.names:
        return field.type is ColumnType.TEXT
    if field.type is ColumnType.TEXT:
        return not context.column(field.name).written
    dated = field.type is ColumnType.DATE  # also where no two rows have the same date
    return not dated and (context.is_key(field.name) or context.is_code(field.name))
