"""The number that a question puts into classes, and what it asks of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, tokenize

SURELY_A_NAME = 0.1
"""A column named at most this uncertainly is the one that is put into classes."""
LIKELY_A_NAME = 0.35
"""A part of a name that costs at most this is meant where no other number column shares it."""
MOST_WORDS_OF_A_LABEL = 3


def any_of(phrases: Iterable[str]) -> str:
    """Return a pattern for one of some phrases, the longest first."""
    written = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(phrase) + (r"(?!\w)" if phrase[-1].isalnum() else "") for phrase in written)


def is_label(label: str, words: Mapping[str, Any], context: Context) -> bool:
    """Tell whether words can be what a class is called: they name no column and mean nothing else in a question."""
    said = label.lower().split()
    other = {*words["no_label"], *words["nouns"]}
    named = any(context.columns_with(context.plain(word)) for word in said)
    return len(said) <= MOST_WORDS_OF_A_LABEL and not named and not other.intersection(said)


@dataclass(frozen=True)
class Classified:
    """A column that is put into classes, the words before it, and whether a noun for classes says so."""

    name: str
    before: tuple[Token, ...]
    by_noun: bool
    read: int = 0
    """How many letters behind the classes name the column."""


def column_before(head: str, words: Mapping[str, Any], context: Context) -> Classified | None:
    """Return the number column that the words before the limits end with."""
    tokens = tokenize(head, decimal_comma=context.lexicon.decimal_comma)
    around = {*words["around"], *words["nouns"], "("}
    end = len(tokens)
    while end and tokens[end - 1].lower in around:
        end -= 1
    named = [
        item
        for item in link(tokens, context)
        if isinstance(item.meaning, m.Column) and item.end == end and item.cost <= SURELY_A_NAME
    ]
    named = named or _likely(tokens, end, context)
    if not named:
        return None
    item = min(named, key=lambda found: found.start)
    name = item.meaning.name if isinstance(item.meaning, m.Column) else ""
    if not context.type_of(name).is_number:
        return None
    return Classified(name, tokens[: item.start], any(t.lower in words["nouns"] for t in tokens[end:]))


def _likely(tokens: tuple[Token, ...], end: int, context: Context) -> list[Item]:
    """Return where the last words name a part of one number column's name, and of no other: "age" of `patient_age`."""
    items = [i for i in link(tokens, context) if isinstance(i.meaning, m.Column) and i.end == end]
    items = [i for i in items if i.cost <= LIKELY_A_NAME and context.is_measure(_name_of(i))]
    return items if len({_name_of(item) for item in items}) == 1 else []


def _name_of(item: Item) -> str:
    return item.meaning.name if isinstance(item.meaning, m.Column) else ""


def column_behind(head: str, tail: str, words: Mapping[str, Any], context: Context) -> Classified | None:
    """Return the number column that follows the classes: "light (under 1300) or heavy (over 1300) by weight"."""
    leads = re.match(rf"\s*(?:{any_of(words['behind'])})\s+(?:the\s+)?", tail, re.IGNORECASE)
    if leads is None:
        return None
    texts = list(re.finditer(r"\S+", tail[leads.end() :]))[:MOST_WORDS_OF_A_LABEL]
    for last in reversed(texts):
        end = leads.end() + last.end()
        column = column_before(tail[leads.end() : end], words, context)
        if column is not None and not column.before:
            before = tokenize(head, decimal_comma=context.lexicon.decimal_comma)
            while before and before[-1].lower in words["around"]:
                before = before[:-1]
            return replace(column, before=before, read=end)
    return None


def asked_of(column: Classified, after: str, name: str, words: Mapping[str, Any], context: Context) -> str | None:
    """Return what is asked of the classes; None where nothing says that they are groups."""
    before, by_noun = column.before, column.by_noun
    makes = by_noun or any(token.lower in words["making"] for token in before)
    idle = {*words["making"], *words["beside_making"]}
    own = context.column_words
    keys = {words[0] for name, words in own.items() if len(words) == 1 and context.is_key(name)}
    things = context.row_nouns | keys | {words[0] for words in own.values() if words[1:] == ("identifier",)}
    making = [t.lower in idle or context.lexicon.base(t.lower) in things for t in before]
    after = after.strip(" ,.;:?)")
    if all(making) and makes:
        return _of_each(after, name, words)
    if before and before[-1].lower in words["before"]:
        return f"{' '.join(token.text for token in before)} {name} {after}"
    if not by_noun:
        return None
    kept = list(before)
    while kept and (kept[-1].lower in words["around"] or context.lexicon.is_filler(kept[-1].lower)):
        kept.pop()
    return f"{' '.join(token.text for token in kept) or words['counted']} {words['by']} {name} {after}"


def _of_each(after: str, name: str, words: Mapping[str, Any]) -> str:
    """Return "… and count the patients in each" as a question by the classes."""
    nouns, each, then = (any_of(words[key]) for key in ("nouns", "each", "then"))
    asked = re.sub(rf"^(?:(?:{then})\s+)+", "", after, flags=re.IGNORECASE)
    asked = re.sub(rf"\s*(?<!\w)(?:{each})(?:\s+(?:{nouns}))?$", "", asked, flags=re.IGNORECASE)
    return f"{asked or words['counted']} {words['by']} {name}"
