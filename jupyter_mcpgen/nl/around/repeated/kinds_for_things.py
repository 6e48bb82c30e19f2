"""Kinds taken for things: `vehicle_type` has kinds of vehicles, so "notices per vehicle" is no figure of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.ops import Aggregate


def telling_kinds_from_things(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Say that groups are kinds of what is named, and refuse where one figure is taken per thing."""
    kinds = load_vocabulary(language).words("nouns_of_kinds")
    if not kinds or not isinstance(meant, Answered):
        return meant
    grouped = [step for step in meant.winner.plan.steps if isinstance(step, Aggregate)]
    named = list(_kinds_named(grouped[0].by.names, question, kinds, context)) if grouped else []
    if not named:
        return meant
    name, word = named[0]
    if len(grouped) > 1 and name not in grouped[1].by.names:
        return Refused(
            f"`{name}` holds categories of “{word}”, and no column tells one {word} from another. Ask by `{name}`, or "
            "name the column that tells them apart.",
            words=(word,),
        )
    note = f"“{word}” is taken to be the kinds in `{name}`."
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))


def _kinds_named(
    names: tuple[str, ...], question: str, kinds: frozenset[str], context: Context
) -> Iterator[tuple[str, str]]:
    """Yield the columns of kinds that a question names as the things themselves: in the plural, or behind "per"."""
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    words = [token.lower for token in tokens]
    plain = [context.plain(word) for word in words]
    for name in names:
        own = context.column_words.get(name, ())
        if len(own) != 2 or own[1] not in kinds or own[1] in plain or own[0] not in plain:
            continue
        place = plain.index(own[0])
        before = context.lexicon.meanings(words[place - 1]) if place else ()
        if words[place] != own[0] or m.GroupWord(each=True) in before:
            yield name, words[place]
