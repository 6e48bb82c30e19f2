"""Finds what each span of words may mean: phrases of the lexicon, columns, values of the data, numbers, dates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import EXACT, SHORTENED, TOTAL_WORDS, Context, value_words
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.lexicon import MAX_PHRASE_WORDS, Lexicon
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.nl.shortened import shortens
from jupyter_mcpgen.nl.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words import split_name, stem
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
COUNTING = 0.6
"""What reading the "number" of "number of orders" as a column costs."""
ROWS_OF_AMOUNTS = 0.02
"""What it costs to take "payments" for the rows of a table whose name holds that word among others."""
INSIDE = 0.1
"""What reading a part of a column's exact name as another column costs."""
MOST_REMEMBERED = 64
"""How many spans of words are remembered with their leaves."""
DESCRIBING = 0.12
"""What it costs to take a participle for a word that says nothing more about the rows."""
ASSUMED_NOUN = 0.3
"""What it costs to take an unknown noun for a row."""


def link(tokens: tuple[Token, ...], context: Context) -> tuple[Item, ...]:
    """Return every leaf: overlapping and competing items are the chart parser's business.

    Remembered for the last few spans of words, because several readers look at the same question.
    """
    remembered = context.remembered
    known = remembered.get(tokens)
    if known is None:
        if len(remembered) >= MOST_REMEMBERED:
            remembered.clear()
        known = remembered[tokens] = _linked(tokens, context)
    return known


def _linked(tokens: tuple[Token, ...], context: Context) -> tuple[Item, ...]:
    found: dict[tuple[int, int, Meaning], float] = {}
    for item in _leaves(tokens, context):
        key = (item.start, item.end, item.meaning)
        found[key] = min(item.cost, found.get(key, 9.0))
    return tuple(Item(start, end, meaning, cost) for (start, end, meaning), cost in found.items())


def _leaves(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    yield from _phrases(tokens, context.lexicon)
    yield from _constants(tokens)
    columns = _longest_first(list(_columns(tokens, context)))
    yield from _columns_of_each(tokens, context)
    spans = {(item.start, item.end) for item in columns if item.cost < ASSUMED_NOUN}
    values = [
        replace(item, cost=item.cost + COLUMN_WORD) if (item.start, item.end) in spans else item
        for item in _values(tokens, context)
    ]
    named = [*columns, *values]
    yield from named
    sure = {item.start for item in named if item.end == item.start + 1 and item.cost < ADJECTIVE}
    yield from _row_nouns(tokens, sure, context)


def _longest_first(columns: list[Item]) -> list[Item]:
    """Return mentions of columns with those made costlier that lie inside a longer one which fits exactly."""
    exact = [item for item in columns if item.cost <= WITHOUT_TOTAL and item.end - item.start > 1]
    return [
        replace(item, cost=item.cost + INSIDE)
        if any(
            whole.start <= item.start and item.end <= whole.end and item.end - item.start < whole.end - whole.start
            for whole in exact
        )
        else item
        for item in columns
    ]


def _phrases(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Item]:
    for start in range(len(tokens)):
        phrase = ""
        for end in range(start + 1, min(start + MAX_PHRASE_WORDS, len(tokens)) + 1):
            token = tokens[end - 1]
            if token.kind in (TokenKind.QUOTED, TokenKind.DATE):
                break
            phrase = f"{phrase} {token.lower}" if phrase else token.lower
            for meaning in lexicon.meanings(phrase):
                yield Item(start, end, meaning, DESCRIBING if isinstance(meaning, m.Describing) else 0.0)
            if phrase not in lexicon.beginnings:
                break


def _constants(tokens: tuple[Token, ...]) -> Iterator[Item]:
    for position, token in enumerate(tokens):
        if token.kind is TokenKind.WORD and len(token.text) == 1:
            yield Item(position, position + 1, m.Letter(token.text), 0.0)
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
    names = [split_name(_without_possessive(token.text)) for token in tokens]
    strange = {word for named in names for word in named if not _may_name(word, context)}
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
        words = [word for named in names[start:end] for word in named]
        if any(word in strange for word in words[:-1]):
            continue
        counting: float | None = None
        for name, certainty in column_matches(words, context):
            if certainty >= LEAST_CERTAIN:
                if counting is None:
                    counting = COUNTING if _counts(tokens, start, end, context) else 0.0
                yield Item(start, end, m.Column(name), round(1.0 - certainty + counting, 4))


def _columns_of_each(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
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
            for name, certainty in column_matches([word for token in span for word in split_name(token.text)], context):
                if certainty >= EXACT - ADDED_NOUN:
                    of_each = tokens[at - 1].lower == "of"
                    meaning = m.Column(name) if of_each else m.Grouped((m.GroupKey(name),), each=True)
                    yield Item(start, end, meaning, round(1.0 - certainty, 4))


def _may_name(word: str, context: Context) -> bool:
    """Tell whether a word can stand in a mention of a column before its last word."""
    plain = context.plain(word)
    return context.lexicon.is_filler(plain) or bool(context.columns_with(plain)) or plain in context.name_beginnings


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


def _without_possessive(text: str) -> str:
    """Return the "location" of "location's"."""
    return text[:-2] if text.endswith(("'s", "’s")) and len(text) > 3 else text


def _is_bare_filler(token: Token, context: Context) -> bool:
    """Tell whether a filler word names no column: a mention neither begins nor ends with one."""
    return context.lexicon.is_filler(token.lower) and not context.columns_with(context.plain(token.lower))


def _joins(token: Token, context: Context) -> bool:
    """Tell whether a word joins two mentions rather than standing in one."""
    joins = any(isinstance(meaning, m.And | m.Or | m.Nor) for meaning in context.lexicon.meanings(token.lower))
    return joins and not context.columns_with(token.lower)


def column_matches(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    """Yield columns that a span of words may name, with a certainty from 0 to 1."""
    yield from _matches(words, context)
    for joined in _written_together(words, context):
        yield from _matches(joined, context)
    last = context.plain(words[-1]) if words else ""
    if len(words) > 1 and last in context.lexicon.generic and last not in context.full_names:
        for name, certainty in _matches(words[:-1], context):
            if certainty >= EXACT - ADDED_NOUN:
                yield name, certainty - ADDED_NOUN


def _written_together(words: list[str], context: Context) -> Iterator[list[str]]:
    """Yield the words with two of them as one, as in `maritalstatus`, or `percap` for "per capita"."""
    for place in range(len(words) - 1):
        if words[place] in context.name_beginnings:
            whole = words[place] + context.plain(words[place + 1])
            if context.columns_with(whole):
                yield [*words[:place], whole, *words[place + 2 :]]


def _matches(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    wanted = [context.plain(word) for word in words]
    spoken = [word for word in wanted if not context.lexicon.is_filler(word)] or wanted
    if not spoken or len(set(wanted)) < len(wanted) or set(spoken) <= context.row_nouns:
        return
    if all(_links(word, context) for word in spoken) and tuple(wanted) not in set(context.column_words.values()):
        return  # "from" alone is never `date_from`
    only_totals = set(spoken) <= TOTAL_WORDS
    language = context.lexicon.language
    stems = {stem(word, language) for word in wanted}
    found: list[tuple[str, float, float, int]] = []
    for name, level in _with_all(spoken, context):
        own, optional = context.column_words[name], context.optional_words[name]
        matched = {
            word
            for word in own
            if word in wanted
            or stem(word, language) in stems
            or (level == SHORTENED and any(shortens(word, said) for said in wanted))
        }
        rest = [word for word in own if word not in matched and word not in optional]
        if rest and level == SHORTENED:
            continue  # "expenses" alone is never `lifeExp`
        if rest and only_totals:
            continue  # "total" alone asks for a sum, not for `total_price`
        coverage = len(matched) / (len(matched) + len(rest))
        bare = WITHOUT_TOTAL if not rest and len(own) > len(matched) else 0.0
        certainty = level * (1.0 - PART_OF_NAME * (1.0 - coverage)) - bare
        found.append((name, certainty, coverage, len(own) - len(matched)))
    if any(certainty == EXACT for _, certainty, _, _ in found):
        found = [match for match in found if match[2] == 1.0]  # "units" is `units`, never `unit_price`
    partial = sum(1 for _, _, coverage, _ in found if coverage < 1.0)
    barest = min((left_out for _, _, coverage, left_out in found if coverage == 1.0), default=0)
    for name, certainty, coverage, left_out in found:
        longer = coverage == 1.0 and left_out > barest  # "order" is `order_id` rather than `order_item_id`
        yield name, certainty - (ONE_OF_SEVERAL if longer or (coverage < 1.0 and partial > 1) else 0.0)


def _links(word: str, context: Context) -> bool:
    """Tell whether a word only links others, such as "from" or "by"."""
    kinds = m.WhereWord | m.GroupWord | m.To | m.TimeSide | m.Between | m.Over
    meanings = context.lexicon.meanings(word)
    return context.lexicon.is_filler(word) or any(isinstance(meaning, kinds) for meaning in meanings)


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
    written = [value_words(token.text) for token in tokens]
    for start, end in _windows(len(tokens), MAX_MENTION):
        words = [word for said in written[start:end] for word in said]
        if any(word not in context.value_parts for word in words[:-1]):
            continue
        span = tokens[start:end]
        text = " ".join(words)
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
    bare = f"{head} {context.lexicon.base(last)}".strip()
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
    meanings = lexicon.meanings(token.lower)
    return lexicon.is_filler(token.lower) or any(not isinstance(meaning, m.Describing) for meaning in meanings)


def _row_nouns(tokens: tuple[Token, ...], sure: set[int], context: Context) -> Iterator[Item]:
    for position, token in enumerate(tokens):
        words = [context.lexicon.base(word) for word in split_name(token.text)]
        named = token.lower == context.profile.name.casefold() and len(words) > 1  # a column's name is one word
        if token.kind is not TokenKind.WORD or not words or (set(words) & context.full_names and not named):
            continue
        if set(words) <= context.row_nouns:
            yield Item(position, position + 1, m.RowNoun(token.text), 0.0)
        elif token.lower == context.profile.name.casefold():
            placed = position > 0 and tokens[position - 1].lower in context.lexicon.places
            amount = bool(set(words) & context.lexicon.amounts) and not placed
            yield Item(position, position + 1, m.RowNoun(token.text, amount=amount), 0.0)
        elif set(words) <= context.amount_nouns:
            yield Item(position, position + 1, m.RowNoun(token.text), ROWS_OF_AMOUNTS)
        elif position not in sure and not is_common(token, context.lexicon) and token.lower.isalpha():
            yield Item(position, position + 1, m.RowNoun(token.text, assumed=True), ASSUMED_NOUN)


def _windows(length: int, widest: int) -> Iterator[tuple[int, int]]:
    for start, width in product(range(length), range(1, widest + 1)):
        if start + width <= length:
            yield start, start + width
