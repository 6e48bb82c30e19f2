"""Puts two columns around their comparison: "more overtime than contract hours" as "overtime more than contract"."""

from __future__ import annotations

from jupyter_mcpgen.nl.computed.column import text_of
from jupyter_mcpgen.nl.computed.figures import LONGEST_NAME, column_named
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tokens import Token


def turned(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> str | None:
    """Return the question with the first column before the comparison; None where it compares no two so."""
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
