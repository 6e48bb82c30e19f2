"""Finds the runs of words that may mention a value of the data."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.mentions.windows import windows
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.lexicon import Lexicon
from jupyter_mcpgen.nl.words.stored_values import value_words

VALUE = 0.05
"""What reading words as a value costs."""
QUOTED_VALUE = 0.02
"""What reading words in quotation marks as a value costs."""
COMMON_WORD = 0.45
"""What reading a word of the language as a value costs."""
SINGULAR = 0.12
"""What reading "shirt" as `Shirts` costs."""
ADJECTIVE = 0.2
"""What reading "rainy" as `rain` costs."""
_JOINING = (m.WhereWord, m.InWord, m.GroupWord, m.Or, m.And, m.To, m.Of)
_DASHES = str.maketrans("–—", "--")


def values_in(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield the values of the data that runs of words may mention: as written, in the plural, as an adjective."""
    written = [value_words(token.text) for token in tokens]
    for start, end in windows(len(tokens)):
        words = [word for said in written[start:end] for word in said]
        if not words or any(word not in context.value_parts for word in words[:-1]):
            continue
        span = tokens[start:end]
        text = " ".join(words)
        quoted = len(span) == 1 and span[0].kind is TokenKind.QUOTED
        named = len(span) == 1 and is_name(span[0], context)
        common = len(span) == 1 and not quoted and not named and is_common(span[0], context.lexicon)
        common = common and not _is_a_deed_as_noun(start, tokens, context)
        joins = common and (context.lexicon.is_filler(span[0].lower) or _joins_words(span[0], context))
        if joins and span[0].text not in context.written_values:
            continue  # "a" is never the value A, and "in" never `IN`
        denies = common and _denies_what_follows(end, tokens, context) and _is_denying(span[0], context)
        asks = common and _is_who_asks(span[0], context)
        calculates = common and _is_a_calculation(span[0], context)
        if calculates and _opens_a_figure(start, tokens, context):
            continue  # the "average outcome" of each shop is not the rows with the outcome "Average"
        for value in (*context.values.get(text, ()), *_without_plural(text, context), *_letters(span, context)):
            if not _has_marks(span, value.value):
                continue  # "Paris, London" are two values, "Boston, MA" is one
            if (denies or asks) and not _is_named(value.column, tokens, context):
                continue  # "with no units sold" says nothing of a column that is "no", nor "I sold" of one that is "I"
            if calculates and _adds_up_others(value, context) and not _is_named(value.column, tokens, context):
                continue  # a "total budget" asks for no row that is called a total
            yield Item(start, end, value, COMMON_WORD if common else QUOTED_VALUE if quoted else VALUE)
        for value in () if common else _in_singular(text, context):
            yield Item(start, end, value, SINGULAR)
        for value in _adjective(text, context):
            yield Item(start, end, value, ADJECTIVE)


def _is_a_deed_as_noun(position: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a verb of requests has an article or "for" before it: "a return" is no request."""
    before = context.lexicon.meanings(tokens[position - 1].lower) if position else ()
    is_deed = tokens[position].lower in context.lexicon.deeds
    return is_deed and any(isinstance(meaning, m.Determiner | m.WhereWord) for meaning in before)


def _has_marks(span: tuple[Token, ...], value: str) -> bool:
    """Tell whether the marks of a run of words stand in a value too, those at its ends at the value's ends."""
    written = value.translate(_DASHES)
    marks = [token.text.translate(_DASHES) if token.kind is TokenKind.SYMBOL else "" for token in span]
    return all(mark in written for mark in marks) and written.startswith(marks[0]) and written.endswith(marks[-1])


def _is_denying(token: Token, context: Context) -> bool:
    return any(isinstance(meaning, m.Not) for meaning in context.lexicon.meanings(token.lower))


def _denies_what_follows(end: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a noun follows, and no word that begins another phrase."""
    if end >= len(tokens) or tokens[end].kind is not TokenKind.WORD:
        return False
    meanings = context.lexicon.meanings(tokens[end].lower)
    return not any(isinstance(meaning, m.GroupWord | m.WhereWord | m.And | m.Or) for meaning in meanings)


def _joins_words(token: Token, context: Context) -> bool:
    """Tell whether a word only joins others: a preposition, or "or"."""
    return any(isinstance(one, _JOINING) for one in context.lexicon.meanings(token.lower))


def _is_a_calculation(token: Token, context: Context) -> bool:
    return any(isinstance(meaning, m.Function) for meaning in context.lexicon.meanings(token.lower))


def _opens_a_figure(place: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a question begins with a word, but for words that say nothing, and a column's name follows."""
    opening = all(context.lexicon.is_filler(token.lower) for token in tokens[:place])
    rest = [token for token in tokens[place + 1 : place + 4] if not context.lexicon.is_filler(token.lower)]
    return opening and bool(rest) and bool(context.columns_with(context.plain(rest[0].lower)))


def _adds_up_others(value: m.Value, context: Context) -> bool:
    """Tell whether a value is the label of rows that add up the others."""
    totals = context.profile.totals
    return totals is not None and value.column == totals.column and value.value in totals.labels


def _is_named(column: str, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a question has a word of a column's name."""
    said = {context.plain(word) for token in tokens for word in value_words(token.text)}
    return bool(said & set(context.column_words[column]))


def _without_plural(text: str, context: Context) -> tuple[m.Value, ...]:
    head, _, last = text.rpartition(" ")
    bare = f"{head} {context.lexicon.base(last)}".strip()
    return context.values.get(bare, ()) if bare != text and len(bare) > 1 else ()


def _in_singular(text: str, context: Context) -> tuple[m.Value, ...]:
    """Stands for "shirt" for `Shirts`, where nothing else of the table is called so."""
    if text in context.values or text in context.row_nouns or context.columns_with(context.plain(text)):
        return ()
    return context.values_in_plural.get(text, ()) if text not in context.lexicon.amounts else ()


def _letters(span: tuple[Token, ...], context: Context) -> tuple[m.Value, ...]:
    """Stands for the value A in "how many As"."""
    text = span[0].text
    plural = len(span) == 1 and len(text) == 2 and text[0].isupper() and text[1] == "s"
    return context.values.get(text[0].casefold(), ()) if plural and text[0] in context.written_values else ()


def is_name(token: Token, context: Context) -> bool:
    """Tell whether a word is written like a value of the data, capitals and all: "IT" is not "it", "I" is who asks."""
    text = token.text
    letter = len(text) == 2 and text[1] == "s" and text[0].isupper() and text[0] in context.written_values
    written_so = text != text.casefold() and text in context.written_values
    return letter or (written_so and not _is_who_asks(token, context))


def _is_who_asks(token: Token, context: Context) -> bool:
    """Tell whether a word is the pronoun of whoever asks, whose capital says nothing."""
    return token.lower in context.lexicon.asking


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
    return lexicon.is_filler(token.lower) or any(
        not isinstance(meaning, m.Describing | m.Season | m.Hours | m.RowTail) for meaning in meanings
    )
