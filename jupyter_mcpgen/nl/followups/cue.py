"""The words that make a question a follow-up: "now …", "what about …", "also …", "… instead of …"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.words.lexicon import Lexicon
from jupyter_mcpgen.nl.words.tokens import Token


@dataclass(frozen=True)
class Cue:
    """What says that a question follows another one.

    `adds` when it comes beside what was there, `narrows` when it keeps some of the rows; `computes` for a next step,
    which may have a subject of its own.
    """

    said: bool = False
    adds: bool = False
    computes: bool = False
    narrows: bool = False


def cue_of(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Cue, tuple[Token, ...]]:
    """Take the words that point back off both ends of a question."""
    cue, changed = Cue(), True
    while changed and tokens:
        changed = False
        for phrase in lexicon.follow_up_phrases:
            words = tuple(phrase.split())
            adds, narrows = cue.adds or phrase in lexicon.adding, cue.narrows or phrase in lexicon.narrowing
            if _lower(tokens[: len(words)]) == words:
                tokens, cue, changed = tokens[len(words) :], Cue(True, adds, narrows=narrows), True
            elif phrase in lexicon.trailing and _lower(tokens[-len(words) :]) == words:
                tokens, cue, changed = tokens[: -len(words)], Cue(True, adds, narrows=narrows), True
            if changed:
                break
    new = _without_what_gives_way(_without_end_mark(tokens), lexicon)
    return (cue, new) if len(new) == len(_without_end_mark(tokens)) else (replace(cue, said=True), new)


def narrows(tokens: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Tell whether a text begins with a word that says of which rows: "for …", "without …", "not …"."""
    first = lexicon.meanings(tokens[0].lower) if tokens else ()
    return any(isinstance(meant, m.WhereWord | m.Not) for meant in first)


def _without_what_gives_way(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
    """Return "by device" of "by device instead of month": what is new says which part it takes the place of."""
    for phrase in lexicon.in_place_of:
        words = tuple(phrase.split())
        for start in range(1, len(tokens) - len(words)):
            if _lower(tokens[start : start + len(words)]) == words:
                return tokens[:start]
    return tokens


def _without_end_mark(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tokens[:-1] if tokens and tokens[-1].text in ("?", ".", "!") else tokens


def _lower(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    return tuple(token.lower for token in tokens)
