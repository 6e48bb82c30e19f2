"""Groups as places, columns or intervals: "rank regions by revenue", "pivot of …", "by age group of 10"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from jupyter_mcpgen.nl.comparing.plans.groups import in_intervals, ranked, widened
from jupyter_mcpgen.nl.comparing.question import Attempt, Question, as_word, phrases_of, units_of
from jupyter_mcpgen.nl.comparing.sums import of_ratios
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.plan import Plan


def of_ranks(question: Question) -> Iterator[Attempt]:
    """Read "rank regions by revenue" as revenue by region, and number the groups."""
    found = question.find("rank")
    by = question.tree["words"]["by"]
    if found is None or found.start > 1:
        return
    rest = (*question.tokens[: found.start], *question.tokens[found.end :])
    places = [place for place, token in enumerate(rest) if token.lower == by]
    if not places:
        return
    who, what = rest[: places[0]], rest[places[0] + 1 :]
    if not who or not what:
        return
    asked = (*what, as_word(by), *who)
    ratios = tuple(of_ratios(Question(asked, question.context, question.language)))
    if ratios:
        for ratio in ratios:
            yield replace(ratio, complete=partial(_ranked_ratio, ratio=ratio.complete, context=question.context))
    elif len(places) == 1:
        yield Attempt(asked, partial(ranked, context=question.context))


def _ranked_ratio(plan: Plan, ratio: Callable[[Plan], Plan], context: Context) -> Plan:
    return ranked(ratio(plan), context)


def of_tables(question: Question) -> Iterator[Attempt]:
    """Read a cross table as the same figures in rows."""
    complete = partial(widened, context=question.context)
    rest, found = question.cut("pivot")
    if found is not None:
        yield Attempt(rest.tokens, complete, bare=rest.is_empty)
        return
    found = question.find("crosstab")
    if found is not None:
        counted = question.tree["words"]["counted"]
        asked = question.without(found, *counted, "rows", question.tree["words"]["by"])
        yield Attempt(_joined_by_and(asked, question), complete)


def _joined_by_and(tokens: tuple[Token, ...], question: Question) -> tuple[Token, ...]:
    """Write "region x product" as "region and product"."""
    crossing, joining = phrases_of(question.language, "crossing"), question.tree["words"]["joining"][0]
    named = {place for item in question.columns for place in range(item.start, item.end)}
    crossed = {word for words in crossing for word in words}
    shift = len(tokens) - len(question.tokens)
    return tuple(
        as_word(joining) if token.lower in crossed and place - shift not in named else token
        for place, token in enumerate(tokens)
    )


def of_intervals(question: Question) -> Iterator[Attempt]:
    """Read "by age group of 10" as by age, and cut the ages into intervals."""
    groups, nouns = phrases_of(question.language, "groups"), phrases_of(question.language, "group_nouns")
    tokens = question.tokens
    for start in range(len(tokens)):
        for words in groups:
            end = start + len(words)
            if tuple(t.lower for t in tokens[start:end]) == words and end < len(tokens):
                number = tokens[end]
                if number.kind is TokenKind.NUMBER and number.number > 0:
                    begin = start - 1 if start and tokens[start - 1].lower == "in" else start
                    last = end + 1
                    last += last < len(tokens) and tokens[last].lower in units_of(question.language)
                    complete = partial(in_intervals, width=float(number.number), count=None, context=question.context)
                    yield Attempt((*_by_for_per(tokens[:begin], question), *tokens[last:]), complete)
                    return
    for start, token in enumerate(tokens):
        if token.kind is TokenKind.NUMBER and token.number > 0:
            yield from _named_intervals(start, token, nouns, question)


def _by_for_per(tokens: tuple[Token, ...], question: Question) -> tuple[Token, ...]:
    """Group "per age" by age: a number that is cut into intervals makes groups like any label."""
    per = {words[0] for words in phrases_of(question.language, "per") if len(words) == 1}
    by = question.tree["words"]["by"]
    return tuple(as_word(by) if token.lower in per else token for token in tokens)


def _named_intervals(
    start: int, token: Token, nouns: tuple[tuple[str, ...], ...], question: Question
) -> Iterator[Attempt]:
    """Read "10-year age groups" and "5 bins"."""
    tokens = question.tokens
    unit = start + 1 < len(tokens) and tokens[start + 1].lower in units_of(question.language)
    first = start + 1 + unit
    noun = next((p for p in range(first, min(first + 3, len(tokens))) if (tokens[p].lower,) in nouns), None)
    if noun is None:
        return
    if noun == first and not unit:
        begin = start - 1 if start and tokens[start - 1].lower == "in" else start
        if isinstance(token.number, int):
            complete = partial(in_intervals, width=None, count=token.number, context=question.context)
            yield Attempt((*tokens[:begin], *tokens[noun + 1 :]), complete)
    elif noun > first:
        complete = partial(in_intervals, width=float(token.number), count=None, context=question.context)
        yield Attempt((*tokens[:start], *tokens[first:noun], *tokens[noun + 1 :]), complete)
