"""Finds words whose initials a column is called by: "blood pressure" where a column is called `systolic_bp`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

SHORTEST, LONGEST = 2, 4
"""How many words initials may stand for."""
IN_INITIALS = 0.05
"""What a word costs that stands for the initials of what was said."""
_VOWELS = frozenset("aeiouy")
_PIECES = re.compile(r"[A-Za-z]+")


def initials_in(tokens: tuple[Token, ...], context: Context) -> Iterator[tuple[int, int, str]]:
    """Yield where words stand whose initials are a word of a column's name, and that word."""
    short = _initials_of_columns(context)
    for start in range(len(tokens)) if short else ():
        for end in range(start + SHORTEST, min(start + LONGEST, len(tokens)) + 1):
            run = tokens[start:end]
            said = "".join(token.lower[:1] for token in run)
            inner = {token for token in run[1:-1] if context.lexicon.is_filler(token.lower)}
            if said in short and all(token in inner or _is_plain(token, context) for token in run):
                yield start, end, said


def _is_plain(token: Token, context: Context) -> bool:
    """Tell whether a word says nothing else: it is no filler, and no column has it in its name."""
    known = context.lexicon.is_filler(token.lower) or context.lexicon.meanings(token.lower)
    return token.kind is TokenKind.WORD and not known and not context.columns_with(context.plain(token.lower))


def _initials_of_columns(context: Context) -> frozenset[str]:
    """Return the short words of columns' names that no word is: written in capitals, or without a vowel."""
    pieces = {
        piece for name in context.profile.schema_.names for piece in _PIECES.findall(re.sub(r"\(.*?\)", "", name))
    }
    return frozenset(
        piece.lower()
        for piece in pieces
        if SHORTEST <= len(piece) <= LONGEST
        and (piece.isupper() or not set(piece.lower()) & _VOWELS)
        and piece.lower() not in context.lexicon.abbreviations
    )
