"""The words that make a question a follow-up: "now …", "what about …", "also …", "… instead of …"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.nl.words.lexicon import Lexicon
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.plan import Plan

SURELY_MEANT = 0.1


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


_COMPUTES = (m.Measured, m.Function, m.CountWord, m.HowMuch, m.Extreme, m.Superlative, m.Best, m.TopRow)


def names_its_figure(question: str, earlier: Plan, context: Context) -> bool:
    """Tell whether a question says what to compute, or to order by, and of what: it changes no answer before it.

    A fragment leaves something of it to the answer before, and words that point back say that it is a change.
    """
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    sure = [item.meaning for item in link(tokens, context) if item.cost <= SURELY_MEANT]
    figures = {meant.name for meant in sure if isinstance(meant, m.Column) and context.is_measure(meant.name)}
    things = any(
        isinstance(meant, m.RowNoun | m.Value) or (isinstance(meant, m.Column) and meant.name not in figures)
        for meant in sure
    )
    if cue_of(tokens, context.lexicon)[0].said or not (figures or things):
        return False
    if any(isinstance(meant, m.CountWord) for meant in sure) and things:
        return True
    if any(isinstance(meant, m.SortWord) for meant in sure):
        return bool(figures - used_columns(earlier)) and things
    return any(isinstance(meant, _COMPUTES) for meant in sure) and bool(
        figures if things else figures - used_columns(earlier)
    )


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
