"""What a table says that was taken in by a row: a total, or a price times how many pieces there were."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.words.forms import split_name


def amount_taken(vocabulary: Vocabulary, context: Context) -> str | None:
    """Return the words for what was taken in: the one column of totals, or the one price times the one quantity."""
    totals = [name for name in _measures(context) if _is_total(name, vocabulary, context)]
    if len(totals) == 1:
        return f"`{totals[0]}`"
    prices = [name for name in _measures(context) if _ends_in(name, "prices", vocabulary, context)]
    pieces = [name for name in _measures(context) if _ends_in(name, "quantities", vocabulary, context)]
    whole = [name for name in pieces if len(split_name(name)) == 1]
    pieces = whole if len(whole) == 1 else pieces  # `quantity` beside `wasted_units`
    sold = [(pieces[0], prices[0])] if len(prices) == len(pieces) == 1 else []
    if not prices:
        sold = list(_sold_by_measure(vocabulary, context))
    if totals or len(sold) != 1:
        return None
    return f"`{sold[0][0]}` {vocabulary.lists['multiply'][0]} `{sold[0][1]}`"


def _sold_by_measure(vocabulary: Vocabulary, context: Context) -> Iterator[tuple[str, str]]:
    """Yield how much of a measure there was, and its price, which is called after it: `price_per_litre`."""
    for price in _measures(context):
        first, *between, last = ("", "", *(context.plain(word) for word in split_name(price)))[-3:]
        each = any(m.GroupWord(each=True) in context.lexicon.meanings(word) for word in between)
        if not each or first not in vocabulary.lists["prices"]:
            continue
        for name in _measures(context):
            words = {context.plain(word) for word in split_name(name)}
            amount = context.adds_up(name) is not False and not _is_per_piece(name, context)
            if name != price and last in words and amount:
                yield name, price


def _is_per_piece(name: str, context: Context) -> bool:
    """Tell whether a column is a figure of one of many: `litres_per_crate`."""
    said = (meaning for word in split_name(name) for meaning in context.lexicon.meanings(word))
    return any(meaning == m.GroupWord(each=True) for meaning in said)


def _measures(context: Context) -> list[str]:
    """Return the columns of figures, also those that write them as texts: "€12.50"."""
    return [name for name in context.profile.schema_.names if context.is_measure(name) or _is_written(name, context)]


def _is_written(name: str, context: Context) -> bool:
    return any(way.type.is_number for way in context.column(name).written)


def _is_total(name: str, vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether a column is called a total, of the rows or of nothing: `refund_amount` is what was given back."""
    words = {context.plain(word) for word in split_name(name)}
    totals, lines = set(vocabulary.lists["totals"]), set(vocabulary.lists.get("lines", ()))
    return bool(words & totals) and words <= totals | lines | context.row_nouns and context.adds_up(name) is not False


def _ends_in(name: str, key: str, vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether a column's name ends in a word of a list, written out and without its plural ending."""
    return context.plain((split_name(name) or (name,))[-1]) in vocabulary.lists[key]
