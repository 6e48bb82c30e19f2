"""Sentences that define a column before they ask: "Create a column margin as revenue minus cost. What is its mean?"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.arithmetic import Calculation, calculated, combined
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Phrase, Vocabulary
from jupyter_mcpgen.nl.context import EXACT, Context
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.plan.expressions import ArithmeticOp
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

MOST_WORDS_OF_A_NAME = 5
SURELY_A_NAME = 0.1
"""A column named at most this uncertainly is the one that is meant."""
_BREAKS = re.compile(r"\s*[.;]\s+(?:and\s+)?|\s*,?\s+(?:and\s+then|then|and|to)\s+|\s*,\s*")


@dataclass(frozen=True)
class _Definition:
    """A name and the calculation that it is given to."""

    name: tuple[str, ...]
    calculation: Calculation


def defined_in(question: str, profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the column that a question defines before it asks something of it, or None."""
    words = vocabulary.defined
    for found in _BREAKS.finditer(question) if words else ():
        head, rest = question[: found.start()], question[found.end() :]
        asked = _tokens(rest, context)
        definition = _definition(_tokens(head, context), vocabulary, context) if _asks(asked, vocabulary) else None
        if definition is None:
            continue
        name = free_name("_".join(definition.name), profile)
        meant = _about(asked, definition.name, Token(name, TokenKind.QUOTED), vocabulary, context)
        if meant is None:
            continue
        calculation = definition.calculation
        return Computed(
            name=name,
            type=ColumnType.REAL,
            step=Derive(name=name, expression=calculation.value),
            question=meant,
            bounds=calculation.bounds,
            adds_up=calculation.adds_up,
            is_new=True,
            required=True,
        )
    return None


def _tokens(text: str, context: Context) -> tuple[Token, ...]:
    return tokenize(text, decimal_comma=context.lexicon.decimal_comma)


def _asks(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> bool:
    return _behind(tokens, 0, vocabulary.defined["computing"]) is not None


def _definition(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> _Definition | None:
    """Return what a whole clause defines: a verb, a name, a calculation, and nothing else."""
    words = vocabulary.defined
    at = _over(tokens, 0, words["opening"])
    verb = _behind(tokens, at, words["verbs"])
    if verb is None:
        return None
    at = _over(tokens, verb, (*words["articles"], *words["nouns"], *words["naming"]))
    for link_at in range(at + 1, min(at + MOST_WORDS_OF_A_NAME, len(tokens) - 1) + 1):
        linked = _behind(tokens, link_at, words["linking"])
        bracket = tokens[link_at].text == "(" and tokens[-1].text == ")"
        if linked is None and not bracket:
            continue
        said = tokens[linked or link_at + 1 : -1 if bracket else len(tokens)]
        calculation = _calculation(_without_each(said, vocabulary), vocabulary, context)
        called = tokens[at : link_at - (tokens[link_at - 1].text == ",")]
        name = _name(_without_each(called, vocabulary), context)
        if calculation is not None and name:
            return _Definition(name, calculation)
    return None


def _name(tokens: tuple[Token, ...], context: Context) -> tuple[str, ...]:
    """Return the words of a name; none for words that are no name, or the name of a column that there is."""
    if any(token.kind not in (TokenKind.WORD, TokenKind.QUOTED) for token in tokens):
        return ()
    name = tuple(part for token in tokens for part in re.findall(r"\w+", token.lower))
    return () if EXACT in context.columns_with("_".join(name)).values() else name


def _without_each(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> tuple[Token, ...]:
    """Return a clause without "for each row" at its end, or "for each campaign", with one word for what a row is."""
    for place in range(max(0, len(tokens) - 5), len(tokens)):
        end = _behind(tokens, place, vocabulary.defined["each"])
        if end is not None and len(tokens) - end <= 1:
            return tokens[:place]
    return tokens


def _calculation(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> Calculation | None:
    """Return the calculation that all of some words say."""
    written = calculated(tokens, vocabulary, context)
    if written is not None:
        return written
    words = vocabulary.defined
    ways = (
        ("ratio", "to", ArithmeticOp.DIVIDE, False), ("dividing", "by", ArithmeticOp.DIVIDE, False),
        ("sum", "and", ArithmeticOp.ADD, False), ("adding", "and", ArithmeticOp.ADD, False),
        ("multiplying", "by", ArithmeticOp.MULTIPLY, False), ("multiplying", "and", ArithmeticOp.MULTIPLY, False),
        ("product", "and", ArithmeticOp.MULTIPLY, False), ("difference", "and", ArithmeticOp.SUBTRACT, False),
        ("subtracting", "from", ArithmeticOp.SUBTRACT, True),
    )  # fmt: skip
    for opening, joining, op, turned in ways:
        start = _behind(tokens, 0, words[opening])
        for place in range(start + 1, len(tokens)) if start is not None else ():
            behind = _behind(tokens, place, words[joining])
            if behind is None:
                continue
            both = tokens[start:place], tokens[behind:]
            sides = [calculated(side, vocabulary, context, alone=True) for side in (both[::-1] if turned else both)]
            if sides[0] is not None and sides[1] is not None:
                return combined(sides[0], op, sides[1])
    return None


def _about(
    tokens: tuple[Token, ...], name: tuple[str, ...], column: Token, vocabulary: Vocabulary, context: Context
) -> str | None:
    """Return what is asked with the column where its name stands, or a word that points back to it."""
    said = [context.plain(token.lower) for token in tokens]
    wanted = [context.plain(word) for word in name]
    joined = ["_".join(name)]
    for words in (wanted, joined):
        places = [place for place in range(len(said) - len(words) + 1) if said[place : place + len(words)] == words]
        if places:
            return text_of(tuple(_replaced(tokens, places, len(words), column)))
    other = _names_a_number(tokens, context)
    for place in range(len(tokens)):
        end = _behind(tokens, place, vocabulary.defined["pronouns"])
        if end is not None and other:
            return text_of((*tokens[:place], column, *tokens[end:]))
        if end is not None:
            return _with_figure_of(tokens[:place], tokens[end:], column, context)
    return None if other else _with_figure_of(tokens, (), column, context)


def _with_figure_of(
    before: tuple[Token, ...], behind: tuple[Token, ...], column: Token, context: Context
) -> str | None:
    """Return what is asked with the column right behind the figure that is asked for of it."""
    tokens = (*before, *behind)
    ends = [item.end for item in link(tokens, context) if isinstance(item.meaning, m.Function)]
    if not ends:
        return None
    return text_of((*tokens[: max(ends)], column, *tokens[max(ends) :]))


def _names_a_number(tokens: tuple[Token, ...], context: Context) -> bool:
    return any(
        isinstance(item.meaning, m.Column) and item.cost <= SURELY_A_NAME and context.is_measure(item.meaning.name)
        for item in link(tokens, context)
    )


def _replaced(tokens: tuple[Token, ...], places: list[int], length: int, column: Token) -> Iterator[Token]:
    place = 0
    while place < len(tokens):
        if place in places:
            yield column
            place += length
        else:
            yield tokens[place]
            place += 1


def _behind(tokens: tuple[Token, ...], start: int, phrases: tuple[Phrase, ...]) -> int | None:
    for words in phrases:
        if tuple(token.lower for token in tokens[start : start + len(words)]) == words:
            return start + len(words)
    return None


def _over(tokens: tuple[Token, ...], start: int, phrases: tuple[Phrase, ...]) -> int:
    longest = tuple(sorted(phrases, key=len, reverse=True))
    while (end := _behind(tokens, start, longest)) is not None:
        start = end
    return start
