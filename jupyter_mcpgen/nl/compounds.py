"""Splits compounds whose first part is a calculation: "Gesamtumsatz" is the total of a column `umsatz`."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tokens import Token, TokenKind


def separated(tokens: tuple[Token, ...], context: Context) -> tuple[Token, ...]:
    """Return the tokens with such compounds as two; one that is itself a word of the table stays whole."""
    if not context.lexicon.compounds:
        return tokens
    return tuple(part for token in tokens for part in _parts(token, context))


def _parts(token: Token, context: Context) -> Iterator[Token]:
    word = token.lower
    known = token.kind is not TokenKind.WORD or context.columns_with(context.plain(word)) or word in context.value_parts
    for head, written in context.lexicon.compounds.items():
        rest = word.removeprefix(head)
        if not known and rest != word and context.columns_with(context.plain(rest)):
            yield Token(written, TokenKind.WORD)
            yield Token(rest, TokenKind.WORD)
            return
    yield token
