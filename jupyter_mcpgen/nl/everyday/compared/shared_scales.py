"""Steps of a scale that several columns share: "agree or strongly agree that pay is fair" is of the one named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.nl.everyday.parts.conditions_led_to import leading_to, led_to
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.stored_values import value_words

MOST_WORDS = 3
"""Of how many words a step is looked for."""
_WORD = re.compile(r"\w[\w'’-]*")
_Words = list[re.Match[str]]


@dataclass(frozen=True)
class _Steps:
    """Steps that a question lists, from one of its words to another, and the columns that have all of them."""

    first: int
    end: int
    values: tuple[str, ...]
    columns: frozenset[str]


def steps_of_the_named(said: Speech, table: Table) -> Speech | None:
    """Say "how many are satisfied with parking" of `Parking`, where `Canteen` has such answers as well."""
    words = list(_WORD.finditer(said.text))
    for steps in _listed(words, table):
        first = steps.first - (_at(words, steps.first - 1) in table.words("be"))
        lead = leading_to(said.text[: words[first].start()], table)
        named = _named(words, steps, table) if lead is not None and not lead["not"] else None
        if lead is None or named is None:
            continue
        column, end = named
        listed = f" {next(iter(table.words('or')))} ".join(f'"{value}"' for value in steps.values)
        return led_to(said, lead, words[end - 1].end(), f"`{column}` is {listed}", "", table)
    return None


def _listed(words: _Words, table: Table) -> Iterator[_Steps]:
    """Yield the lists of steps that several columns share."""
    first = 0
    while first < len(words):
        one = _step(words, first, table)
        if one is None:
            first += 1
            continue
        end, value, held = one
        values = [value]
        while _at(words, end) in table.words("joining"):
            more = _step(words, end + 1, table)
            if more is None or not held & more[2]:
                break
            end, value, others = more
            values, held = [*values, value], held & others
        if len(held) > 1:
            yield _Steps(first, end, tuple(values), held)
        first = end


def _step(words: _Words, first: int, table: Table) -> tuple[int, str, frozenset[str]] | None:
    """Return where the longest value that begins at a word ends, how it is written, and which scales have it."""
    context = table.context
    for width in range(MOST_WORDS, 0, -1):
        folded = value_words(" ".join(word.group() for word in words[first : first + width]))
        plain = (*folded[:-1], context.plain(folded[-1])) if folded else ()
        for key in dict.fromkeys((" ".join(folded), " ".join(plain))):
            found = [value for value in context.values.get(key, ()) if context.column(value.column).order]
            if found and first + width <= len(words):
                return first + width, str(found[0].value), frozenset(value.column for value in found)
    return None


def _named(words: _Words, steps: _Steps, table: Table) -> tuple[str, int] | None:
    """Return the one of the columns that the words behind steps name best, and where its name ends."""
    named = {column: _name_behind(words, steps.end, column, table) for column in steps.columns}
    most = max(score for score, _ in named.values())
    best = [(column, end) for column, (score, end) in named.items() if score == most and score > 0]
    if len(best) != 1:
        return None
    after = _at(words, best[0][1])
    ends = not after or after in table.words("clauses") | table.words("joining") | table.words("across_groups")
    return best[0] if ends else None


def _name_behind(words: _Words, start: int, column: str, table: Table) -> tuple[int, int]:
    """Return how many words of a header stand behind a place, among words that say little, and where the last ends."""
    light = table.context.lexicon.is_filler
    own = [word for word in split_name(column) if not any(sign.isdigit() for sign in word)]
    heavy = {word for word in own if not light(word) and word not in table.words("speakers")}
    found, end = set[str](), start
    for place in range(start, len(words)):
        word = words[place].group().casefold()
        same = {mine for mine in heavy if table.akin(word, mine) or table.context.plain(word) == mine}
        if same:
            found, end = found | same, place + 1
        elif not (light(word) or word in own or word in table.words("speakers") | table.words("before_what_is_rated")):
            break
    return len(found), end


def _at(words: _Words, place: int) -> str:
    return words[place].group().casefold() if 0 <= place < len(words) else ""
