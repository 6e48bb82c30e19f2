"""Reads steps that only keep or drop rows: "keep 2020", "exclude refunds"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.parts import collect
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.nl.words.lexicon import Lexicon
from jupyter_mcpgen.plan.expressions import All, Predicate, negate


def kept_rows(tokens: tuple[Token, ...], context: Context) -> tuple[Predicate, ...]:
    """Return what the rows meet that a step keeps; nothing for a step that does anything else."""
    keeps, rest = without_verb(tokens, context.lexicon)
    conditions = _only_conditions(rest, context) or _behind_a_noun(rest, context) if keeps is not None else ()
    if keeps or not conditions:
        return conditions
    return (negate(conditions[0] if len(conditions) == 1 else All(terms=conditions)),)


def _behind_a_noun(tokens: tuple[Token, ...], context: Context) -> tuple[Predicate, ...]:
    """Return what the rows meet that are called after a column: the "laps on soft tyres" of a table with laps."""
    start = 1 if tokens and context.lexicon.is_filler(tokens[0].lower) else 0
    if len(tokens) < start + 3 or not context.columns_with(context.plain(tokens[start].lower)):
        return ()
    leads = any(isinstance(meant, m.WhereWord) for meant in context.lexicon.meanings(tokens[start + 1].lower))
    return _only_conditions(tokens[start + 1 :], context) if leads else ()


def drops_rows(tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a step begins with a word that drops rows."""
    return without_verb(tokens, context.lexicon)[0] is False


def without_verb(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[bool | None, tuple[Token, ...]]:
    """Return a step without the "keep" or "drop" that it begins with; true for keeping, None where neither is said."""
    words = tuple(token.lower for token in tokens)
    for phrases, keeps in ((lexicon.dropping, False), (lexicon.keeping, True)):
        for phrase in sorted(phrases, key=len, reverse=True):
            first = tuple(phrase.split())
            if words[: len(first)] == first:
                return keeps, tokens[len(first) :]
    return None, tokens


def _only_conditions(tokens: tuple[Token, ...], context: Context) -> tuple[Predicate, ...]:
    for cover in parse(tokens, context).covers:
        parts = collect(cover, context) if not cover.uncovered else None
        if parts is not None and parts.conditions and not parts.doubts and parts.has_only("names_rows", "lists_rows"):
            return parts.conditions
    return ()
