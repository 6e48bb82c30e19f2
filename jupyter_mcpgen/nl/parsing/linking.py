"""Finds what each span of words may mean: phrases of the lexicon, columns, values of the data, numbers, dates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.nl.mentions.clocks import clocks_in, moments_in
from jupyter_mcpgen.nl.mentions.columns import columns_around_each, columns_in
from jupyter_mcpgen.nl.mentions.days import days_in, numbers_of_days
from jupyter_mcpgen.nl.mentions.naming import WITHOUT_TOTAL
from jupyter_mcpgen.nl.mentions.participles import participles_in
from jupyter_mcpgen.nl.mentions.ranges import without_ranges_of_values
from jupyter_mcpgen.nl.mentions.rows import ASSUMED_NOUN, row_nouns_in
from jupyter_mcpgen.nl.mentions.values import ADJECTIVE, VALUE, values_in
from jupyter_mcpgen.nl.spans import span_of
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import stem
from jupyter_mcpgen.nl.words.lexicon import MAX_PHRASE_WORDS, Lexicon

COLUMN_WORD = 0.3
"""What reading a word as a value costs that is part of a column's name too."""
WORD_OF_VALUE = 0.05
"""What it costs to take a word of a longer value for one that says what is missing."""
INSIDE = 0.1
"""What reading a part of a column's exact name as another column costs."""
PART = 0.15
"""A mention of a column that costs so much is of a part of its name."""
LONG_VALUE = 3
"""A value of so many words is seldom said by chance."""
MOST_REMEMBERED = 64
"""How many spans of words are remembered with their leaves."""
DESCRIBING = 0.12
"""What it costs to take a participle for a word that says nothing more about the rows."""


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


_NOUN_ENDING = "ing"
"""The ending of a noun for a deed: the smallest "sailing" is a row, not something that is said of it."""


def _linked(tokens: tuple[Token, ...], context: Context) -> tuple[Item, ...]:
    found: dict[tuple[int, int, Meaning], float] = {}
    for item in _leaves(tokens, context):
        key = (item.start, item.end, item.meaning)
        found[key] = min(item.cost, found.get(key, 9.0))
    items = [Item(start, end, meaning, cost) for (start, end, meaning), cost in found.items()]
    kept = (item for item in items if not _is_a_column_to_group_by(item, tokens, context))
    unranged = without_ranges_of_values(list(kept), tokens, context)
    return tuple(_without_words_of_values(list(unranged), tokens))


def _is_a_column_to_group_by(item: Item, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a word for a chart is the whole name of a column behind "by": "output by line" draws no line."""
    if not isinstance(item.meaning, m.ChartWord) or item.end != item.start + 1 or not item.start:
        return False
    if context.plain(tokens[item.start].lower) not in context.full_names:
        return False
    return any(isinstance(meaning, m.GroupWord) for meaning in context.lexicon.meanings(tokens[item.start - 1].lower))


def _without_words_of_values(items: list[Item], tokens: tuple[Token, ...]) -> Iterator[Item]:
    """Yield leaves without those that say of a part of a longer value that something is missing: "Blank Page"."""
    values = [item for item in items if isinstance(item.meaning, m.Value) and item.end > item.start + 1]
    for item in items:
        inside = [v for v in values if v.start <= item.start and item.end <= v.end]
        if not isinstance(item.meaning, m.MissingWord) or not inside:
            yield item
        elif not any(_is_written_so(value, tokens) for value in inside):
            yield replace(item, cost=item.cost + WORD_OF_VALUE)


def _is_written_so(item: Item, tokens: tuple[Token, ...]) -> bool:
    """Tell whether words are written like a value that begins with a capital."""
    text = " ".join(token.text for token in tokens[item.start : item.end])
    return isinstance(item.meaning, m.Value) and text == str(item.meaning.value) and text[:1].isupper()


def _leaves(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    phrases = [item for item in _phrases(tokens, context.lexicon) if _can_be_meant(item.meaning, context)]
    phrases = [item for item in phrases if not _is_a_value(item, tokens, context)]
    phrases += list(_deeds(tokens, context))
    counted = any(isinstance(item.meaning, m.CountWord) for item in phrases)
    yield from (item for item in phrases if not (counted and _tells_a_state(item, tokens, context)))
    of_days = numbers_of_days(tokens, context.lexicon)
    yield from (item for item in _constants(tokens) if item.start not in of_days)
    yield from clocks_in(tokens, context.lexicon)
    yield from days_in(tokens, context)
    yield from moments_in(tokens, context)
    yield from participles_in(tokens, context)
    said = list(values_in(tokens, context))
    columns = _outside_long_values(_longest_first(list(columns_in(tokens, context))), said)
    denied = {(item.start, item.end) for item in said if item.cost <= VALUE and _is_denied(item.start, tokens, context)}
    columns = [item for item in columns if (item.start, item.end) not in denied or item.cost < PART]
    yield from columns_around_each(tokens, context)
    spans = {(item.start, item.end) for item in columns if item.cost < ASSUMED_NOUN}
    values = [replace(item, cost=item.cost + COLUMN_WORD) if (item.start, item.end) in spans else item for item in said]
    named = [*columns, *values]
    yield from named
    sure = {item.start for item in named if item.end == item.start + 1 and item.cost < ADJECTIVE}
    yield from row_nouns_in(tokens, sure, context)


def _deeds(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield verbs that the only date of a table is called after: "launched" beside `launch_date`."""
    if len(context.dates) != 1:
        return
    language = context.lexicon.language
    words = context.column_words[context.dates[0]]
    stems = {stem(word, language) for word in words if not context.lexicon.meanings(word)}
    for place, token in enumerate(tokens):
        is_verb = token.kind is TokenKind.WORD and not token.lower.endswith(_NOUN_ENDING)
        is_other = is_verb and context.plain(token.lower) not in words and token.lower not in context.values
        if is_other and not context.lexicon.meanings(token.lower) and stem(token.lower, language) in stems:
            yield Item(place, place + 1, m.Describing(token.lower), DESCRIBING)


def _can_be_meant(meaning: Meaning, context: Context) -> bool:
    """Tell whether a table has what an hour or a season is of, and does not call something else so."""
    match meaning:
        case m.Season(word):
            named = context.columns_with(context.plain(word))  # the "spring" of a column `weight_spring_kg`
            return bool(context.dates) and word not in context.value_parts and not named
        case m.Hours(word=str() as word):
            return bool(context.clocks) and word not in context.value_parts
        case m.Clock() | m.HalfDay():
            return bool(context.clocks)
        case m.Describing(word, deals=True):
            return _is_of_deals(context) and not _is_of_some_rows(word, context)
        case _:
            return True


def _is_a_value(item: Item, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a word that may be left out is a value: "breakdown visits", the "variable tariff"."""
    may_be_left_out = item.meaning in (m.Varies(), m.ColumnNoun(), m.RowTail())
    word = tokens[item.start].lower
    called = word in context.values or context.lexicon.base(word) in context.values
    return item.end == item.start + 1 and may_be_left_out and called


def _is_of_deals(context: Context) -> bool:
    """Tell whether a table is about what is bought and sold; in any other, "sold" says something of a row."""
    words = {word for own in context.column_words.values() for word in own} | context.row_nouns
    signs = context.lexicon.signs_of_deals
    return not signs or bool(words & signs)


def _is_of_some_rows(deed: str, context: Context) -> bool:
    """Tell whether a column says of which rows a deed is true: a status that is `sold`, a `sold_on` with gaps."""
    dated = (name for name in context.columns_with(context.plain(deed)) if name in context.dates)
    return deed in context.values or any(context.column(name).nulls for name in dated)


def _tells_a_state(item: Item, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a participle says which rows are counted: "how many seats are taken", but not "methods used"."""
    lexicon = context.lexicon
    if not isinstance(item.meaning, m.Describing) or not item.start or item.meaning.word not in lexicon.states:
        return False
    said_of_all = any(noun.startswith(stem(item.meaning.word, lexicon.language)) for noun in context.row_nouns)
    return tokens[item.start - 1].lower in lexicon.being and not said_of_all


def _is_denied(place: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a denial stands right before a value: what is "not paid" is no row without an `amount_paid`."""
    before = context.lexicon.meanings(tokens[place - 1].lower) if place else ()
    return any(isinstance(meaning, m.Not) for meaning in before)


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


def _outside_long_values(columns: list[Item], values: list[Item]) -> list[Item]:
    """Return mentions of columns with those made costlier that are words of a long value: "left before seen"."""
    long = [value for value in values if value.end - value.start >= LONG_VALUE and value.cost <= VALUE]
    return [
        replace(item, cost=item.cost + INSIDE)
        if any(value.start <= item.start and item.end <= value.end and item.end - item.start == 1 for value in long)
        else item
        for item in columns
    ]


def _phrases(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Item]:
    for start in range(len(tokens)):
        phrase = ""
        for end in range(start + 1, min(start + MAX_PHRASE_WORDS, len(tokens)) + 1):
            token = tokens[end - 1]
            if token.kind in (TokenKind.QUOTED, TokenKind.DATE, TokenKind.CLOCK):
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
        case TokenKind.WORD | TokenKind.SYMBOL | TokenKind.CLOCK:
            return None
