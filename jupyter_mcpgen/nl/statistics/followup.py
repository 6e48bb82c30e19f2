"""Follow-ups of a statistic: "now for length", "only private", "with Spearman instead" change a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembling.parts import Parts, collect
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.parse import Cover, parse
from jupyter_mcpgen.nl.predicates import replaced
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.statistics.choice import Choice
from jupyter_mcpgen.nl.statistics.named import Named, named_in
from jupyter_mcpgen.nl.statistics.plans import choices
from jupyter_mcpgen.nl.statistics.reader import MOST_COVERS, TOGETHER, WORST, reading_of
from jupyter_mcpgen.nl.statistics.recall import Recalled, recall_statistic
from jupyter_mcpgen.nl.statistics.request import Request, take_words
from jupyter_mcpgen.nl.statistics.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan

_METHODS = (frozenset({"spearman", "pearson"}), frozenset({"z_score", "iqr", "deviations"}))
"""Methods of which one takes the place of the other."""


def changed_statistic(
    plan: Plan,
    tokens: tuple[Token, ...],
    notes: tuple[str, ...],
    context: Context,
    language: str,
    *,
    said: bool,
    adds: bool,
) -> list[Reading]:
    """Return the readings of a change to a statistical plan, the likeliest first; `said` when the words point back."""
    vocabulary = load_vocabulary(language)
    former = recall_statistic(plan, context)
    if vocabulary is None or former is None:
        return []
    words = take_words(tokens, vocabulary, context)
    request = _asked(former.request, words)
    bare = all(context.lexicon.is_filler(token.lower) for token in words.rest)
    if request is None or (words.asks and not said and not bare):
        return []
    best: dict[str, Reading] = {}
    for cover, parts in _covers(words.rest, context):
        named = named_in(parts, context)
        if named is None or parts.doubts or parts.measures or parts.functions:
            continue
        if not said and not parts.has_only("conditions"):
            continue
        for meant, gone in _named(former, named, adds):
            for choice in choices(request, meant):
                reading = _reading(choice, meant, cover, (*notes, *gone, *parts.assumptions), context)
                if reading is not None and reading.plan != plan:
                    key = say_plan(reading.plan)
                    best[key] = min(best.get(key, reading), reading, key=lambda found: found.cost)
    return sorted(best.values(), key=lambda found: (found.cost, say_plan(found.plan)))


def _covers(rest: tuple[Token, ...], context: Context) -> Iterator[tuple[Cover, Parts]]:
    for cover in parse(rest, context).covers[:MOST_COVERS]:
        parts = collect(cover, context) if not cover.uncovered and cover.cost <= WORST else None
        if parts is not None:
            yield cover, parts


def _reading(choice: object, named: Named, cover: Cover, notes: tuple[str, ...], context: Context) -> Reading | None:
    return reading_of(choice, named, cover.cost, notes, context) if isinstance(choice, Choice) else None


def _asked(former: Request, words: Request) -> Request | None:
    """Return what is asked for now; None for several statistics at once."""
    asks = words.asks or former.asks
    if not any(set(asks) <= together for together in TOGETHER):
        return None
    gone = {method for group in _METHODS if group & words.said for method in group}
    kept = former.said - gone if asks == former.asks else former.said & {"count"}
    number = words.number if words.number is not None else None if gone or words.asks else former.number
    return replace(former, asks=asks, said=kept | words.said, number=number)


def _named(former: Recalled, new: Named, adds: bool) -> Iterator[tuple[Named, tuple[str, ...]]]:
    """Yield the columns that are meant now, with what gave way to a condition."""
    old = former.named
    conditions, gone = replaced(old.conditions, new.conditions, adds)
    sides, labels = (new.sides, new.labels) if new.sides is not None or new.labels else (old.sides, old.labels)
    for numbers in _numbers(old.numbers, new.numbers, adds):
        yield Named(numbers, labels, sides, conditions, old.context), gone


def _numbers(old: tuple[str, ...], new: tuple[str, ...], adds: bool) -> Iterator[tuple[str, ...]]:
    if adds:
        yield tuple(dict.fromkeys((*old, *new)))
    elif len(new) == 1 and len(old) == 2 and new[0] not in old:
        yield from ((old[0], new[0]), (new[0], old[1]))  # which of the two gives way, only the person knows
    else:
        yield new or old
