"""Where a question mentions values of columns of texts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.schema import costs
from jupyter_mcpgen.nl.schema.cell_index import has_figure, signs_of
from jupyter_mcpgen.nl.schema.facts import TableSchema
from jupyter_mcpgen.nl.schema.value_index import ColumnValues, Value, ValueIndex, Way, pieces_of
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize

_MOST_INITIALS = 6
_MOST_JOINED = 3
_LONGEST_SPAN = 24
_SIGNS_AT_END = re.compile(r"(?<=\w)[+#*%-]+$")


@dataclass(frozen=True, slots=True)
class ValueMention:
    """The tokens from `first` up to, not including, `last` mention values of a column, which are alternatives."""

    first: int
    last: int
    column: str
    values: tuple[Value, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    token: int
    ends: bool
    """True for the last piece of its token."""


@dataclass(frozen=True, slots=True)
class _Said:
    """Pieces of a question that say a value: the number of them, and how."""

    pieces: int
    way: Way


def value_mentions(tokens: Sequence[Token], schema: TableSchema) -> tuple[ValueMention, ...]:
    """Return where values are mentioned, each span and value once at its least cost, in the order of the tokens."""
    best: dict[tuple[int, int, str, Value], float] = {}
    for first, last, way in _all_mentions(tokens, schema):
        key = first, last, way.column, way.value
        best[key] = min(way.cost, best.get(key, 1.0))
    grouped: dict[tuple[int, int, str, float], list[Value]] = defaultdict(list)
    likeness = {key: _likeness(tokens[key[0] : key[1]], key[3]) for key in best}
    most: dict[tuple[int, int, str], int] = defaultdict(int)
    for key, like in likeness.items():
        most[key[:3]] = max(most[key[:3]], like)
    for (first, last, column, value), cost in best.items():
        if likeness[first, last, column, value] < most[first, last, column]:
            continue  # one value is written so, and others are only alike
        grouped[first, last, column, round(cost, 4)].append(value)
    return tuple(
        ValueMention(first, last, column, tuple(sorted(values)), cost)
        for (first, last, column, cost), values in sorted(grouped.items())
    )


def _all_mentions(tokens: Sequence[Token], schema: TableSchema) -> Iterator[tuple[int, int, Way]]:
    index = schema.value_index
    pieces = [
        _Piece(text, number, ends=place == len(split) - 1)
        for number, token in enumerate(tokens)
        for split in [pieces_of(token.text)]
        for place, text in enumerate(split)
    ]
    for place in range(len(tokens)):
        yield from _written(tokens, place, schema)
    for start, piece in enumerate(pieces):
        if start and pieces[start - 1].token == piece.token:
            continue
        rest = pieces[start : start + _LONGEST_SPAN]
        for said in _said(rest, index):
            end = rest[said.pieces - 1]
            token = tokens[piece.token]
            doubt = costs.EXACT if said.pieces > 1 else _alone(token, piece, said.way, schema)
            if end.ends and doubt is not None:
                last, lacking = _with_signs(tokens, piece.token, end.token + 1, said.way)
                alike = said.way.whole and has_figure(said.way.text)
                if alike and not _is_written(tokens[piece.token : last], said.way):
                    lacking = max(lacking, costs.VALUE_INFLECTED)
                cost = costs.together(max(said.way.cost, doubt), lacking)
                way = said.way if cost == said.way.cost else replace(said.way, cost=cost)
                yield piece.token, last, way
        for way in _shortened(tokens[piece.token], index):
            yield piece.token, piece.token + 1, way


def _written(tokens: Sequence[Token], first: int, schema: TableSchema) -> Iterator[tuple[int, int, Way]]:
    """Yield the cells with figures that are written sign by sign from a token on, but for plain numbers."""
    for last, column, text in schema.cell_index.at(tokens, first):
        plain = last == first + 1 and tokens[first].kind is TokenKind.NUMBER
        if not (plain and schema.column(column).written):
            yield first, last, Way(column, text, text, costs.EXACT, whole=True)


def _likeness(tokens: Sequence[Token], value: Value) -> int:
    """Return how much a value is like what was said: 2 where it is that, 1 where it has the same words."""
    said = [token.lower for token in tokens]
    if not isinstance(value, str):
        return 0
    return 2 if " ".join(said) == value.casefold() else int(said == [token.lower for token in tokenize(value)])


def _is_written(tokens: Sequence[Token], way: Way) -> bool:
    """Tell whether a value is said with all its signs."""
    return signs_of(tokens) == signs_of(tokenize(way.text))


def _said(pieces: Sequence[_Piece], index: ValueIndex) -> Iterator[_Said]:
    """Yield the values that some pieces say from the first one on."""
    forms = {form.word for form in index.forms(pieces[0].text)}
    for column in index.columns:
        if not column.firsts.isdisjoint(forms):
            yield from _begun(pieces, column, index)
        for form in index.forms(pieces[0].text):
            way = column.ending_with(form.word) if form.plain else None
            if way is not None:
                yield _Said(1, way)
    texts = tuple(piece.text for piece in pieces)
    for words, way in index.called_otherwise(texts[0]):
        if texts[: len(words)] == words:
            yield _Said(len(words), way)
    for number in range(1, _MOST_JOINED + 1):
        for way in index.written_as_one("".join(texts[:number])) if number <= len(texts) else ():
            if pieces_of(way.text) != texts[:number]:
                yield _Said(number, way)


def _begun(pieces: Sequence[_Piece], column: ColumnValues, index: ValueIndex) -> Iterator[_Said]:
    """Yield the values of a column that begin with the pieces: those said in full, and a single one said in part."""
    ranges = [_Range((), column.everything, costs.EXACT, plain=True)]
    for number, piece in enumerate(pieces, 1):
        longer = [one for known in ranges for one in _narrowed(known, piece.text, column, index)]
        if not longer:
            if number > 1:
                yield from _heads(ranges, number - 1, column)
            return
        for one in longer:
            for way in column.wholes(one.within, number, one.cost):
                yield _Said(number, way)
        ranges = longer
    yield from _heads(ranges, len(pieces), column)


@dataclass(frozen=True, slots=True)
class _Range:
    """The values of a column that begin with some words, and what it costs that these were said."""

    said: tuple[str, ...]
    within: tuple[int, int]
    cost: float
    plain: bool


def _narrowed(known: _Range, piece: str, column: ColumnValues, index: ValueIndex) -> Iterator[_Range]:
    for form in index.forms(piece):
        said = (*known.said, form.word)
        within = column.narrowed(known.within, said)
        if within[0] < within[1]:
            yield _Range(said, within, max(known.cost, form.cost), known.plain and form.plain)


def _heads(ranges: Sequence[_Range], number: int, column: ColumnValues) -> Iterator[_Said]:
    for one in ranges:
        way = column.headed(one.within, number) if one.plain else None
        if way is not None:
            yield _Said(number, way)


def _alone(token: Token, piece: _Piece, way: Way, schema: TableSchema) -> float | None:
    """Return what it costs that one word means a value; None for a letter, function word or code without capitals."""
    if token.kind is TokenKind.QUOTED:
        return costs.EXACT
    capitals = token.text.isupper()
    if way.capitals and not capitals:
        return None
    function = schema.lexicon.is_function(token.lower)
    if len(piece.text) == 1 and piece.text.isalpha():
        return costs.EXACT if capitals and not (function and piece.token == 0) else None
    if not function or capitals or (token.text in way.text and token.text != token.lower and piece.token > 0):
        return costs.EXACT
    return costs.VALUE_COMMON_PART if way.whole and way.text.isupper() else None


def _with_signs(tokens: Sequence[Token], first: int, last: int, way: Way) -> tuple[int, float]:
    """Return where a mention ends that takes the signs at the end of a value along, and what it costs to lack them."""
    if not way.whole or not _SIGNS_AT_END.search(way.text):
        return last, costs.EXACT
    wanted, said, end = _bare(way.text), _bare("".join(token.text for token in tokens[first:last])), last
    while said != wanted and wanted.startswith(said) and end < len(tokens):
        said, end = said + _bare(tokens[end].text), end + 1
    return (end, costs.EXACT) if said == wanted else (last, costs.VALUE_INFLECTED)


def _bare(text: str) -> str:
    return "".join(text.casefold().split())


def _shortened(token: Token, index: ValueIndex) -> Iterator[Way]:
    """Yield the values of which a token in capitals is the initials."""
    letters = "".join(letter for letter in token.text if letter.isalpha())
    if token.text.isupper() and 1 < len(letters) <= _MOST_INITIALS:
        yield from index.with_initials(letters.casefold())
