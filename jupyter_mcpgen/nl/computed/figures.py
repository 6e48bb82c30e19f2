"""Figures of many rows that each row is compared with: "salary above average", "above the median of their region"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.mentions.naming import column_matches
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, Columns, CompareOp, Expression, Lit
from jupyter_mcpgen.plan.ops import Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

LONGEST_NAME = 4
SURELY = 0.9
_ORDINAL = re.compile(r"(\d{1,2}(?:\.\d+)?)(?:st|nd|rd|th)")
_SIZES = (CompareOp.GT, CompareOp.GE, CompareOp.LT, CompareOp.LE)


@dataclass(frozen=True)
class _Figure:
    """A figure in a question: where its words stand, and what it is."""

    start: int
    end: int
    function: WindowFunction
    fraction: float | None = None


@dataclass(frozen=True)
class _Compared:
    """Words such as "more than twice the": where they begin, what they compare, and how many times the figure."""

    start: int
    op: CompareOp
    factor: float = 1


@dataclass(frozen=True)
class Named:
    """A column that some words name."""

    start: int
    end: int
    name: str


@dataclass(frozen=True)
class Comparison:
    """A value that is compared with a figure: where its words stand, and what they say."""

    start: int
    end: int
    value: Named
    of: str
    """The column that the figure is of."""
    by: str | None
    op: CompareOp
    function: WindowFunction
    fraction: float | None
    factor: float
    is_said_before: bool
    """True where the value stands before the comparison, as in "salary above average"."""


def figure_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the figure that a question compares each row's value with, or None."""
    tokens = without_hyphens(tokens, vocabulary)
    compared = next(comparisons_in(tokens, vocabulary, context), None)
    return None if compared is None else _computed(compared, tokens, profile, vocabulary)


def comparisons_in(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> Iterator[Comparison]:
    """Yield what a question compares with figures of many rows; the words are those without hyphens."""
    for figure in _figures(tokens, vocabulary):
        compared = _comparison(tokens, figure, vocabulary, context)
        found = None if compared is None else _whole(tokens, figure, compared, vocabulary, context)
        if found is not None:
            yield found


def without_hyphens(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> tuple[Token, ...]:
    """Return the words with "above-average" as two."""
    parted: list[Token] = []
    for token in tokens:
        words = token.text.split("-")
        is_figure = token.kind is TokenKind.WORD and words[-1].casefold() in vocabulary.figures
        parted += [Token(word, TokenKind.WORD) for word in words] if is_figure else [token]
    return tuple(parted)


def _figures(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> Iterator[_Figure]:
    for place, token in enumerate(tokens):
        if token.kind is not TokenKind.WORD:
            continue
        if token.lower in vocabulary.figures:
            yield _Figure(place, place + 1, vocabulary.figures[token.lower])
        ordinal = _ORDINAL.fullmatch(tokens[place - 1].lower) if place else None
        if ordinal is not None and token.lower in vocabulary.lists["percentiles"] and 0 < float(ordinal[1]) < 100:
            yield _Figure(place - 1, place + 1, WindowFunction.QUANTILE, float(ordinal[1]) / 100)


def _comparison(
    tokens: tuple[Token, ...], figure: _Figure, vocabulary: Vocabulary, context: Context
) -> _Compared | None:
    """Return the comparison right before a figure, with what multiplies the figure."""
    named = _group_before(tokens, figure.start, context)
    end = _back_over(tokens, named.start if named else figure.start, vocabulary.lists["before_figure"])
    factor, end = _multiple(tokens, end, vocabulary)
    found = _words_of_comparison(tokens, end, context)
    if found is None:
        return None
    start, op = found
    percents = tokens[max(0, start - 2) : start]
    if factor == 1 and _is_percent(percents, vocabulary):
        part = percents[0].number / 100 * (1 if op in (CompareOp.GT, CompareOp.GE) else -1)
        least = _words_of_comparison(tokens, start - 2, context)  # "at least" of "at least 20 % above"
        begin, op = (start - 2, op) if least is None else least
        return _Compared(begin, op, round(1 + part, 12))
    return _Compared(start, op, factor)


def _words_of_comparison(tokens: tuple[Token, ...], end: int, context: Context) -> tuple[int, CompareOp] | None:
    """Return where the words of a comparison begin that end at a place, and the comparison."""
    found = [
        (item.start, item.meaning.op)
        for item in link(tokens, context)
        if item.end == end and isinstance(item.meaning, m.Comparison) and item.meaning.op in _SIZES
    ]
    return min(found, default=None)


def _is_percent(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> bool:
    is_number = len(tokens) == 2 and tokens[0].kind is TokenKind.NUMBER
    return is_number and tokens[1].lower in vocabulary.lists["percent"]


def _group_before(tokens: tuple[Token, ...], end: int, context: Context) -> Named | None:
    """Return the groups named right before a figure, as in "the branch average"."""
    for start in range(max(0, end - LONGEST_NAME), end):
        name = column_named(tokens[start:end], context)
        if name is not None and not context.is_measure(name) and not context.names_rows(name):
            return Named(start, end, name)
    return None


def _multiple(tokens: tuple[Token, ...], end: int, vocabulary: Vocabulary) -> tuple[float, int]:
    """Return how many times a figure counts, and where the words for that begin."""
    last = tokens[end - 1].lower if end else ""
    if last in vocabulary.lists["twice"]:
        return 2, end - 1
    if last in vocabulary.lists["half"]:
        return 0.5, end - 1
    if last in vocabulary.lists["times"] and end > 1 and tokens[end - 2].kind is TokenKind.NUMBER:
        return tokens[end - 2].number, end - 2
    return 1, end


def _back_over(tokens: tuple[Token, ...], end: int, words: tuple[str, ...]) -> int:
    while end and tokens[end - 1].lower in words:
        end -= 1
    return end


def _whole(
    tokens: tuple[Token, ...], figure: _Figure, compared: _Compared, vocabulary: Vocabulary, context: Context
) -> Comparison | None:
    of = _after(tokens, figure.end, vocabulary, context)
    group = _group(tokens, of.end if of is not None else figure.end, vocabulary, context)
    before_figure = _group_before(tokens, figure.start, context)
    if group is not None and before_figure is not None:
        return None
    owned = figure.start > 0 and tokens[figure.start - 1].lower in vocabulary.lists["of_somebody"]
    owner = _kind_of_named(tokens, context) if owned and group is None and before_figure is None else None
    before = _before(tokens, compared.start, vocabulary, context)
    value = before or of
    end = max(named.end for named in (figure, of, group) if named is not None)
    beyond = _over_all(tokens, end, vocabulary, context)
    if (
        value is None
        or beyond is None
        or (_is_the(tokens, figure, vocabulary) and _goes_on(tokens, beyond, vocabulary))
    ):
        return None
    return Comparison(
        start=before.start if before is not None else compared.start,
        end=beyond,
        value=value if before is not None else replace(value, start=compared.start),
        of=(of or value).name,
        by=next((named.name for named in (group, before_figure) if named is not None), owner),
        op=compared.op,
        function=figure.function,
        fraction=figure.fraction,
        factor=compared.factor,
        is_said_before=before is not None,
    )


def _kind_of_named(tokens: tuple[Token, ...], context: Context) -> str | None:
    """Return the label of the one value that is named: "its average" behind "North's sales" is that of the North."""
    words = (token.lower.removesuffix("'s").removesuffix("’s") for token in tokens)
    found = {value.column for word in words for value in context.values.get(word, ())}
    return found.pop() if len(found) == 1 else None


def _over_all(tokens: tuple[Token, ...], end: int, vocabulary: Vocabulary, context: Context) -> int | None:
    """Return where a figure's words end with "of all orders"; None where it is one of some rows only."""
    if end == len(tokens) or tokens[end].lower not in vocabulary.lists["of_some"]:
        return end
    rest = tokens[end + 1 :]
    if len(rest) < 2 or rest[0].lower not in vocabulary.lists["everything"]:
        return None
    named = column_named(rest[1:2], context)
    of_rows = context.plain(rest[1].lower) in context.row_nouns or (named is not None and context.is_key(named))
    return end + 3 if of_rows else None


def _is_the(tokens: tuple[Token, ...], figure: _Figure, vocabulary: Vocabulary) -> bool:
    return figure.start > 0 and tokens[figure.start - 1].lower in vocabulary.lists["before_figure"]


def _goes_on(tokens: tuple[Token, ...], end: int, vocabulary: Vocabulary) -> bool:
    """Tell whether "the average" is narrowed by what follows: "the average in the North"."""
    return end < len(tokens) and tokens[end].lower in vocabulary.lists["narrowing"]


def _computed(compared: Comparison, tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary) -> Computed:
    opened = compared.start and tokens[compared.start - 1].lower in vocabulary.lists["conditions"]
    with_ = "" if compared.is_said_before or opened else vocabulary.words["with"]
    step = _window(compared, profile)
    name = step.name if compared.factor == 1 else free_name(f"{compared.factor:g}_times_{step.name}", profile)
    said = (
        *(text_of(tokens[: compared.start]), with_, f"`{compared.value.name}`"),
        *(compared.op.value, f"`{name}`", text_of(tokens[compared.end :])),
    )
    return Computed(
        name=name,
        type=ColumnType.REAL,
        step=step,
        question=" ".join(part for part in said if part),
        instead=None if compared.factor == 1 else lambda column: _times(compared.factor, step.name),
    )


def _times(factor: float, name: str) -> Expression:
    type_ = ColumnType.INTEGER if isinstance(factor, int) else ColumnType.REAL
    return Arithmetic(op=ArithmeticOp.MULTIPLY, left=Lit(value=factor, type=type_), right=Col(name=name))


def _window(compared: Comparison, profile: Profile) -> Window:
    stem = compared.function.value if compared.fraction is None else f"p{compared.fraction * 100:g}"
    by = () if compared.by is None else (compared.by,)
    return Window(
        name=free_name("_".join([stem, compared.of, *(f"of_{name}" for name in by)]), profile),
        function=compared.function,
        column=Col(name=compared.of),
        by=Columns(names=by),
        fraction=compared.fraction,
    )


def _after(tokens: tuple[Token, ...], start: int, vocabulary: Vocabulary, context: Context) -> Named | None:
    """Return the number that a figure is of: "the average salary", "the median of the price"."""
    for words in (*vocabulary.phrases["of"], ()):
        if tuple(token.lower for token in tokens[start : start + len(words)]) == words:
            begin = start + len(words)
            begin += begin < len(tokens) and tokens[begin].lower in vocabulary.lists["sums"]
            for end in range(min(begin + LONGEST_NAME, len(tokens)), begin, -1):
                name = column_named(tokens[begin:end], context)
                if name is not None and context.is_measure(name):
                    return Named(start, end, name)
    return None


def _group(tokens: tuple[Token, ...], start: int, vocabulary: Vocabulary, context: Context) -> Named | None:
    """Return the groups that a figure is one of each of: "of their region"."""
    for words in vocabulary.phrases["within_groups"]:
        if tuple(token.lower for token in tokens[start : start + len(words)]) == words:
            begin = start + len(words)
            for end in range(min(begin + LONGEST_NAME, len(tokens)), begin, -1):
                name = column_named(tokens[begin:end], context)
                if name is not None and not context.is_measure(name) and not context.names_rows(name):
                    return Named(start, end, name)
    return None


def _before(tokens: tuple[Token, ...], end: int, vocabulary: Vocabulary, context: Context) -> Named | None:
    """Return the number before a comparison, as in "salary is above"."""
    last = _back_over(tokens, end, vocabulary.lists["before_comparison"])
    for end_, start in product((end, last), range(max(0, last - LONGEST_NAME), last)):
        name = column_named(tokens[start:end_], context) if start < end_ else None
        if name is not None and context.is_measure(name):
            return Named(start, end_, name)
    return None


def column_named(span: tuple[Token, ...], context: Context) -> str | None:
    """Return the one column that some words surely name."""
    if not span or any(token.kind not in (TokenKind.WORD, TokenKind.QUOTED) for token in span):
        return None
    words = [word for token in span for word in split_name(token.text)]
    if not words or context.lexicon.is_filler(span[0].lower) or context.lexicon.is_filler(span[-1].lower):
        return None
    exact = [token.text for token in span if token.text in context.profile.schema_.names] if len(span) == 1 else []
    found = {name for name, certainty in column_matches(words, context) if certainty >= SURELY}
    return exact[0] if exact else found.pop() if len(found) == 1 else None
