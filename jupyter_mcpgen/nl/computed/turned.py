"""Puts two columns around their comparison: "more overtime than contract hours" as "overtime more than contract"."""

from __future__ import annotations

from jupyter_mcpgen.nl.computed.column import text_of
from jupyter_mcpgen.nl.computed.figures import LONGEST_NAME, column_named
from jupyter_mcpgen.nl.computed.phrases import find
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.expressions import Col


def turned(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> tuple[str, str] | None:
    """Return the question with its columns around a comparison, and what was assumed; None where it compares no two."""
    numbers = _more_than(tokens, vocabulary, context)
    return (numbers, "") if numbers is not None else _one_date_after_another(tokens, vocabulary, context)


def _one_date_after_another(
    tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context
) -> tuple[str, str] | None:
    """Say "returned after the due date" and "returned late" with the names of both dates."""
    due = [name for name in context.dates if set(context.column_words[name]) & set(vocabulary.lists["due"])]
    for key, side in (("after_date", "after"), ("before_date", "before"), ("late", "after"), ("on_time", "at_most")):
        found = find(key, tokens, vocabulary, context)
        if found is None or not isinstance(found.second, Col):
            continue
        is_named = isinstance(found.first, Col)
        other = found.first if isinstance(found.first, Col) else Col(name=due[0]) if len(due) == 1 else None
        if other is None or (found.first is not None and not is_named) or other == found.second:
            continue
        if _is_a_value(tokens[found.start : found.end], vocabulary, context):
            continue
        said = f"{vocabulary.words['with']} `{found.second.name}` {vocabulary.words[side]} `{other.name}`"
        written = " ".join(token.text for token in tokens[found.start : found.end])
        note = "" if is_named else f"“{written}” is taken to be measured by `{other.name}`."
        return f"{text_of(tokens[: found.start])} {said} {text_of(tokens[found.end :])}".strip(), note
    return None


def _is_a_value(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether words are a value, with or without a "being": "left before being seen" of an outcome."""
    said = [token.lower for token in tokens]
    bare = (word for word in said if word not in vocabulary.lists["being"])
    return " ".join(said) in context.values or " ".join(bare) in context.values


def _more_than(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> str | None:
    """Return the question with the first number before the comparison: "more goals than assists"."""
    than = vocabulary.words["than"]
    for place, token in enumerate(tokens):
        if token.lower not in vocabulary.lists["more"]:
            continue
        for at in range(place + 2, min(place + 2 + LONGEST_NAME, len(tokens) - 1)):
            if tokens[at].lower != than:
                continue
            first = column_named(tokens[place + 1 : at], context)
            second = _longest_column(tokens[at + 1 :], context)
            if first is not None and second is not None and context.is_measure(first) and context.is_measure(second[0]):
                rest = tokens[at + 1 + second[1] :]
                said = f"`{first}` {token.text} {than} `{second[0]}`"
                return f"{text_of(tokens[:place])} {said} {text_of(rest)}".strip()
    return None


def _longest_column(tokens: tuple[Token, ...], context: Context) -> tuple[str, int] | None:
    """Return the column that the most of the first words name, and how many they are."""
    for length in range(min(LONGEST_NAME, len(tokens)), 0, -1):
        name = column_named(tokens[:length], context)
        if name is not None:
            return name, length
    return None
