"""Finds the runs of words that may mention a column."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import EXACT, Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.mentions.initials import IN_INITIALS, initials_in
from jupyter_mcpgen.nl.mentions.naming import (
    ADDED_NOUN,
    amount_of_the_table,
    asks_for_rows,
    column_matches,
    worth_of_rows,
)
from jupyter_mcpgen.nl.mentions.windows import windows
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.ops import AggregateFunction

MOST_ALIKE = 200
"""Words that so many columns share, such as "gene", name none of them."""
LEAST_CERTAIN = 0.6
"""A mention less certain than this is offered in a refusal, never used."""
_AVERAGES = (AggregateFunction.MEAN, AggregateFunction.MEDIAN)
COUNTING = 0.6
"""What reading the "number" of "number of orders" as a column costs."""


def columns_in(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield the columns that runs of words may mention, the costlier the less sure the mention is."""
    names = [split_name(_without_possessive(token.text)) for token in tokens]
    strange = {word for named in names for word in named if not _may_name(word, context)}
    strange -= {word for word in strange if context.plain(word) in context.row_nouns}  # "crime type"
    for start, end in windows(len(tokens)):
        span = tokens[start:end]
        no_name = any(token.kind in (TokenKind.SYMBOL, TokenKind.DATE, TokenKind.CLOCK) for token in span)
        if no_name or span[0].kind is TokenKind.NUMBER:
            continue
        if any(_is_bare_filler(tokens[edge], context) for edge in (start, end - 1)):
            continue
        if any(_joins(token, context) for token in span) or _ends_in_per(span, context) or _denies(span, context):
            continue
        if any(_says_something(token, context) for token in span[1:-1]):
            continue  # "orders were delivered" says something of orders
        compared = end - start == 1 and _is_compared_with(tokens, start, context)
        words = [word for named in names[start:end] for word in named]
        if any(word in strange for word in words[:-1]):
            continue
        counting: float | None = None
        worth = worth_of_rows(words, context) if start and _calculates(tokens[start - 1], context) else ()
        amount = () if asks_for_rows(tokens[:start], context) else amount_of_the_table(words, context)
        matches = column_matches(words, context)
        for name, certainty in (*(matches if len(matches) <= MOST_ALIKE else ()), *worth, *amount):
            if certainty >= LEAST_CERTAIN and not _leaves_out_another(words, name, context):
                if compared and len(context.column_words[name]) > 1:
                    continue  # "above its average" is not above `avg_temp`
                if counting is None:
                    counting = COUNTING if _counts(tokens, start, end, context) else 0.0
                yield Item(start, end, m.Column(name), round(1.0 - certainty + counting, 4))
    yield from _in_initials(tokens, context)
    yield from _as_written(tokens, context)


def _as_written(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield columns whose names have signs in them and stand there sign by sign, quoted or not: `Width (cm)`."""
    said = [token.lower for token in tokens]
    names = context.profile.schema_.names
    quoted = (place for place, token in enumerate(tokens) if token.kind is TokenKind.QUOTED and token.text in names)
    yield from (Item(place, place + 1, m.Column(tokens[place].text), 0.0) for place in quoted)
    for name, signs in _names_with_signs(names):
        for start in range(len(said) - len(signs) + 1):
            if said[start] == signs[0] and tuple(said[start : start + len(signs)]) == signs:
                yield Item(start, start + len(signs), m.Column(name), 0.0)


@lru_cache(maxsize=8)
def _names_with_signs(names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    split = ((name, tokenize(name)) for name in names)
    both = {TokenKind.WORD, TokenKind.SYMBOL}
    return tuple(
        (name, tuple(token.lower for token in tokens))
        for name, tokens in split
        if both <= {token.kind for token in tokens}
    )


def _leaves_out_another(words: list[str], name: str, context: Context) -> bool:
    """Tell whether a mention would begin or end with a noun taken for a filler word: the "returns" of each store."""
    for word in {words[0], words[-1]} if len(words) > 1 else ():
        found = context.columns_with(context.plain(word))
        said_so = context.lexicon.is_filler(word) and not found
        if context.lexicon.is_filler(context.plain(word)) and not said_so and name not in found:
            return True
    return False


def _denies(span: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a word such as "no" denies what follows, and is no short form of "number": "had no", "no loans"."""
    for place, token in enumerate(span):
        short = token.kind is TokenKind.WORD and context.plain(token.lower) != token.lower
        if short and any(isinstance(meaning, m.Not) for meaning in context.lexicon.meanings(token.lower)):
            after_noun = place == len(span) - 1 and place > 0 and not context.lexicon.is_filler(span[place - 1].lower)
            return len(span) > 1 and not after_noun
    return False


def _in_initials(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield columns by words of which some stand for initials: "systolic blood pressure" is `systolic_bp`."""
    for first, last, initials in initials_in(tokens, context):
        for start, end in product(range(max(first - 2, 0), first + 1), range(last, min(last + 2, len(tokens)) + 1)):
            beside = (*tokens[start:first], *tokens[last:end])
            if any(token.kind is not TokenKind.WORD or _joins(token, context) for token in beside):
                continue
            if any(_is_bare_filler(token, context) for token in beside[:1] + beside[-1:]):
                continue
            said = [*tokens[start:first], Token(initials, TokenKind.WORD), *tokens[last:end]]
            for name, certainty in column_matches([word for token in said for word in split_name(token.text)], context):
                if certainty >= LEAST_CERTAIN:
                    yield Item(start, end, m.Column(name), round(1.0 - certainty + IN_INITIALS, 4))


def columns_around_each(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield columns whose name is said around "each": "the code of each role" is `role_code`, of every role."""
    for at, token in enumerate(tokens):
        if not any(isinstance(meaning, m.EachOne) for meaning in context.lexicon.meanings(token.lower)):
            continue
        for start, end in product(range(max(at - 3, 0), at), range(at + 2, min(at + 3, len(tokens)) + 1)):
            span = (*tokens[start:at], *tokens[at + 1 : end])
            if any(token.kind is not TokenKind.WORD or _joins(token, context) for token in span):
                continue
            if any(_is_bare_filler(edge, context) for edge in (tokens[start], tokens[end - 1])):
                continue
            behind = {context.plain(word) for token in tokens[at + 1 : end] for word in split_name(token.lower)}
            for name, certainty in column_matches([word for token in span for word in split_name(token.text)], context):
                # "sales of each name" is not `sales`: what each is of must be in the column's name
                if _leaves_out_another([tokens[start].lower, tokens[end - 1].lower], name, context):
                    continue
                if certainty >= EXACT - ADDED_NOUN and behind & set(context.column_words[name]):
                    of_each = tokens[at - 1].lower == "of"
                    meaning = m.Column(name) if of_each else m.Grouped((m.GroupKey(name),), each=True)
                    yield Item(start, end, meaning, round(1.0 - certainty, 4))


def _calculates(token: Token, context: Context) -> bool:
    """Tell whether a word asks for a figure of what follows, other than how many there are."""
    meanings = context.lexicon.meanings(token.lower)
    extremes = (meaning for meaning in meanings if isinstance(meaning, m.Extreme))
    ranks = any(not extreme.ranks and not extreme.counts for extreme in extremes)
    return ranks or any(isinstance(meaning, m.Function) for meaning in meanings)


def _is_compared_with(tokens: tuple[Token, ...], place: int, context: Context) -> bool:
    """Tell whether a word is the average or the median that something is compared with: "above the average"."""
    functions = (one for one in context.lexicon.meanings(tokens[place].lower) if isinstance(one, m.Function))
    if not any(one.function in _AVERAGES for one in functions):
        return False
    before = place - 1
    while before > 0 and context.lexicon.is_filler(tokens[before].lower):
        before -= 1
    return before >= 0 and any(isinstance(one, m.Comparison) for one in context.lexicon.meanings(tokens[before].lower))


def _may_name(word: str, context: Context) -> bool:
    """Tell whether a word can stand in a mention of a column before its last word."""
    plain = context.plain(word)
    known = bool(context.columns_with(plain)) or word in context.lexicon.units_behind_per
    return known or context.lexicon.is_filler(plain) or plain in context.name_beginnings


def _counts(tokens: tuple[Token, ...], start: int, end: int, context: Context) -> bool:
    """Tell whether a mention is the "number" of "number of orders", which names no column unless it is all of it."""
    while start < end - 1 and context.lexicon.is_filler(tokens[start].lower):
        start += 1
    text = " ".join(token.lower for token in tokens[start:end])
    if text not in context.profile.schema_.names and _counts_rows(tokens[start:end], context):
        return True
    before = tokens[start - 1].lower if start else ""
    behind = tokens[end].lower if end < len(tokens) else ""
    phrases = (f"{before} {text}", f"{text} {behind}", *((text,) if " " in text else ()))
    counting = any(
        isinstance(meaning, m.CountWord) for phrase in phrases for meaning in context.lexicon.meanings(phrase)
    )
    return counting and text not in context.profile.schema_.names


def _counts_rows(span: tuple[Token, ...], context: Context) -> bool:
    """Tell whether words are "number of cards" where a row is a card, which counts rows and names no column."""
    for split in range(1, len(span)):
        phrase = " ".join(token.lower for token in span[:split])
        nouns = {context.plain(token.lower) for token in span[split:]}
        if nouns <= context.row_nouns and any(isinstance(w, m.CountWord) for w in context.lexicon.meanings(phrase)):
            return True
    return False


def _ends_in_per(span: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a mention would end in "per", which sets what stands before it against what follows."""
    return any(m.GroupWord(each=True) == meaning for meaning in context.lexicon.meanings(span[-1].lower))


def _without_possessive(text: str) -> str:
    """Return the "location" of "location's"."""
    return text[:-2] if text.endswith(("'s", "’s")) and len(text) > 3 else text


def _says_something(token: Token, context: Context) -> bool:
    """Tell whether a word says what something is, and is no word of a column's name."""
    return token.lower in context.lexicon.being and not context.columns_with(context.plain(token.lower))


def _is_bare_filler(token: Token, context: Context) -> bool:
    """Tell whether a filler word names no column: a mention neither begins nor ends with one."""
    return context.lexicon.is_filler(token.lower) and not context.columns_with(context.plain(token.lower))


def _joins(token: Token, context: Context) -> bool:
    """Tell whether a word joins two mentions rather than standing in one."""
    joins = any(isinstance(meaning, m.And | m.Or | m.Nor) for meaning in context.lexicon.meanings(token.lower))
    return joins and not context.columns_with(token.lower)
