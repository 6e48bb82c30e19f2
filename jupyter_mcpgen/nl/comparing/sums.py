"""Two sums against each other: "revenue per unit", "ratio of a to b", "revenue minus refunds"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.sums import as_part, divided, reduced
from jupyter_mcpgen.nl.comparing.question import Attempt, Question, as_word, phrases_of
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.text.tokens import Token


def of_ratios(question: Question) -> Iterator[Attempt]:
    """Read "revenue per unit" as the sum of revenue, and divide it by the sum of units."""
    context = question.context
    for item in question.columns:
        column = item.meaning
        if not isinstance(column, m.Column) or not context.is_measure(column.name):
            continue
        if _is_a_period(item, column.name, question):
            continue
        for key in ("per", "divided"):
            for words in phrases_of(question.language, key):
                start = item.start - len(words)
                before = tuple(token.lower for token in question.tokens[max(0, start) : item.start])
                amounts = context.adds_up(column.name) or context.counts_things(column.name)
                if start > 0 and before == words and (key == "divided" or amounts):
                    kept, notes = _without_mean(start, column.name, question)
                    rest = (*kept, *question.tokens[item.end :])
                    yield Attempt(rest, partial(divided, column=column.name, context=context), notes)
                    return
    yield from _of_differences(question)
    found = question.find("ratio")
    joined = phrases_of(question.language, "joined")
    for item in question.columns if found is not None else ():
        column = item.meaning
        if found is not None and isinstance(column, m.Column) and (question.tokens[item.start - 1].lower,) in joined:
            kept = (*question.tokens[: found.start], *question.tokens[found.end : item.start - 1])
            yield Attempt((*kept, *question.tokens[item.end :]), partial(divided, column=column.name, context=context))
            return


def _is_a_period(item: Item, name: str, question: Question) -> bool:
    """Tell whether a word for a column is one for a period of the dates: "per day" is not per `ship_days`."""
    said, context = question.tokens[item.start : item.end], question.context
    dated = bool(context.dates) and len(said) == 1 < len(context.column_words[name])
    return dated and any(isinstance(meaning, m.Unit) for meaning in context.lexicon.meanings(said[0].lower))


def _without_mean(end: int, column: str, question: Question) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    """Return the words before "per night" with the "average" of an amount as its total, and what was assumed."""
    part = next((item for item in question.columns if item.end == end), None)
    means = question.tree.get("nested", {}).get("mean", ())
    if part is None or not isinstance(part.meaning, m.Column) or question.context.adds_up(part.meaning.name) is False:
        return question.tokens[:end], ()
    if part.start == 0 or question.tokens[part.start - 1].lower not in means:
        return question.tokens[:end], ()
    note = f"The sum of `{part.meaning.name}` is divided by the sum of `{column}`."
    total = as_word(question.tree["nested"]["total"])
    return (*question.tokens[: part.start - 1], total, *question.tokens[part.start : end]), (note,)


def of_parts(question: Question) -> Iterator[Attempt]:
    """Read "share of refunds in revenue" and "refunds as % of revenue" as refunds, and divide them by revenue."""
    amounts = {item: item.meaning.name for item in question.columns if isinstance(item.meaning, m.Column)}
    amounts = {item: name for item, name in amounts.items() if question.context.is_measure(name)}
    for whole, name in amounts.items():
        start = _words_before(whole.start, "as_part_of", question)
        if start is not None:
            percent = any(token.lower in _percents(question) for token in question.tokens[start : whole.start])
            rest = (*question.tokens[:start], *question.tokens[whole.end :])
            yield Attempt(rest, partial(as_part, column=name, percent=percent))
            return
        start = _words_before(whole.start, "part_of", question)
        part = next((item for item in amounts if item.end == start), None)
        for key in ("percent", "share") if part is not None else ():
            found = question.find(key)
            if found is not None and part is not None and 0 <= part.start - found.end <= 1:
                kept = (*question.tokens[: found.start], *question.tokens[found.end : part.end])
                complete = partial(as_part, column=name, percent=key == "percent")
                yield Attempt((*kept, *question.tokens[whole.end :]), complete)
                return


def _words_before(place: int, key: str, question: Question) -> int | None:
    """Return where a phrase of a list begins that ends right before a place; None where none does."""
    for words in phrases_of(question.language, key):
        start = place - len(words)
        if start > 0 and tuple(token.lower for token in question.tokens[start:place]) == words:
            return start
    return None


def _percents(question: Question) -> frozenset[str]:
    """Return the words that only a share in percent is said with."""
    light = {*question.tree["light"], *(word for words in phrases_of(question.language, "share") for word in words)}
    return frozenset(word for words in phrases_of(question.language, "in_percent") for word in words) - light


def _of_differences(question: Question) -> Iterator[Attempt]:
    """Read "revenue minus refunds" as the sum of revenue, and take the sum of refunds off it."""
    for item in question.columns:
        column = item.meaning
        if not isinstance(column, m.Column) or not question.context.is_measure(column.name):
            continue
        if not question.context.adds_up(column.name):
            continue  # a rate is taken off nothing
        for words in phrases_of(question.language, "minus"):
            start = item.start - len(words)
            before = tuple(token.lower for token in question.tokens[max(0, start) : item.start])
            if start > 0 and before == words:
                rest = (*question.tokens[:start], *question.tokens[item.end :])
                yield Attempt(rest, partial(reduced, column=column.name))
                return
