"""Percentiles: "90th percentile of price", "25th and 75th percentile"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jupyter_mcpgen.nl.comparing.plans.percentiles import at_fractions
from jupyter_mcpgen.nl.comparing.question import Attempt, Found, Question
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind


def of_percentiles(question: Question) -> Iterator[Attempt]:
    """Read "90th percentile of price" as its median, and take the other percentile; "25th and 75th" are two."""
    median = question.tree["words"]["median"]
    question = _with_median_numbered(question, median)
    if any(token.lower == median for token in question.tokens):
        return
    for fraction, phrases in question.tree["fractions"].items():
        for phrase in sorted(phrases, key=len, reverse=True):
            words = tuple(phrase.split())
            for start in range(len(question.tokens)):
                if tuple(t.lower for t in question.tokens[start : start + len(words)]) == words:
                    found = Found(start, start + len(words))
                    complete = partial(at_fractions, fractions=tuple(map(float, fraction.split())))
                    yield Attempt(question.without(found, median), complete)
                    return
    yield from _numbered_percentiles(question, median)


def _with_median_numbered(question: Question, median: str) -> Question:
    """Write the "median" of "median and 90th percentile" as the 50th."""
    tokens = question.tokens
    for place in range(len(tokens) - 2):
        joined = tokens[place].lower == median and _joins(tokens[place + 1], question)
        if joined and _ordinal(tokens[place + 2], question) is not None:
            half = Token("50", TokenKind.NUMBER)
            return Question((*tokens[:place], half, *tokens[place + 1 :]), question.context, question.language)
    return question


def _numbered_percentiles(question: Question, median: str) -> Iterator[Attempt]:
    nouns = sorted((tuple(phrase.split()) for phrase in question.tree["percentiles"]["nouns"]), key=len, reverse=True)
    for end, words in ((end, words) for end in range(len(question.tokens)) for words in nouns):
        if tuple(t.lower for t in question.tokens[end : end + len(words)]) != words:
            continue
        start, percents = end, list[float]()
        number = _part if words[0] in question.tree["percentiles"].get("parts", ()) else _ordinal
        while start and (percent := number(question.tokens[start - 1], question)) is not None:
            percents.insert(0, percent)
            start -= 1
            while start and percents and _joins(question.tokens[start - 1], question) and start > 1:
                start -= 1
        if percents and len(set(percents)) == len(percents):
            start += next((i for i, t in enumerate(question.tokens[start:end]) if not _joins(t, question)), 0)
            fractions = tuple(percent / 100 for percent in percents)
            complete = partial(at_fractions, fractions=fractions)
            yield Attempt(question.without(Found(start, end + len(words)), median), complete)
        return


def _joins(token: Token, question: Question) -> bool:
    return token.lower in (",", *question.tree["phrases"]["joined"])


def _part(token: Token, question: Question) -> float | None:
    """Return the percent of a part of 1, as quantiles have it."""
    is_part = token.kind is TokenKind.NUMBER and 0 < token.number < 1
    return round(float(token.number) * 100, 10) if is_part else None


def _ordinal(token: Token, question: Question) -> float | None:
    """Return the number of "90th", between 0 and 100."""
    for ending in question.tree["percentiles"]["endings"]:
        digits = token.lower.removesuffix(ending)
        if digits != token.lower and digits.replace(".", "", 1).isdecimal() and digits.isascii():
            return float(digits) if 0 < float(digits) < 100 else None
    if token.kind is TokenKind.NUMBER and 0 < token.number < 100:
        return float(token.number)
    return None
