"""Values said in pieces: "maple trees" for `Norway maple` and `Field maple`, "notices by Ellis" for `Joan Ellis`.

A question that cannot be read without such a word is read as if the column had a value that is called so; the plan then
looks for the whole values, and the reading says which. Where several may be meant, it is asked which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Kind, Profile
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.lookup.reader import NOT_USED
from jupyter_mcpgen.nl.mentions.values import is_common
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Asked, Read, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.nl.words.forms import stem
from jupyter_mcpgen.nl.words.stored_values import value_words
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, IsIn, Lit
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Node
from jupyter_mcpgen.plan.slots import rebuilt

_Parts = Mapping[str, Mapping[str, tuple[frozenset[str], ...]]]
"""The words of the values of columns, by column and value."""
MOST_WORDS = 3
"""Of how many words a piece is."""
SHORTEST = 3
"""A shorter word is no piece."""
MOST_KINDS = 12
"""How many values one piece may stand for."""
MOST_OPTIONS = 5
MOST_PIECES = 4


@dataclass(frozen=True)
class _Piece:
    """Words of a question, and the values of one column that have them."""

    said: str
    column: str
    values: tuple[str, ...]
    sure: bool
    """Whether all of these values are meant, rather than one of them."""

    @property
    def name(self) -> str:
        """The value that the column is taken to have."""
        return " ".join(value_words(self.said))

    @property
    def note(self) -> str:
        """What was assumed."""
        listed = [f"“{value}”" for value in self.values]
        values = listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"
        return f"“{self.said}” is taken to mean {values} of `{self.column}`."


def read_pieces_of_values(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with unread words that are pieces of values taken for the values that have them."""
    meant = read(question, profile, language)
    unread = _unread(meant)
    if not unread:
        return meant
    context = context_of(profile, language)
    pieces = tuple(_pieces(question, unread, context, _parts(profile, language)))
    if not pieces or len({piece.name for piece in pieces}) > MOST_PIECES or _are_one_name(question, pieces):
        return meant
    ways = [_read(question, way, profile, language, read) for way in _ways(pieces)]
    if len(ways) == 1 and ways[0] is not None:
        return ways[0]
    options = list({say_plan(option.plan): option for way in ways for option in _options(way)}.values())
    if len(options) == 1:
        doubtful = next(piece for piece in pieces if not piece.sure)
        return Asked(
            f"{doubtful.note} Is this what you mean: (1) {say_plan(options[0].plan)}? Ask again in its words.",
            tuple(options),
        )
    return _asked(options) if options else meant


def _unread(meant: Understanding) -> frozenset[str]:
    """Return the words that a question was not read with."""
    match meant:
        case Refused(words=words):
            return frozenset(part for word in words for part in value_words(word))
        case Answered(winner):
            left = [note for note in winner.assumptions if note.startswith(NOT_USED)]
            return frozenset(word for note in left for word in value_words(note))
        case _:
            return frozenset()


def _pieces(question: str, unread: frozenset[str], context: Context, parts: _Parts) -> Iterator[_Piece]:
    """Yield the pieces of values in a question, each for every column that has it, those of the most words first."""
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    place = 0
    while place < len(tokens):
        widths = range(min(MOST_WORDS, len(tokens) - place), 0, -1)
        found = ((width, list(_of_run(tokens[place : place + width], unread, context, parts))) for width in widths)
        width, pieces = next(((width, made) for width, made in found if made), (1, []))
        yield from pieces
        place += width


def _are_one_name(question: str, pieces: tuple[_Piece, ...]) -> bool:
    """Tell whether two pieces may be one name with a comma in it: "Lowmill, Harrow" beside "Lowmill, Dale"."""
    return any(
        f"{one.said}, {other.said}" in question for one in pieces for other in pieces if one.column == other.column
    )


def _of_run(run: tuple[Token, ...], unread: frozenset[str], context: Context, parts: _Parts) -> Iterator[_Piece]:
    words = [_forms(word, context) for token in run for word in value_words(token.text)]
    if (
        any(token.kind is not TokenKind.WORD for token in run)
        or not words
        or max(len(token.text) for token in run) < SHORTEST
    ):
        return
    if not any(part in unread for token in run for part in value_words(token.text)):
        return
    if any(_is_known(token, context) for token in run):
        return
    plural = run[-1].lower != context.plain(run[-1].lower)
    said = " ".join(token.text for token in run)
    for name, own_words in parts.items():
        fitting = [value for value, own in own_words.items() if len(words) < len(own) and _has(own, words)]
        fitting = [value for value in fitting if not _is_denied(own_words[value], words[0], context)]
        if not 0 < len(fitting) <= MOST_KINDS:
            continue
        ends = all(_has(own_words[value][-len(words) :], words) for value in fitting)
        written = [_as_written(value, words[-1], context) for value in fitting]
        if len(words) == 1 and not ends and any(word[:1].islower() for word in written):
            continue  # "new" is no piece of "new potatoes"
        kind = ends and (plural or all(word[:1].islower() for word in written))
        named = ends or len(words) > 1 or run[0].text[:1].isupper()  # "small" may be no piece of "Small Appliances"
        yield _Piece(said, name, tuple(fitting), sure=named if len(fitting) == 1 else kind)


def _forms(word: str, context: Context) -> frozenset[str]:
    """Return a lower-case word as it is compared: without a plural ending, and the stem of a plural."""
    plain = context.plain(word)
    return frozenset((plain, stem(word, context.lexicon.language)) if plain != word else (plain,))


def _has(own: Sequence[frozenset[str]], words: Sequence[frozenset[str]]) -> bool:
    """Tell whether some words are among those of a value, in their order."""
    rest = iter(own)
    return all(any(word & one for one in rest) for word in words)


def _is_denied(own: Sequence[frozenset[str]], word: frozenset[str], context: Context) -> bool:
    """Tell whether a word of a value has a denial before it: "fiction" is no piece of `Non-fiction`."""
    return any(before & context.lexicon.denying and word & one for before, one in pairwise(own))


def _as_written(value: str, piece: frozenset[str], context: Context) -> str:
    """Return the word of a value that a piece is, with its capitals."""
    return next(part for part in value.split() if any(piece & _forms_of(word, context) for word in value_words(part)))


def _forms_of(word: str, context: Context) -> frozenset[str]:
    """Return what a word of a value may be said as."""
    return frozenset((context.plain(word), stem(word, context.lexicon.language)))


def _is_known(token: Token, context: Context) -> bool:
    """Tell whether a word is one of the language, of a column's name, of the rows, or a whole value."""
    plain = context.plain(token.lower)
    return (
        is_common(token, context.lexicon)
        or bool(context.columns_with(plain))
        or plain in context.row_nouns
        or token.lower in context.values
    )


@lru_cache(maxsize=16)
def _parts(profile: Profile, language: str) -> _Parts:
    """Return the words of each value of each column of labels, of which all values are known."""
    context = context_of(profile, language)
    found: dict[str, dict[str, tuple[frozenset[str], ...]]] = {}
    for field, column in zip(profile.schema_.fields, profile.columns, strict=True):
        if field.type is not ColumnType.TEXT or not column.complete or column.kind is Kind.LONG_TEXT or column.written:
            continue
        if context.is_key(field.name):
            continue
        words = {str(one): tuple(_forms_of(word, context) for word in value_words(str(one))) for one in column.values}
        found[field.name] = {value: own for value, own in words.items() if len(own) > 1}
    return found


def _ways(pieces: tuple[_Piece, ...]) -> Iterator[tuple[_Piece, ...]]:
    """Yield which values may be meant: one way where all are sure, else one for each value of the first that is not."""
    open_ = next((piece for piece in pieces if not piece.sure), None)
    if open_ is None:
        yield pieces
        return
    alike = [piece for piece in pieces if piece.name == open_.name]  # one person may stand in two columns
    rest = tuple(piece for piece in pieces if piece not in alike)
    for value in dict.fromkeys(value for piece in alike for value in piece.values):
        yield (*rest, *(replace(piece, values=(value,)) for piece in alike if value in piece.values))
    yield pieces


def _options(way: Understanding | None) -> tuple[Reading, ...]:
    match way:
        case Answered(winner):
            return (winner,)
        case Asked(_, options):
            return options
        case _:
            return ()


def _read(
    question: str, pieces: tuple[_Piece, ...], profile: Profile, language: str, read: Read
) -> Answered | Asked | None:
    """Return what a question means with the pieces as values; None where it means nothing, or nothing of them."""
    meant = read(question, _with_values(profile, tuple((piece.column, piece.name) for piece in pieces)), language)
    whole = partial(_with_whole_values, pieces=pieces, profile=profile)
    match meant:
        case Answered(winner, alternatives, no_chart):
            made, others = whole(winner), [whole(other) for other in alternatives]
            if made is None or _unread(meant) & {word for piece in pieces for word in value_words(piece.said)}:
                return None
            return Answered(made, tuple(other for other in others if other is not None), no_chart)
        case Asked(_, options):
            known = [made for option in options if (made := whole(option)) is not None]
            return _asked(known) if len(known) == len(options) > 1 else None
        case _:
            return None


@lru_cache(maxsize=16)
def _with_values(profile: Profile, more: tuple[tuple[str, str], ...]) -> Profile:
    """Return the profile of the table as if columns had further values."""
    added = {column.name: tuple(value for name, value in more if name == column.name) for column in profile.columns}
    columns = (column.replace(values=(*column.values, *added[column.name])) for column in profile.columns)
    return profile.replace(columns=tuple(columns))


def _with_whole_values(reading: Reading, pieces: tuple[_Piece, ...], profile: Profile) -> Reading | None:
    """Return a reading that looks for the whole values; None where it uses none, or other than by looking for them."""
    used: list[_Piece] = []

    def whole(node: Node) -> Node:
        for piece in pieces:
            made = _looking_for(node, piece)
            if made is not node:
                used.append(piece)
                node = made
        return node

    plan = reading.plan
    steps = tuple(rebuilt(step, whole) for step in plan.steps)
    names = {piece.name for piece in pieces}
    if not used or any(lit.value in names for step in steps for lit in _literals(step)):
        return None
    try:
        fields = {"source": plan.source, "source_schema": profile.schema_, "steps": steps, "chart": plan.chart}
        made = Plan.model_validate(fields)
    except PlanError:
        return None
    notes = dict.fromkeys(piece.note for piece in used)
    return replace(reading, plan=made, assumptions=(*notes, *reading.assumptions))


def _looking_for(node: Node, piece: _Piece) -> Node:
    """Return a condition on a piece as one on the whole values."""
    values = tuple(Lit(value=value, type=ColumnType.TEXT) for value in piece.values)
    match node:
        case Compare(op=CompareOp.EQ | CompareOp.NE as op, left=Col(name=name) as column, right=Lit(value=value)) if (
            name == piece.column and value == piece.name
        ):
            if len(values) == 1:
                return Compare(op=op, left=column, right=values[0])
            return IsIn(operand=column, values=values, negated=op is CompareOp.NE)
        case IsIn(operand=Col(name=piece.column), values=several) if any(one.value == piece.name for one in several):
            kept = (said for one in several for said in (values if one.value == piece.name else (one,)))
            return node.model_copy(update={"values": tuple(dict.fromkeys(kept))})
        case _:
            return node


def _literals(node: Node) -> Iterator[Lit]:
    if isinstance(node, Lit):
        yield node
    for name in type(node).model_fields:
        value = getattr(node, name)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                yield from _literals(child)


def _asked(options: list[Reading]) -> Asked:
    kept = tuple(options[: MOST_OPTIONS + 1])
    return asking_which(kept, how=IN_ITS_WORDS)
