"""Values set in relation to all of a column: z-scores, min-max scaling, absolute deviations from the mean or median."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.figures import column_named
from jupyter_mcpgen.nl.computed.vocabulary import Phrase, Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Case, Col, Compare, CompareOp, Expression, When
from jupyter_mcpgen.plan.ops import Derive, Step, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

LONGEST_NAME = 6
_FIGURES = {
    "z_score": (WindowFunction.MEAN, WindowFunction.STD),
    "min_max": (WindowFunction.MIN, WindowFunction.MAX),
    "deviation_from_mean": (WindowFunction.MEAN,),
    "deviation_from_median": (WindowFunction.MEDIAN,),
}
"""The figures of a column that each way to scale it needs."""
_OF_EACH = frozenset({"z_score", "min_max"})
"""Ways to scale that give each row a value, and are no figure of them all."""
_NOTES = {
    "z_score": "`{name}` holds the z-scores of `{column}`: less its mean, over its sample standard deviation.",
    "min_max": "`{name}` holds `{column}` scaled from 0 at its smallest value to 1 at its largest.",
    "deviation_from_mean": "`{name}` is how far `{column}` lies from its mean.",
    "deviation_from_median": "`{name}` is how far `{column}` lies from its median.",
}


@dataclass(frozen=True)
class Scaled:
    """Steps that put a column in relation to all of its values, under a name, with what is noted."""

    name: str
    helping: tuple[Step, ...]
    step: Derive
    note: str


def scaled(way: str, column: str, name: str | None, profile: Profile) -> Scaled:
    """Return a column scaled in one of the ways of `_FIGURES`; in its own place where no other name is given."""
    of = Col(name=column)
    figures = tuple(
        Window(name=free_name(f"{function.value}_of_{column}", profile), function=function, column=of)
        for function in _FIGURES[way]
    )
    made = name or column
    value = _value(way, of, [Col(name=figure.name) for figure in figures])
    note = _NOTES[way].format(name=made, column=column)
    return Scaled(made, figures, Derive(name=made, expression=value), note)


def _value(way: str, of: Col, figures: list[Col]) -> Expression:
    from_first = Arithmetic(op=ArithmeticOp.SUBTRACT, left=of, right=figures[0])
    match way:
        case "z_score":
            return Arithmetic(op=ArithmeticOp.DIVIDE, left=from_first, right=figures[1])
        case "min_max":
            width = Arithmetic(op=ArithmeticOp.SUBTRACT, left=figures[1], right=figures[0])
            return Arithmetic(op=ArithmeticOp.DIVIDE, left=from_first, right=width)
        case _:
            above = Compare(op=CompareOp.GE, left=of, right=figures[0])
            back = Arithmetic(op=ArithmeticOp.SUBTRACT, left=figures[0], right=of)
            return Case(branches=(When(condition=above, value=from_first),), otherwise=back)


def scaled_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the first value of a question that is set in relation to all of its column, or None."""
    words = vocabulary.scaled
    if not words or _has_any(tokens, words["outliers"]):
        return None
    for place in range(len(tokens)):
        for way, called, start, end, column, behind in _found(tokens, place, vocabulary, context):
            made = scaled(way, column, free_name(f"{called}_{column}", profile), profile)
            stand_in = Token(made.name, TokenKind.QUOTED)
            figure = _words(vocabulary.words.get(called, ""))
            asked = text_of((*tokens[:start], *figure, stand_in, *behind, *tokens[end:]))
            others = (*tokens[:start], *tokens[end:])
            of_each = way in _OF_EACH and not behind
            if of_each and _is_alone(others, words, context):
                beside, each = _words_of(words["beside"]), _words_of(words["each_row"])
                asked = text_of((Token(column, TokenKind.QUOTED), *beside, stand_in, *each))
            bounds = (0.0, 1.0) if way == "min_max" else None
            return Computed(
                name=made.name,
                type=ColumnType.REAL,
                step=made.step,
                question=asked,
                notes=(made.note,),
                bounds=bounds,
                adds_up=False,
                before=made.helping,
                is_within=way.startswith("deviation"),
                is_unaveraged=of_each and not _names_a_figure(others, context),
                required=True,
            )
    return None


def _is_alone(others: tuple[Token, ...], words: Mapping[str, tuple[Phrase, ...]], context: Context) -> bool:
    """Tell whether nothing else is asked for: over all rows the mean of z-scores would be 0 whatever the data."""
    return all(context.lexicon.is_filler(token.lower) or (token.lower,) in words["showing"] for token in others)


def _names_a_figure(others: tuple[Token, ...], context: Context) -> bool:
    return any(isinstance(meant, m.Function) for token in others for meant in context.lexicon.meanings(token.lower))


def _words_of(phrases: tuple[Phrase, ...]) -> tuple[Token, ...]:
    return _words(" ".join(phrases[0]))


_Found = tuple[str, str, int, int, str, tuple[Token, ...]]


def _found(tokens: tuple[Token, ...], place: int, vocabulary: Vocabulary, context: Context) -> Iterator[_Found]:
    """Yield what stands at a place: the way, its name, where it begins and ends, its column, and what follows."""
    words = vocabulary.scaled
    ways = (
        ("z_before", "z_score", "z_score_of"), ("minmax_before", "min_max", "scaled"),
        ("mean_deviation", "deviation_from_mean", "mean_absolute_deviation"),
        ("median_deviation", "deviation_from_median", "median_absolute_deviation"),
    )  # fmt: skip
    for key, way, called in ways:
        end = _behind(tokens, place, words[key])
        named = _column_at(tokens, end, context) if end is not None else None
        if named is not None:
            yield way, called, place, _behind(tokens, named[1], words["around"]) or named[1], named[0], ()
    named = _column_at(tokens, place, context)
    if named is None:
        return
    end = _behind(tokens, named[1], words["z_behind"])
    if end is not None:
        yield "z_score", "z_score_of", place, end, named[0], ()
    yield from _beside_the_mean(tokens, place, named, vocabulary, context)


def _beside_the_mean(
    tokens: tuple[Token, ...], place: int, named: tuple[str, int], vocabulary: Vocabulary, context: Context
) -> Iterator[_Found]:
    """Yield "price more than two standard deviations above the mean", which looks to one side only."""
    words = vocabulary.scaled
    at = named[1]
    while at < len(tokens) and tokens[at].lower in vocabulary.lists["before_comparison"]:
        at += 1
    number = _behind(tokens, at, words["more"])
    if number is None or number + 1 >= len(tokens):
        return
    for key, sign in (("above", ""), ("below", "-")):
        end = _behind(tokens, number + 1, words[key])
        if end is None:
            continue
        far = tokens[number]
        meant = [far.number] if far.kind is TokenKind.NUMBER else _numerals(far, context)
        if meant:
            size = Token(f"{sign}{meant[0]:g}", TokenKind.NUMBER)
            comparison = (Token("<" if sign else ">", TokenKind.SYMBOL), size)
            yield "z_score", "z_score_of", place, end, named[0], comparison


def _numerals(token: Token, context: Context) -> list[int | float]:
    return [meant.value for meant in context.lexicon.meanings(token.lower) if isinstance(meant, m.Number)]


def _column_at(tokens: tuple[Token, ...], start: int, context: Context) -> tuple[str, int] | None:
    for end in range(min(start + LONGEST_NAME, len(tokens)), start, -1):
        name = column_named(tokens[start:end], context)
        if name is not None and context.is_measure(name):
            return name, end
    return None


def _behind(tokens: tuple[Token, ...], start: int, phrases: tuple[Phrase, ...]) -> int | None:
    for words in phrases:
        if tuple(token.lower for token in tokens[start : start + len(words)]) == words:
            return start + len(words)
    return None


def _has_any(tokens: tuple[Token, ...], phrases: Iterable[Phrase]) -> bool:
    return any((token.lower,) in set(phrases) for token in tokens)


def _words(text: str) -> tuple[Token, ...]:
    return tuple(Token(word, TokenKind.WORD) for word in text.split())
