"""Splits compounds: "Gesamtumsatz" is the total of a column `umsatz`, "tracklength" the column `track_length`."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.context import STEM, Context
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import split_name


def separated(tokens: tuple[Token, ...], context: Context) -> tuple[Token, ...]:
    """Return the tokens with such compounds as two; one that is itself a word of the table stays whole."""
    if not context.lexicon.compounds and not any(token.lower in context.joined_names for token in tokens):
        return tokens
    parts: list[Token] = []
    place = 0
    while place < len(tokens):
        found = _denying_name(tokens[place:], context) or (tuple(_parts(tokens[place], context)), 1)
        parts += found[0]
        place += found[1]
    return tuple(parts)


def _denying_name(tokens: tuple[Token, ...], context: Context) -> tuple[tuple[Token, ...], int] | None:
    """Return the column that some words begin with the name of, and how many they are: `NO2 (ppb)` denies nothing.

    A name of several columns that is not told apart by the words behind it is left as it is written, in quotes.
    """
    said = context.joined_names.get(tokens[0].lower, ()) if tokens[0].kind is TokenKind.WORD else ()
    if not said or said[0] not in context.lexicon.denying_truth:
        return None
    words = {name: split_name(name) for name in context.profile.schema_.names}
    named = [name for name, own in words.items() if _holds(own, said)]
    taken = 1
    while len(named) > 1 and taken < len(tokens):
        said = (*said, *split_name(tokens[taken].lower))
        if not any(_holds(words[name], said) for name in named):
            break
        named = [name for name in named if _holds(words[name], said)]
        taken += 1
    if len(named) != 1:
        return (Token(tokens[0].text, TokenKind.QUOTED),), 1
    while taken < len(tokens) and _holds(words[named[0]], (*said, *split_name(tokens[taken].lower))):
        said = (*said, *split_name(tokens[taken].lower))
        taken += 1
    return (Token(named[0], TokenKind.QUOTED),), taken


def _holds(words: tuple[str, ...], some: tuple[str, ...]) -> bool:
    return any(words[start : start + len(some)] == some for start in range(len(words) - len(some) + 1))


def _parts(token: Token, context: Context) -> Iterator[Token]:
    word = token.lower
    known = token.kind is not TokenKind.WORD or context.columns_with(context.plain(word)) or word in context.value_parts
    levels = context.columns_with(context.plain(word)).values()
    unknown = all(level < STEM for level in levels) and word not in context.value_parts
    if token.kind is TokenKind.WORD and word in context.joined_names and unknown:
        yield from (Token(part, TokenKind.WORD) for part in context.joined_names[word])
        return
    for head, written in context.lexicon.compounds.items():
        rest = word.removeprefix(head)
        if not known and rest != word and context.columns_with(context.plain(rest)):
            yield Token(written, TokenKind.WORD)
            yield Token(rest, TokenKind.WORD)
            return
    yield token
