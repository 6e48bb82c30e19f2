"""Values that look like a range: the "18-24" of a column of age groups is no range of another column."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

NUMBER_TO_NUMBER = 3
"""How many tokens a range has: a number, a dash, a number."""


def without_ranges_of_values(items: list[Item], tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield leaves without the dash of what is a value, unless a column of numbers is named right before it."""
    values = [item for item in items if isinstance(item.meaning, m.Value) and _is_range(item, tokens)]
    firm = [item for item in values if not _follows_numbers(item, tokens, context)]
    for item in items:
        if not isinstance(item.meaning, m.To) or not any(v.start < item.start and item.end < v.end for v in firm):
            yield item


def _is_range(item: Item, tokens: tuple[Token, ...]) -> bool:
    span = tokens[item.start : item.end]
    if len(span) != NUMBER_TO_NUMBER:
        return False
    first, dash, last = span
    return {first.kind, last.kind} == {TokenKind.NUMBER} and dash.kind is TokenKind.SYMBOL


def _follows_numbers(item: Item, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a column of numbers is named before a range, and not the column of the value."""
    before = next((t for t in reversed(tokens[: item.start]) if not context.lexicon.is_filler(t.lower)), None)
    if before is None or not isinstance(item.meaning, m.Value):
        return False
    named = context.columns_with(context.plain(before.lower))
    return item.meaning.column not in named and any(context.is_number(name) for name in named)
