"""Splits compounds: "Gesamtumsatz" is the total of a column `umsatz`, "tracklength" the column `track_length`."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.context import STEM, Context
from jupyter_mcpgen.nl.words.tokens import Token, TokenKind


def separated(tokens: tuple[Token, ...], context: Context) -> tuple[Token, ...]:
    """Return the tokens with such compounds as two; one that is itself a word of the table stays whole."""
    if not context.lexicon.compounds and not any(token.lower in context.joined_names for token in tokens):
        return tokens
    return tuple(part for token in tokens for part in _parts(token, context))


def _parts(token: Token, context: Context) -> Iterator[Token]:
    word = token.lower
    known = token.kind is not TokenKind.WORD or context.columns_with(context.plain(word)) or word in context.value_parts
    levels = context.columns_with(context.plain(word)).values()
    unknown = all(level < STEM for level in levels) and word not in context.value_parts
    if word in context.joined_names and context.joined_names[word][0] in context.lexicon.denying_truth:
        whole = [name for name in context.profile.schema_.names if name.casefold() == word]
        if whole:
            yield Token(whole[0], TokenKind.QUOTED)  # `NO2` denies nothing
            return
    if token.kind is TokenKind.WORD and word in context.joined_names and unknown:
        yield from (Token(part, TokenKind.WORD) for part in context.joined_names[word])
        return
    for head, written in context.lexicon.compounds.items():
        rest = word.removeprefix(head)
        if not known and rest != word and context.columns_with(context.plain(rest)):
            yield Token(written, TokenKind.WORD)
            yield Token(rest, TokenKind.WORD)
            return
    yield token
