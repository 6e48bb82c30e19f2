"""The words that make a question one about the answer before it: "now …", "what about …", "… instead of …"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jupyter_mcpgen.nl.lexicon.reading import parts
from jupyter_mcpgen.nl.text.tokens import Token, tokenize

_END_MARKS = (".", "?", "!")


@dataclass(frozen=True)
class Cue:
    """What says that a question follows another one.

    `adds` where it comes beside what was there, `narrows` where it keeps some of the rows, `drops` where it leaves some
    out, `points` where a word such as "those" stands for what was there.
    """

    said: bool = False
    adds: bool = False
    narrows: bool = False
    drops: bool = False
    points: bool = False
    no_chart: bool = False


NO_CUE = Cue()


@dataclass(frozen=True)
class _Words:
    """The phrases of a language, the longest first, each with the kind of cue that it is."""

    before: tuple[tuple[tuple[str, ...], str], ...]
    behind: tuple[tuple[tuple[str, ...], str], ...]
    lists: dict[str, tuple[tuple[str, ...], ...]]


@lru_cache(maxsize=4)
def _words(language: str) -> _Words:
    tree = parts(language)["dialogue"]
    kinds = {phrase: kind for kind, phrases in tree["cues"].items() if kind != "behind" for phrase in phrases}
    behind = ((phrase, kinds.get(phrase, "replacing")) for phrase in tree["cues"]["behind"])
    lists = {name: tuple(tuple(phrase.split()) for phrase in phrases) for name, phrases in tree["words"].items()}
    return _Words(_longest_first(kinds.items()), _longest_first(behind), lists)


def _longest_first(phrases: Iterable[tuple[str, str]]) -> tuple[tuple[tuple[str, ...], str], ...]:
    return tuple(sorted(((tuple(phrase.split()), kind) for phrase, kind in phrases), key=lambda one: -len(one[0])))


def cue_of(tokens: Sequence[Token], language: str) -> tuple[Cue, tuple[Token, ...]]:
    """Take the words that point back off a question; what is left says what changes."""
    known = _words(language)
    said = [token.lower for token in tokens]
    rest = list(tokens)
    while rest and rest[-1].text in _END_MARKS:
        rest.pop()
    no_chart, rest = _without(rest, known.lists["no_chart"])
    kinds: set[str] = set()
    while (found := _taken(rest, known)) is not None:
        kind, rest = found
        kinds.add(kind)
    gives_way = _gives_way(rest, known.lists["in_place_of"])
    rest = rest[:gives_way]
    points = _points(said, known)
    cue = Cue(
        said=bool(kinds) or no_chart or gives_way is not None or points,
        adds="adding" in kinds,
        narrows="narrowing" in kinds,
        drops="dropping" in kinds,
        points=points,
        no_chart=no_chart,
    )
    return cue, tuple(rest)


def _taken(rest: list[Token], known: _Words) -> tuple[str, list[Token]] | None:
    """Take one phrase off the beginning, or off the end."""
    lower = [token.lower for token in rest]
    for phrase, kind in known.before:
        if tuple(lower[: len(phrase)]) == phrase:
            return kind, rest[len(phrase) :]
    for phrase, kind in known.behind:
        if tuple(lower[-len(phrase) :]) == phrase:
            return kind, rest[: -len(phrase)]
    return None


def _without(rest: list[Token], phrases: tuple[tuple[str, ...], ...]) -> tuple[bool, list[Token]]:
    """Return whether a question has one of some phrases, and the question without it."""
    lower = tuple(token.lower for token in rest)
    for phrase in phrases:
        for at in range(len(lower) - len(phrase) + 1):
            if lower[at : at + len(phrase)] == phrase:
                return True, [*rest[:at], *rest[at + len(phrase) :]]
    return False, rest


def _gives_way(rest: list[Token], phrases: tuple[tuple[str, ...], ...]) -> int | None:
    """Return where "instead of …" begins: what is new says which part it takes the place of."""
    lower = tuple(token.lower for token in rest)
    places = (at for phrase in phrases for at in range(1, len(lower)) if lower[at : at + len(phrase)] == phrase)
    return next(places, None)


def _points(said: Sequence[str], known: _Words) -> bool:
    """Tell whether a word stands for what was there: "list them", "how many of those", "how many are there"."""
    pointing = {phrase[0] for phrase in known.lists["pointing"]}
    before = {phrase[0] for phrase in known.lists["before_pointing"]}
    places = (at for at in range(1, len(said)) if said[at] in pointing)
    return any(said[at - 1] in before or at == len(said) - 1 for at in places)


def lists(name: str, word: str, language: str) -> bool:
    """Tell whether a word is on a list of the words that follow-ups are made of."""
    return (word,) in _words(language).lists[name]


def points_back(question: str, language: str) -> bool:
    """Tell whether a question says that it changes the answer before it, as "only those with …" does."""
    return cue_of(tokenize(question), language)[0].said


def wants_no_chart(question: str, language: str) -> bool:
    """Tell whether a question asks for figures without a chart: "as a table"."""
    return cue_of(tokenize(question), language)[0].no_chart


def replaces(question: str, language: str) -> bool:
    """Tell whether something is said to stand in the place of something else: "hours instead of charges"."""
    return _gives_way(list(tokenize(question)), _words(language).lists["in_place_of"]) is not None


def exchanged(new: str, old: str, language: str) -> str:
    """Return the words that put one column in the place of another."""
    return f"`{new}` {' '.join(min(_words(language).lists['in_place_of']))} `{old}`"


def phrases_at(name: str, said: Sequence[str], place: int, language: str) -> int:
    """Return where a phrase of a list ends that begins at a place of what was said; 0 where none does."""
    phrases = _words(language).lists[name]
    return next((place + len(one) for one in phrases if tuple(said[place : place + len(one)]) == one), 0)
