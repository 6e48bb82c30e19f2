"""Where a question mentions columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.nl.schema import costs
from jupyter_mcpgen.nl.schema.column_index import ColumnIndex, IndexedColumn
from jupyter_mcpgen.nl.schema.facts import TableSchema
from jupyter_mcpgen.nl.schema.headers import split_words
from jupyter_mcpgen.nl.schema.preferences import NEARLY
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

LONGEST_SPAN = 6
_FEWEST_INITIALS = 3
_WRITTEN = (TokenKind.WORD, TokenKind.NUMBER)
_PERCENT = "%"
_OWNS = re.compile(r"(?<=\w)['’]s$", re.IGNORECASE)
_MARKS = frozenset("/()&")
"""Signs inside of headers."""

Matches = Mapping[int, Mapping[int, float]]
_Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class ColumnMention:
    """The tokens from `first` up to, not including, `last` mention a column."""

    first: int
    last: int
    column: str
    cost: float


def column_mentions(tokens: Sequence[Token], schema: TableSchema) -> tuple[ColumnMention, ...]:
    """Return where columns are mentioned, each span and column once at its least cost, in the order of the tokens."""
    best: dict[_Span, float] = {}
    for mention in _all_mentions(_Question(tokens, schema), schema.column_index):
        span = mention.first, mention.last, mention.column
        best[span] = min(mention.cost, best.get(span, 1.0))
    for span, cost in _less_likely(best, schema):
        best[span] = costs.together(best[span], cost)
    return tuple(ColumnMention(*span, round(cost, 4)) for span, cost in sorted(best.items()))


def _less_likely(best: Mapping[_Span, float], schema: TableSchema) -> list[tuple[_Span, float]]:
    """Return the mentions of columns of which another is meant by the same words, and what they cost more."""
    mentioned = {span[2] for span in best}
    likely = [one for one in schema.preferences if one.column in mentioned and one.other in mentioned]
    return [
        ((first, last, column), one.cost)
        for one in likely
        for (first, last, column), cost in best.items()
        if column == one.other and best.get((first, last, one.column), 1.0) <= cost + NEARLY and cost > costs.EXACT
    ]


class _Question:
    """The tokens of a question with the header words that each piece of them may be."""

    def __init__(self, tokens: Sequence[Token], schema: TableSchema) -> None:
        index = schema.column_index
        self.tokens = tokens
        self.pieces = [
            split_words(_OWNS.sub("", token.text)) if token.kind in _WRITTEN or token.text == _PERCENT else ()
            for token in tokens
        ]
        self.matches = [[self._matches(piece, schema, index) for piece in pieces] for pieces in self.pieces]
        self.negations = schema.vocabulary.words.negations
        connecting = schema.vocabulary.words.connecting
        self.marks = [token.kind is TokenKind.SYMBOL and token.text in _MARKS for token in tokens]
        self.connecting = [
            mark or (bool(pieces) and connecting.issuperset(pieces))
            for mark, pieces in zip(self.marks, self.pieces, strict=True)
        ]
        self.function = [bool(pieces) and all(map(schema.lexicon.is_function, pieces)) for pieces in self.pieces]

    def turns(self, column: IndexedColumn, said: Mapping[int, float]) -> bool:
        """Tell whether a header says the opposite of the words that mention it: `not_returned`, and "returned"."""
        return any(word.text in self.negations and place not in said for place, word in enumerate(column.words))

    @staticmethod
    def _matches(piece: str, schema: TableSchema, index: ColumnIndex) -> Matches:
        found = index.matches(piece)
        return found if found or schema.value_index.has_word(piece) else index.typos(piece)


def _all_mentions(question: _Question, index: ColumnIndex) -> Iterator[ColumnMention]:
    for first, token in enumerate(question.tokens):
        if token.kind is TokenKind.QUOTED:
            for number in index.named(token.text):
                yield ColumnMention(first, first + 1, index.columns[number].name, costs.EXACT)
            continue
        for written, number in index.written(token.lower):
            if tuple(one.lower for one in question.tokens[first : first + len(written)]) == written:
                yield ColumnMention(first, first + len(written), index.columns[number].name, costs.EXACT)
        yield from _wholes(question, first, index)
        candidates = question.matches[first][0] if question.matches[first] else {}
        for number in candidates:
            yield from _spans(question, first, number, index.columns[number])


def _spans(question: _Question, first: int, number: int, column: IndexedColumn) -> Iterator[ColumnMention]:
    """Yield the spans from a token on whose words are all words of a column's header."""
    said: dict[int, float] = {}
    cost = 0.0
    for last in range(first, min(first + LONGEST_SPAN, len(question.tokens))):
        taken = _take(question.matches[last], number, said)
        if taken is None:
            if not question.connecting[last] or all(column.words[place].text.isdecimal() for place in said):
                return
            cost = costs.together(cost, costs.EXACT if question.marks[last] else costs.SKIPPED)
            continue
        if last == first and question.function[first] and 0 not in taken:
            return
        said.update(taken)
        for one in taken.values():
            cost = costs.together(cost, one)
        total = costs.together(cost, column.lacking(said))
        if total <= costs.MOST and _may_end(said, taken, column) and not question.turns(column, said):
            yield ColumnMention(first, last + 1, column.name, total)


def _take(matches: Sequence[Matches], number: int, said: Mapping[int, float]) -> dict[int, float] | None:
    """Return the words of a header that the pieces of a token are, the cheapest ones that are still free."""
    taken: dict[int, float] = {}
    for piece in matches:
        free = [
            (cost, place) for place, cost in piece.get(number, {}).items() if place not in said and place not in taken
        ]
        if not free:
            return None
        cost, place = min(free)
        taken[place] = cost
    return taken or None


def _may_end(said: Mapping[int, float], taken: Mapping[int, float], column: IndexedColumn) -> bool:
    """Tell whether a mention may end here: on no function word inside a header, and not with such words alone."""
    words, final = column.words, len(column.words) - 1
    if all(words[place].function and place != final for place in taken) and len(words) > 1:
        return False
    whole = len(said) == len(words)
    return whole or any(not words[place].function and not words[place].text.isdecimal() for place in said)


def _wholes(question: _Question, first: int, index: ColumnIndex) -> Iterator[ColumnMention]:
    """Yield the columns that some tokens name as a whole: written as one or in several words, or by initials."""
    pieces: tuple[str, ...] = ()
    for last in range(first, min(first + LONGEST_SPAN, len(question.tokens))):
        if not question.pieces[last]:
            return
        pieces += question.pieces[last]
        for number in index.joined("".join(pieces)):
            if pieces != tuple(word.text for word in index.columns[number].words):
                yield ColumnMention(first, last + 1, index.columns[number].name, costs.INFLECTED)
        if len(pieces) == 1:
            capitals = question.tokens[first].text.isupper()
            for number in index.with_initials(pieces[0], capitals=capitals):
                yield ColumnMention(first, last + 1, index.columns[number].name, costs.ABBREVIATED)
        elif len(pieces) >= _FEWEST_INITIALS and not question.function[first]:
            for number in index.joined("".join(piece[0] for piece in pieces)):
                if not question.function[last]:
                    yield ColumnMention(first, last + 1, index.columns[number].name, costs.ABBREVIATED)
