"""Finds phrases with gaps for dates, units and numbers among the words of a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.nl.computed.vocabulary import Phrase, Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.mentions.naming import column_matches
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.plan.expressions import Col, Lit, Moment, TimeUnit
from jupyter_mcpgen.plan.schema import ColumnType

_GAPS = frozenset({"@", "#", "A", "B", "V", "*"})
LONGEST_NAME = 6
"""How many words may name a date."""
_MOST_NAMING = 6
"""How many words may say who is meant."""
LEAST_CERTAIN = 0.5
"""Among dates alone, half a name is enough."""
_DATE_STEMS = frozenset({"date", "time", "day", "at", "on", "datetim", "timestamp"})
"""The words, without endings, that every date may have in its name."""


@dataclass(frozen=True)
class Found:
    """Where a phrase stands, and what stands in its gaps."""

    start: int
    end: int
    first: Moment | None = None
    """What `A` stands for."""
    second: Moment | None = None
    """What `B` or `V` stands for."""
    unit: TimeUnit | None = None
    number: tuple[Token, ...] = ()
    """A number with what compares with it."""
    kept: tuple[Token, ...] = ()
    """What `*` stands for, without the words that every row may be called."""


def find(key: str, tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> Found | None:
    """Return the first of the longest phrases of a list, with the longest names in its gaps."""
    said = {token.lower for token in tokens} | _GAPS
    for phrase in vocabulary.phrases[key]:
        if not said.issuperset(phrase):
            continue
        for start in range(len(tokens)):
            matches = _matched(phrase, Found(start, start), tokens, vocabulary, context)
            if (found := next(matches, None)) is not None:
                return found
    return None


def _matched(
    phrase: Phrase, found: Found, tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context
) -> Iterator[Found]:
    if not phrase:
        yield found
        return
    for longer in _next(phrase[0], found, tokens, vocabulary, context):
        yield from _matched(phrase[1:], longer, tokens, vocabulary, context)


def _next(
    word: str, found: Found, tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context
) -> Iterator[Found]:
    rest = tokens[found.end :]
    if not rest:
        return
    match word:
        case "@":
            unit = vocabulary.units.get(rest[0].lower)
            if unit is not None and found.unit in (None, unit):
                yield replace(found, end=found.end + 1, unit=unit)
        case "#":
            yield from _numbers(found, rest, vocabulary)
        case "A" | "B" | "V":
            for length in range(min(LONGEST_NAME, len(rest)), 0, -1):
                moment = moment_named(rest[:length], vocabulary, context)
                if word == "V" and all(context.plain(token.lower) in context.row_nouns for token in rest[:length]):
                    continue  # "orders" are no date of ordering
                if moment is not None and word == "A":
                    yield replace(found, end=found.end + length, first=moment)
                elif moment is not None:
                    yield replace(found, end=found.end + length, second=moment)
        case "*":
            for length in range(1, min(_MOST_NAMING, len(rest)) + 1):
                kept = tuple(token for token in rest[:length] if not _stands_for_a_row(token, vocabulary, context))
                yield replace(found, end=found.end + length, kept=kept)
        case _ if rest[0].lower == word:
            yield replace(found, end=found.end + 1)


def _stands_for_a_row(token: Token, vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether a word says of a row only what every row is, so that nothing is lost without it."""
    word = context.plain(token.lower)
    return word in context.row_nouns or token.lower in (*vocabulary.lists["opening"], *vocabulary.lists["somebody"])


def _numbers(found: Found, rest: tuple[Token, ...], vocabulary: Vocabulary) -> Iterator[Found]:
    """Yield a number, with the comparison before it if there is one."""
    texts = tuple(token.lower for token in rest)
    for phrase in (*vocabulary.lists["comparing"], ""):
        words = tuple(phrase.split())
        at = len(words)
        if texts[:at] == words and at < len(rest) and rest[at].kind is TokenKind.NUMBER:
            yield replace(found, end=found.end + at + 1, number=rest[: at + 1])
            return


def moment_named(span: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> Moment | None:
    """Return the one date column that some words name, or the day that they are; None for anything else."""
    if len(span) == 1 and span[0].kind is TokenKind.DATE:
        return _day(span[0].text.replace("/", "-"))
    if any(token.kind not in (TokenKind.WORD, TokenKind.QUOTED) for token in span):
        return None
    opening = vocabulary.lists["opening"]
    while len(span) > 1 and span[0].lower in opening:
        span = span[1:]
    if span[-1].lower in opening:
        return None
    words = [word for token in span for word in split_name(token.text)]
    found = _dates_called(words, context) or _dates_called([w for w in words if w not in _DATE_STEMS], context)
    return Col(name=found[0]) if len(found) == 1 else None


def _day(text: str) -> Lit | None:
    """Return a day of the calendar; None for a month, and for a day that no month has."""
    try:
        return Lit(value=text, type=ColumnType.DATE)
    except WrongType:
        return None


def _dates_called(words: list[str], context: Context) -> list[str]:
    """Return the date columns that some words name best."""
    sure = {name: c for name, c in column_matches(words, context) if name in context.dates and c >= LEAST_CERTAIN}
    best = [name for name, certainty in sure.items() if certainty == max(sure.values())]
    return best or (_called_after(words, context) if words else [])


def _called_after(words: list[str], context: Context) -> list[str]:
    """Return the dates that are called after an event, such as the `order_date` of an order."""
    language = context.lexicon.language
    said = {stem(context.plain(word), language) for word in words}
    return [n for n in context.dates if {stem(w, language) for w in context.column_words[n]} - _DATE_STEMS == said]
