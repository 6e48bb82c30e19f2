"""The part of a question that says how two tables come together: "orders joined with customers on customer_id"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.joins.keys import Pair
from jupyter_mcpgen.nl.joins.owners import nouns_at
from jupyter_mcpgen.nl.joins.words import Phrase, Way, Words, words_of
from jupyter_mcpgen.nl.schema.headers import split_words
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

MOST_BETWEEN = 5


@dataclass(frozen=True)
class Clause:
    """Which table is named first, how they come together, by which keys, and the words of the question beside that.

    `unknown` is a word that is no column where one must be.
    """

    first: int
    way: Way
    pairs: tuple[Pair, ...]
    rest: tuple[Token, ...]
    unknown: str = ""
    only_in: str = ""
    """A key that only one of the tables has."""


@dataclass(frozen=True)
class _Named:
    """Where a table is named, with the words around the name that say that it is one."""

    side: int
    first: int
    last: int


def clause_of(tokens: Sequence[Token], tables: tuple[Table, Table]) -> Clause | None:
    """Return how a question says that two tables come together; None where it does not."""
    words = words_of(tables[0].language)
    places = ((side, place) for side in (0, 1) for place in _names(tokens, tables[side]))
    named = sorted(
        (_Named(side, *_widened(tokens, *place, words)) for side, place in places), key=lambda one: one.first
    )
    for place, one in enumerate(named):
        for other in named[place + 1 :]:
            if other.side != one.side and 0 <= other.first - one.last <= MOST_BETWEEN:
                found = _between(tokens, one, other, tables, words)
                if found is not None:
                    return found
    return None


def clause_of_names(tokens: Sequence[Token], names: tuple[str, str], language: str) -> Way | None:
    """Return how tables come together of which only the names are known."""
    words = words_of(language)
    said = [token.lower for token in tokens]
    spans = []
    for side, name in enumerate(names):
        called = split_words(name)
        places = {at: at + 1 for at in range(len(said)) if said[at] == name.casefold()}
        places |= {at: at + len(called) for at in range(len(said)) if tuple(said[at : at + len(called)]) == called}
        spans += [_Named(side, *_widened(tokens, first, last, words)) for first, last in places.items()]
    spans.sort(key=lambda one: one.first)
    for one in spans:
        for other in spans:
            if other.side != one.side and 0 <= other.first - one.last <= MOST_BETWEEN:
                between = tuple(said[one.last : other.first])
                way, _, _ = _way(said[: one.first], between, said[other.last :], words)
                if way is not None:
                    return way
    return None


def _names(tokens: Sequence[Token], table: Table) -> list[tuple[int, int]]:
    """Return where a table is called by its name, or by the noun for its rows that is the same."""
    called = split_words(table.profile.name)
    own = {noun.words for noun in table.schema.row.nouns if noun.cost == 0}
    spans = {(first, last) for first, last, cost in nouns_at(tokens, table) if cost == 0}
    said = [token.lower for token in tokens]
    spelled = {(at, at + len(called)) for at in range(len(said)) if tuple(said[at : at + len(called)]) == called}
    return sorted(spans | spelled) if own or spelled else sorted(spelled)


def _widened(tokens: Sequence[Token], first: int, last: int, words: Words) -> tuple[int, int]:
    """Take the articles before a name and the word "table" behind it to it."""
    while first > 0 and words.says("article", tokens[first - 1].lower):
        first -= 1
    while last < len(tokens) and words.says("table", tokens[last].lower):
        last += 1
    return first, last


def _between(
    tokens: Sequence[Token], one: _Named, other: _Named, tables: tuple[Table, Table], words: Words
) -> Clause | None:
    said = [token.lower for token in tokens]
    between = tuple(said[one.last : other.first])
    before = said[: one.first]
    way, start, end = _way(before, between, said[other.last :], words)
    if way is None:
        return None
    end += other.last
    pairs, taken, unknown, only_in = _keys(tokens[end:], tables, words)
    start = one.first - start
    if between and words.says("having", between[0]) and len(between) > 1 and len(said) > end:
        return None  # "staff with their department name" asks for a column
    rest = [*_without_lead(tokens[:start], words), *_without_next(tokens[end + taken :], words)]
    if one.side == 1:
        pairs = tuple((theirs, own) for own, theirs in pairs)
    return Clause(one.side, way, pairs, tuple(rest), unknown, only_in)


def _way(before: Sequence[str], between: Phrase, behind: Sequence[str], words: Words) -> tuple[Way | None, int, int]:
    """Return the way, how many words before the tables say it, and how many behind."""
    for phrase, way in words.ways["between"]:
        if between == phrase:
            return way, 0, 0
    joins = between and all(words.says("and", word) for word in between)
    if not joins:
        return None, 0, 0
    for phrase, way in words.ways["verbs"]:
        if tuple(before[len(before) - len(phrase) :]) == phrase:
            return way, len(phrase), 0
    for phrase, way in words.ways["behind"]:
        if tuple(behind[: len(phrase)]) == phrase:
            return way, 0, len(phrase)
        comma = (",", *phrase)
        if tuple(behind[: len(comma)]) == comma:
            return way, 0, len(comma)
    led = bool(before) and words.says("leads", before[-1])
    only = len(between) == 1 and words.says("pairing", between[0])
    return (Way.EITHER, 0, 0) if led and only else (None, 0, 0)


def _keys(tokens: Sequence[Token], tables: tuple[Table, Table], words: Words) -> tuple[tuple[Pair, ...], int, str, str]:
    """Read "on customer_id", "on customer_id = id and shop" behind the tables, and how many words that takes."""
    said = [token.lower for token in tokens]
    at = words.length("on", said)
    if not at:
        return (), 0, "", ""
    pairs: list[Pair] = []
    while True:
        pair, taken, only_in = _pair(tokens[at:], tables, words)
        if pair is None:
            break
        pairs.append(pair)
        at += taken
        more = 1 if at < len(said) and (said[at] == "," or words.says("pairing", said[at])) else 0
        if not more or _pair(tokens[at + more :], tables, words)[0] is None:
            return tuple(pairs), at, "", ""
        at += more
    if words.says("grouping", said[0]):
        return (), 0, "", ""  # "by country" groups
    unknown = tokens[at].text if at < len(tokens) else ""
    return (), 0, "" if only_in else unknown, only_in


def _pair(tokens: Sequence[Token], tables: tuple[Table, Table], words: Words) -> tuple[Pair | None, int, str]:
    """Read one pair of columns: one name that both have, or two with a sign between."""
    said = [token.lower for token in tokens]
    only_in = ""
    for side in (0, 1):
        own, other = tables[side], tables[1 - side]
        for name, last in _columns_at(tokens, own):
            sign = words.length("equals", said[last:])
            if sign:
                for partner, end in _columns_at(tokens[last + sign :], other):
                    return ((name, partner) if side == 0 else (partner, name)), last + sign + end, ""
            partners = [one for one in other.names if split_words(one) == split_words(name)]
            if not sign and partners:
                return ((name, partners[0]) if side == 0 else (partners[0], name)), last, ""
            only_in = only_in or name
    return None, 0, only_in


def _columns_at(tokens: Sequence[Token], table: Table) -> list[tuple[str, int]]:
    """Return the columns whose name the tokens begin with, the longest first, and where it ends."""
    found = []
    for name in table.names:
        words, end = split_words(name), 0
        pieces: list[str] = []
        if tokens and tokens[0].lower == table.profile.name.casefold():
            end = 1  # `orders.customer_id`
        while end < len(tokens) and len(pieces) < len(words) and tokens[end].kind is not TokenKind.SYMBOL:
            pieces += split_words(tokens[end].text)
            end += 1
        if tuple(pieces) == words:
            found.append((name, end))
    return sorted(found, key=lambda one: -one[1])


def _without_lead(tokens: Sequence[Token], words: Words) -> Sequence[Token]:
    """Return what stands before the tables without the words that lead to them: "… in orders joined with …"."""
    left = list(tokens)
    while left and (
        words.says("leads", left[-1].lower) or words.says("article", left[-1].lower) or left[-1].text in ",;"
    ):
        left.pop()
    return left


def _without_next(tokens: Sequence[Token], words: Words) -> Sequence[Token]:
    """Return what stands behind the tables without the words that go on from them: "… and show …"."""
    left = list(tokens)
    while left and (taken := words.length("next", [token.lower for token in left])):
        left = left[taken:]
    return left
