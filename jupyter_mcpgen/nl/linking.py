"""Finds what each span of words may mean: phrases of the lexicon, columns, values of the data, numbers, dates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import EXACT, TOTAL_WORDS, Context, value_words
from jupyter_mcpgen.nl.lexicon import MAX_PHRASE_WORDS, Lexicon
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.nl.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words import singular, split_name, stem
from jupyter_mcpgen.plan.schema import ColumnType

MAX_MENTION = 6
"""The longest mention of a column or value, in words."""
LEAST_CERTAIN = 0.6
"""A mention less certain than this is offered in a refusal, never used."""
PART_OF_NAME = 0.4
"""What naming only a small part of a column's name costs at most."""
WITHOUT_TOTAL = 0.02
"""What leaving out a word such as "total" costs."""
ONE_OF_SEVERAL = 0.08
"""What a word costs that several columns share."""
ADDED_NOUN = 0.06
"""What a noun costs that the column's name does not have, as in "weather condition" for `weather`."""
VALUE = 0.05
QUOTED_VALUE = 0.02
COMMON_WORD = 0.45
"""What reading a word of the language as a value costs."""
COLUMN_WORD = 0.3
"""What reading a word as a value costs that is part of a column's name too."""
ADJECTIVE = 0.2
"""What reading "rainy" as `rain` costs."""
ASSUMED_NOUN = 0.3
"""What it costs to take an unknown noun for a row."""


@dataclass(frozen=True)
class Item:
    """A meaning of the tokens from `start` to `end` (exclusive), and how much believing it costs (0 is sure)."""

    start: int
    end: int
    meaning: Meaning
    cost: float


def link(tokens: tuple[Token, ...], context: Context) -> tuple[Item, ...]:
    """Return every leaf: overlapping and competing items are the chart parser's business."""
    found: dict[tuple[int, int, Meaning], float] = {}
    for item in _leaves(tokens, context):
        key = (item.start, item.end, item.meaning)
        found[key] = min(item.cost, found.get(key, 9.0))
    return tuple(Item(start, end, meaning, cost) for (start, end, meaning), cost in found.items())


def _leaves(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    yield from _phrases(tokens, context.lexicon)
    yield from _constants(tokens)
    columns = list(_columns(tokens, context))
    spans = {(item.start, item.end) for item in columns if item.cost < ASSUMED_NOUN}
    values = [
        replace(item, cost=item.cost + COLUMN_WORD) if (item.start, item.end) in spans else item
        for item in _values(tokens, context)
    ]
    named = [*columns, *values]
    yield from named
    sure = {item.start for item in named if item.end == item.start + 1 and item.cost < ADJECTIVE}
    yield from _row_nouns(tokens, sure, context)


def _phrases(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Item]:
    for start, end in _windows(len(tokens), MAX_PHRASE_WORDS):
        if any(token.kind in (TokenKind.QUOTED, TokenKind.DATE) for token in tokens[start:end]):
            continue
        phrase = " ".join(token.lower for token in tokens[start:end])
        for meaning in lexicon.meanings(phrase):
            yield Item(start, end, meaning, 0.0)


def _constants(tokens: tuple[Token, ...]) -> Iterator[Item]:
    for position, token in enumerate(tokens):
        meaning = _constant(token)
        if meaning is not None:
            yield Item(position, position + 1, meaning, 0.0)


def _constant(token: Token) -> Meaning | None:
    match token.kind:
        case TokenKind.NUMBER:
            return m.Number(token.number)
        case TokenKind.DATE:
            return span_of(token.text)
        case TokenKind.QUOTED:
            return m.Quote(token.text)
        case TokenKind.WORD | TokenKind.SYMBOL:
            return None


def span_of(text: str) -> m.Span | None:
    """Return the day or month that a year-first date names; None for a date that no calendar has."""
    numbers = [int(part) for part in text.replace("/", "-").split("-")]
    try:
        if len(numbers) == 2:
            return month_of(*numbers)
        day = dt.date(*numbers)
        return m.Span(day.isoformat(), (day + dt.timedelta(days=1)).isoformat())
    except (ValueError, OverflowError):
        return None


def month_of(year: int, month: int) -> m.Span:
    """Return one month as a stretch of time; raises `ValueError` for a month that no calendar has."""
    first = dt.date(year, month, 1)
    return m.Span(first.isoformat(), (first + dt.timedelta(days=31)).replace(day=1).isoformat())


def _columns(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    for start, end in _windows(len(tokens), MAX_MENTION):
        span = tokens[start:end]
        if any(token.kind in (TokenKind.SYMBOL, TokenKind.DATE) for token in span):
            continue
        if span[0].kind is TokenKind.NUMBER:
            continue
        if any(_is_bare_filler(tokens[edge], context) for edge in (start, end - 1)):
            continue
        if any(_joins(token, context) for token in span):
            continue
        words = [word for token in span for word in split_name(token.text)]
        for name, certainty in column_matches(words, context):
            if certainty >= LEAST_CERTAIN:
                yield Item(start, end, m.Column(name), round(1.0 - certainty, 4))


def _is_bare_filler(token: Token, context: Context) -> bool:
    """Tell whether a filler word names no column: a mention neither begins nor ends with one."""
    return context.lexicon.is_filler(token.lower) and not context.columns_with(context.plain(token.lower))


def _joins(token: Token, context: Context) -> bool:
    """Tell whether a word joins two mentions rather than standing in one."""
    joins = any(isinstance(meaning, m.And | m.Or) for meaning in context.lexicon.meanings(token.lower))
    return joins and not context.columns_with(token.lower)


def column_matches(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    """Yield columns that a span of words may name, with a certainty from 0 to 1."""
    yield from _matches(words, context)
    last = context.plain(words[-1]) if words else ""
    if len(words) > 1 and last in context.lexicon.generic and last not in context.full_names:
        for name, certainty in _matches(words[:-1], context):
            if certainty >= EXACT - ADDED_NOUN:
                yield name, certainty - ADDED_NOUN


def _matches(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    wanted = [context.plain(word) for word in words]
    spoken = [word for word in wanted if not context.lexicon.is_filler(word)] or wanted
    if not spoken or len(set(wanted)) < len(wanted) or set(spoken) <= context.row_nouns:
        return
    only_totals = set(spoken) <= TOTAL_WORDS
    language = context.lexicon.language
    stems = {stem(word, language) for word in wanted}
    found: list[tuple[str, float, float]] = []
    for name, level in _with_all(spoken, context):
        own, optional = context.column_words[name], context.optional_words[name]
        matched = {word for word in own if word in wanted or stem(word, language) in stems}
        rest = [word for word in own if word not in matched and word not in optional]
        if rest and only_totals:
            continue  # "total" alone asks for a sum, not for `total_price`
        coverage = len(matched) / (len(matched) + len(rest))
        bare = WITHOUT_TOTAL if not rest and len(own) > len(matched) else 0.0
        found.append((name, level * (1.0 - PART_OF_NAME * (1.0 - coverage)) - bare, coverage))
    if any(certainty == EXACT for _, certainty, _ in found):
        found = [match for match in found if match[2] == 1.0]  # "units" is `units`, never `unit_price`
    partial = sum(1 for _, _, coverage in found if coverage < 1.0)
    for name, certainty, coverage in found:
        yield name, certainty - (ONE_OF_SEVERAL if coverage < 1.0 and partial > 1 else 0.0)


def _with_all(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    """Yield the columns that have every word in their names, with the certainty of the least sure one."""
    first, *others = (context.columns_with(word) for word in words)
    for name in context.column_words:
        if name in first and all(name in other for other in others):
            level = min(first[name], *(other[name] for other in others), EXACT)
            if level < EXACT and context.type_of(name) is ColumnType.TEXT:
                continue  # "insured visits" asks for some of them, not for `insurance`
            yield name, level


def _values(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    for start, end in _windows(len(tokens), MAX_MENTION):
        span = tokens[start:end]
        text = " ".join(word for token in span for word in value_words(token.text))
        quoted = len(span) == 1 and span[0].kind is TokenKind.QUOTED
        named = len(span) == 1 and is_name(span[0], context)
        common = len(span) == 1 and not quoted and not named and is_common(span[0], context.lexicon)
        if common and context.lexicon.is_filler(span[0].lower) and span[0].text not in context.written_values:
            continue  # "a" is never the value A
        for value in (*context.values.get(text, ()), *_without_plural(text, context), *_letters(span, context)):
            yield Item(start, end, value, COMMON_WORD if common else QUOTED_VALUE if quoted else VALUE)
        for value in _adjective(text, context):
            yield Item(start, end, value, ADJECTIVE)


def _without_plural(text: str, context: Context) -> tuple[m.Value, ...]:
    head, _, last = text.rpartition(" ")
    bare = f"{head} {singular(last)}".strip()
    return context.values.get(bare, ()) if bare != text and len(bare) > 1 else ()


def _letters(span: tuple[Token, ...], context: Context) -> tuple[m.Value, ...]:
    """Stands for the value A in "how many As"."""
    text = span[0].text
    plural = len(span) == 1 and len(text) == 2 and text[0].isupper() and text[1] == "s"
    return context.values.get(text[0].casefold(), ()) if plural and text[0] in context.written_values else ()


def is_name(token: Token, context: Context) -> bool:
    """Tell whether a word is written like a value of the data, capitals and all: "IT" is not "it"."""
    text = token.text
    letter = len(text) == 2 and text[1] == "s" and text[0].isupper() and text[0] in context.written_values
    return letter or (text != text.casefold() and text in context.written_values)


def _adjective(text: str, context: Context) -> tuple[m.Value, ...]:
    """Stands for "rainy" for `rain`, "foggy" for `fog`."""
    if " " in text or len(text) < 4 or not text.endswith("y"):
        return ()
    bare = text[:-1]
    doubled = bare[:-1] if bare[-1] == bare[-2] else bare
    return (*context.values.get(bare, ()), *(context.values.get(doubled, ()) if doubled != bare else ()))


def is_common(token: Token, lexicon: Lexicon) -> bool:
    """Tell whether a word belongs to the language rather than to the data."""
    return lexicon.is_filler(token.lower) or bool(lexicon.meanings(token.lower))


def _row_nouns(tokens: tuple[Token, ...], sure: set[int], context: Context) -> Iterator[Item]:
    for position, token in enumerate(tokens):
        words = [singular(word) for word in split_name(token.text)]
        named = token.lower == context.profile.name.casefold() and len(words) > 1  # a column's name is one word
        if token.kind is not TokenKind.WORD or not words or (set(words) & context.full_names and not named):
            continue
        if set(words) <= context.row_nouns:
            yield Item(position, position + 1, m.RowNoun(token.text), 0.0)
        elif token.lower == context.profile.name.casefold():
            placed = position > 0 and tokens[position - 1].lower in context.lexicon.places
            amount = bool(set(words) & context.lexicon.amounts) and not placed
            yield Item(position, position + 1, m.RowNoun(token.text, amount=amount), 0.0)
        elif position not in sure and not is_common(token, context.lexicon) and token.lower.isalpha():
            yield Item(position, position + 1, m.RowNoun(token.text, assumed=True), ASSUMED_NOUN)


def _windows(length: int, widest: int) -> Iterator[tuple[int, int]]:
    for start, width in product(range(length), range(1, widest + 1)):
        if start + width <= length:
            yield start, start + width
