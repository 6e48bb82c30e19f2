"""Finds comparisons with numbers in a question: "more than 5", "before 1990", "5 or more", "more wins than 5"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.lookup.vocabulary import LimitWords, Vocabulary
from jupyter_mcpgen.nl.lookup.words import Number, Word
from jupyter_mcpgen.nl.predicates import YEARS
from jupyter_mcpgen.nl.words.lexicon import MAX_PHRASE_WORDS, Lexicon
from jupyter_mcpgen.plan.expressions import CompareOp

MAX_REACH = 6
"""How far "more" and "than" may be apart, in words."""
COMPARE: dict[CompareOp, Callable[[float, float], bool]] = {
    CompareOp.GT: operator.gt,
    CompareOp.LT: operator.lt,
    CompareOp.GE: operator.ge,
    CompareOp.LE: operator.le,
    CompareOp.EQ: operator.eq,
    CompareOp.NE: operator.ne,
}
_SIGNS = {
    ">": CompareOp.GT,
    "<": CompareOp.LT,
    ">=": CompareOp.GE,
    "<=": CompareOp.LE,
    "≥": CompareOp.GE,
    "≤": CompareOp.LE,
}
_SIGN = re.compile(rf"(?<![<>=])({'|'.join(sorted(_SIGNS, key=len, reverse=True))})[\s$€£+\-`]*$")
"""A sign right before a number, whatever ends the name before it: "`Height (cm)` < 175"."""
_NEGATED = {CompareOp.GT: CompareOp.LE, CompareOp.LT: CompareOp.GE}


@dataclass(frozen=True)
class Bound:
    """A comparison with a number, and the words that say it."""

    op: CompareOp
    number: Number
    words: tuple[int, ...]


def bounds_in(
    question: str,
    words: tuple[Word, ...],
    numbers: tuple[Number, ...],
    named: frozenset[int],
    lexicon: Lexicon,
    vocabulary: Vocabulary,
) -> tuple[Bound, ...]:
    """Return the numbers that are limits rather than values."""
    found: list[Bound] = []
    texts = [word.text for word in words]
    for place, number in enumerate(numbers):
        if place + 1 < len(numbers):
            found += _range(texts, number, numbers[place + 1], vocabulary)
        if not any(bound.number == number for bound in found):
            found += list(_bound(question, words, texts, number, named, lexicon, vocabulary))[:1]
    return tuple(found)


def _range(texts: list[str], low: Number, high: Number, vocabulary: Vocabulary) -> list[Bound]:
    own, joins = vocabulary.limits, texts[low.end : high.start]
    if (
        len(joins) != 1
        or joins[0] not in own.and_
        or low.start == 0
        or texts[low.start - 1] not in own.between
        or low.value > high.value
    ):
        return []
    return [
        Bound(CompareOp.GE, low, (low.start - 1,)),
        Bound(CompareOp.LE, high, tuple(range(low.end, high.start))),
    ]


def _bound(
    question: str,
    words: tuple[Word, ...],
    texts: list[str],
    number: Number,
    named: frozenset[int],
    lexicon: Lexicon,
    vocabulary: Vocabulary,
) -> Iterator[Bound]:
    start = number.start
    sign = _SIGN.search(question[words[start - 1].end if start else 0 : words[start].start])
    if sign is not None:
        yield Bound(_SIGNS[sign[1]], number, ())
    yield from _after(texts, number, lexicon, vocabulary.limits)
    yield from _than(texts, number, named, vocabulary)
    while (
        start > 0
        and number.start - start < 3
        and (start - 1 in named or texts[start - 1] in vocabulary.limits.before_number)
    ):
        start -= 1
    for width in range(min(MAX_PHRASE_WORDS, start), 0, -1):
        for meaning in lexicon.meanings(" ".join(texts[start - width : start])):
            if isinstance(meaning, m.Comparison) and meaning.op is not CompareOp.EQ:
                op = meaning.in_time if number.value in YEARS else meaning.op  # no age is a year
                yield Bound(op, number, tuple(range(start - width, start)))
            if isinstance(meaning, m.TimeSide) and texts[start - 1] in vocabulary.limits.sides:
                yield Bound(meaning.op, number, tuple(range(start - width, start)))


def _after(texts: list[str], number: Number, lexicon: Lexicon, own: LimitWords) -> Iterator[Bound]:
    for width in (3, 2):
        end = number.end + width
        if end > len(texts):
            continue
        for meaning in lexicon.meanings(" ".join(texts[number.end : end])):
            if isinstance(meaning, m.OrMore) and (end >= len(texts) or texts[end] not in own.than):
                yield Bound(meaning.op, number, tuple(range(number.end, end)))


def _than(texts: list[str], number: Number, named: frozenset[int], vocabulary: Vocabulary) -> Iterator[Bound]:
    at, own = number.start - 1, vocabulary.limits
    while (
        at > 0
        and number.start - at < 5
        and texts[at] not in own.than
        and (at in named or texts[at] in own.before_number | own.or_equal)
    ):
        at -= 1
    if at > 0 and texts[at] in own.slips and texts[at - 1] in vocabulary.more | vocabulary.less:
        pass  # "greater that 40" is a slip
    elif at < 1 or texts[at] not in own.than:
        return
    equal = bool(own.equal & {*texts[at : number.start]})
    for back in range(at - 1, max(at - MAX_REACH, -1), -1):
        if texts[back] in vocabulary.more or texts[back] in vocabulary.less:
            op = CompareOp.GT if texts[back] in vocabulary.more else CompareOp.LT
            late = [back + 1] if texts[back + 1] in own.recency else []  # "more recently than 1976"
            covered = [back, *late, *(i for i in range(at, number.start) if i not in named)]
            if back and texts[back - 1] in own.not_:
                op = _NEGATED[op]
                covered.insert(0, back - 1)
            elif equal:
                op = CompareOp.GE if op is CompareOp.GT else CompareOp.LE
            yield Bound(op, number, tuple(covered))
            return
