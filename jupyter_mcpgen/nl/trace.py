"""Why a question was read as it was: what words were taken for, which rules read them, how readings were ranked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.spared import UNREAD
from jupyter_mcpgen.nl.dialogue.followup import changes_found
from jupyter_mcpgen.nl.door import understand
from jupyter_mcpgen.nl.grammar.meanings import (
    Bound,
    Column,
    Entity,
    Figure,
    Is,
    Keys,
    Number,
    Part,
    Period,
    Season,
    Word,
)
from jupyter_mcpgen.nl.grammar.table import table_of
from jupyter_mcpgen.nl.planner import derived
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.search.edges import edges, skips
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan

MOST_MEANINGS = 3
"""How many meanings of one span of words are shown, the likeliest first."""
UNKNOWN = "nothing that is known"


@dataclass(frozen=True)
class Taken:
    """A span of words, what it may mean, and what believing that costs in certainty (0 is sure)."""

    words: str
    meaning: str
    cost: float


@dataclass(frozen=True)
class Applied:
    """A rule that made a phrase of words, what the phrase means, and what it costs with all that it is made of."""

    rule: str
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
    rules: tuple[Applied, ...] = ()
    """The rules that read the words of the best reading."""
    unread: tuple[str, ...] = ()
    """The words that the best reading leaves out."""


def why(
    question: str,
    profile: Profile,
    language: str = "en",
    earlier: tuple[str, Plan] | None = None,
    other: Profile | None = None,
) -> Why:
    """Return how a question is understood over a table, or two, with the costs that decided it."""
    understood = understand(question, profile, language, earlier, other)
    tokens, best = _best(question, profile, language, earlier, other)
    taken = tuple(_taken(question, profile, language, other))
    readings = tuple(Ranked(say_plan(each.plan), each.cost, each.assumptions) for each in _readings(understood))
    rules = tuple(_applied(best, tokens)) if best is not None else ()
    unread = tuple(tokens[at].text for at in best.cover.unread) if best is not None else ()
    match understood:
        case Answered():
            return Why("answered", readings, taken, None, rules, unread)
        case Asked(text):
            return Why("asked", readings, taken, text, rules, unread)
        case Refused(text):
            return Why("refused", readings, taken, text, rules, unread)


def _readings(understood: Understanding) -> tuple[Reading, ...]:
    match understood:
        case Answered(winner, alternatives):
            return (winner, *alternatives)
        case Asked(_, options):
            return options
        case Refused(nearest=nearest):
            return (nearest,) if nearest is not None else ()


def _best(
    question: str, profile: Profile, language: str, earlier: tuple[str, Plan] | None, other: Profile | None
) -> tuple[Sequence[Token], Derivation | None]:
    """Return the best derivation with its words; none over two tables, where words are of one or the other."""
    changes = changes_found(question, earlier, profile, language) if earlier is not None else None
    if changes is not None:
        return changes.tokens, next(iter(changes.found), None)
    table = table_of(profile, language)
    tokens = table.tokens(question)
    if other is not None:
        return tokens, None
    return tokens, next(iter(derived(tokens, table)), None)


def _applied(best: Derivation, tokens: Sequence[Token]) -> Iterator[Applied]:
    for phrase in best.phrases():
        if "." in phrase.rule:
            words = " ".join(token.text for token in tokens[phrase.first : phrase.last])
            yield Applied(phrase.rule, words, said(phrase.meaning), round(phrase.cost, 3))


def _taken(question: str, profile: Profile, language: str, other: Profile | None) -> Iterator[Taken]:
    """Yield what each span of words may be, by the words of the language and of each table."""
    tokens = table_of(profile, language).tokens(question)
    spans: dict[tuple[int, int], dict[str, float]] = {}
    costs = [1.0] * len(tokens)
    for table in (table_of(one, language) for one in (profile, other) if one is not None):
        found = edges(tokens, table)
        costs = [min(pair) for pair in zip(costs, skips(tokens, found, table), strict=True)]
        for phrase in found:
            meanings = spans.setdefault((phrase.first, phrase.last), {})
            text = said(phrase.meaning)
            meanings[text] = min(phrase.cost, meanings.get(text, phrase.cost))
    known = {place for first, last in spans for place in range(first, last)}
    for place, cost in enumerate(costs):
        if place not in known and cost >= UNREAD:
            spans[place, place + 1] = {UNKNOWN: 1.0}
    for (first, last), meanings in sorted(spans.items()):
        words = " ".join(token.text for token in tokens[first:last])
        for text, cost in sorted(meanings.items(), key=lambda one: (one[1], one[0]))[:MOST_MEANINGS]:
            yield Taken(words, text, round(cost, 3))


def said(meaning: object) -> str:
    """Say what a phrase means."""
    match meaning:
        case Column(name):
            return f"the column `{name}`"
        case Is(column, values, negated):
            listed = " or ".join(f"`{value}`" for value in values)
            return f"{'not ' if negated else ''}the value {listed} of `{column}`"
        case Word(what, word):
            return f"“{word}” ({what.replace('_', ' ')})" if word else what.replace("_", " ")
        case Number(value, unit):
            return f"the number {value:g}{f' {unit}' if unit else ''}"
        case Period(start, end):
            return f"the time from {start or 'the beginning'} up to {end or 'now'}"
        case Season(unit, numbers):
            return f"{unit.value.replace('_', ' ')} {', '.join(map(str, numbers))}"
        case Part(unit, date):
            return f"{unit.value.removeprefix('start_of_').replace('_', ' ')}{f' of `{date}`' if date else ''}"
        case Entity(column, _, _, word):
            return f"what `{column}` names" if column else f"the rows, called “{word}”"
        case Figure(function, term):
            return f"{function.value.replace('_', ' ')} of {said(term) if term is not None else 'rows'}"
        case Keys(terms):
            return f"groups by {' and '.join(map(said, terms))}"
        case Bound(op, value, upper):
            return f"{op.value} {value.value:g}{f' and up to {upper.value:g}' if upper is not None else ''}"
        case tuple() as several:
            return " and ".join(map(said, several))
        case _:
            return _plain(meaning)


def _plain(meaning: object) -> str:
    """Say a meaning by what it is and what it is of."""
    kind = type(meaning).__name__.lower()
    parts = (getattr(meaning, name, None) for name in getattr(meaning, "__dataclass_fields__", ()))
    about = [said(part) for part in parts if isinstance(part, Column | Is | Figure | Keys | Number | Bound | Part)]
    return f"{kind} of {' and '.join(about)}" if about else kind
