"""Why a question was read as it was: what each word was taken for, and how the readings were ranked."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.spelling import corrected
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan

MOST_MEANINGS = 3
"""How many meanings of one span of words are shown, the likeliest first."""


@dataclass(frozen=True)
class Taken:
    """A span of words, what it may mean, and what believing that costs in certainty (0 is sure)."""

    words: str
    meaning: str
    cost: float


@dataclass(frozen=True)
class Ranked:
    """A reading with its cost in certainty: the lowest is answered, near ones are offered or asked about."""

    reading: str
    cost: float
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class Why:
    """How a question was understood; `outcome` is answered, asked or refused."""

    outcome: str
    readings: tuple[Ranked, ...]
    taken: tuple[Taken, ...]
    message: str | None = None


def why(
    question: str,
    profile: Profile,
    language: str = "en",
    earlier: tuple[str, Plan] | None = None,
    other: Profile | None = None,
) -> Why:
    """Return how a question is understood over a table, or two, with the costs that decided it."""
    understood = understand(question, profile, language, earlier, other)
    taken = tuple(_taken(question, profile, language))
    readings = tuple(Ranked(say_plan(each.plan), each.cost, each.assumptions) for each in _readings(understood))
    match understood:
        case Answered():
            return Why("answered", readings, taken)
        case Asked(text):
            return Why("asked", readings, taken, text)
        case Refused(text):
            return Why("refused", readings, taken, text)


def _readings(understood: Understanding) -> tuple[Reading, ...]:
    match understood:
        case Answered(winner, alternatives):
            return (winner, *alternatives)
        case Asked(_, options):
            return options
        case Refused(nearest=nearest):
            return (nearest,) if nearest is not None else ()


def _taken(question: str, profile: Profile, language: str) -> Iterator[Taken]:
    context = context_of(profile, language)
    tokens, _ = corrected(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context)
    spans: dict[tuple[int, int], list[Item]] = {}
    for item in link(tokens, context):
        spans.setdefault((item.start, item.end), []).append(item)
    covered = {place for start, end in spans for place in range(start, end)}
    for place, token in enumerate(tokens):
        if place not in covered and not context.lexicon.is_filler(token.lower):
            spans[place, place + 1] = []
    for (start, end), items in sorted(spans.items()):
        words = " ".join(token.text for token in tokens[start:end])
        if not items:
            yield Taken(words, "nothing that is known", 1.0)
        for item in sorted(items, key=lambda item: (item.cost, repr(item.meaning)))[:MOST_MEANINGS]:
            yield Taken(words, _said(item.meaning), round(item.cost, 3))


def _said(meaning: m.Meaning) -> str:
    """Return a meaning in words."""
    match meaning:
        case m.Column(name):
            return f"the column `{name}`"
        case m.Value(column, value):
            return f"the value `{value}` of `{column}`"
        case m.Unsupported(capability):
            return f"{capability}, which cannot be computed"
        case _:
            kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(meaning).__name__).lower()
            facts = (getattr(meaning, field.name) for field in dataclasses.fields(meaning))
            told = [str(fact.value if isinstance(fact, Enum) else fact) for fact in facts if fact not in (None, False)]
            return f"{kind} ({', '.join(told)})" if told else kind
