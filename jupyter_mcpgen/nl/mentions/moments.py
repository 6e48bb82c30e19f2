"""Finds words for the making of a row: "opened" in a table of tickets with `created_at`."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.tables.own_dates import beginning_of_rows
from jupyter_mcpgen.nl.words.tokens import Token, TokenKind

SAME_MOMENT = 0.1
"""What it costs to take another word for the making of a row as saying nothing more about it."""


def moments_in(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield the words that say of the rows only that they were made, which their date says, too."""
    lexicon = context.lexicon
    for position, token in enumerate(tokens):
        if token.kind is not TokenKind.WORD or token.lower not in lexicon.making:
            continue
        known = token.lower in context.value_parts or context.columns_with(context.plain(token.lower))
        if beginning_of_rows(context) is not None and not known:
            yield Item(position, position + 1, m.Describing(token.lower), SAME_MOMENT)
