"""Finds times of a day that are written as one word: "9am", "5pm", "17:30"."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.words.lexicon import Lexicon
from jupyter_mcpgen.nl.words.tokens import Token, TokenKind

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
