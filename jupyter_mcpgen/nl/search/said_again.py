"""Columns that a question names as a whole, and once more by some of their words: "card type … of each type"."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from jupyter_mcpgen.nl.schema.column_mentions import ColumnMention

AGAIN = 0.08
"""What some words of a column cost that was named before or is named later."""
_WHOLE = 0.06
"""A mention that costs no more names the column as a whole."""


def said_again(
    mentions: Sequence[ColumnMention], forms: Sequence[tuple[str, ...]], others: Container[int]
) -> Iterator[ColumnMention]:
    """Yield the mentions, those cheaper that can only name a column again by some of the same words.

    `forms` are the lemmas of each word; no such mention begins where `others` have words.
    """
    whole = [one for one in mentions if one.cost <= _WHOLE]
    for mention in mentions:
        open_ = mention.cost > AGAIN and mention.first not in others
        again = open_ and _is_again(mention, mentions, whole, forms)
        yield replace(mention, cost=AGAIN) if again else mention


def _is_again(
    mention: ColumnMention,
    mentions: Sequence[ColumnMention],
    whole: Sequence[ColumnMention],
    forms: Sequence[tuple[str, ...]],
) -> bool:
    span = range(mention.first, mention.last)
    apart = {
        one.column
        for one in whole
        if (one.last <= mention.first or mention.last <= one.first)
        and all(any(set(forms[at]) & set(forms[there]) for there in range(one.first, one.last)) for at in span)
    }
    here = {one.column for one in mentions if (one.first, one.last) == (mention.first, mention.last)}
    inside = any(one.first <= mention.first and mention.last <= one.last for one in whole)
    return not inside and here & apart == {mention.column}
