"""Finds times of a day that are written as one word: "9am", "5pm", "17:30"."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.tables.own_dates import beginning_of_rows
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.lexicon import Lexicon

HOURS_OF_A_HALF = 12
LONGEST_HOUR = 2
HOURS_OF_A_DAY = 24
MINUTES_OF_AN_HOUR = 60


def clocks_in(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Item]:
    """Yield the times that single words write, with their half of the day or as a clock of 24 hours does."""
    for place, token in enumerate(tokens):
        if token.kind is TokenKind.CLOCK:
            hour, minute = map(int, token.text.split(":"))
            if minute < MINUTES_OF_AN_HOUR and (hour, minute) <= (HOURS_OF_A_DAY, 0):
                yield Item(place, place + 1, m.Clock(hour, minute), 0.0)
            continue
        digits = token.lower[:LONGEST_HOUR].rstrip("abcdefghijklmnopqrstuvwxyz")
        halves = [meaning for meaning in lexicon.meanings(token.lower[len(digits) :]) if isinstance(meaning, m.HalfDay)]
        if digits.isascii() and digits.isdecimal() and halves and 0 < int(digits) <= HOURS_OF_A_HALF:
            yield Item(place, place + 1, m.Clock(int(digits) % HOURS_OF_A_HALF + halves[0].first), 0.0)


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
