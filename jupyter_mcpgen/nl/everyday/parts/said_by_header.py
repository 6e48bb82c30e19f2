"""A header that a question says of its rows: "how many would leave" over `Would leave` with Yes, No and Don't know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.parts.conditions_led_to import leading_to, led_to
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name

MOST_ANSWERS = 7
"""A column with more values than this has no yes, no and a few other answers."""
_WORD = re.compile(r"\w[\w'’]*")


def header_said_of_rows(said: Speech, table: Table) -> Speech | None:
    """Say "how many people would not leave" as the rows where that column answers no."""
    changed = said
    for column in table.context.profile.schema_.names:
        changed = _said_of_rows(changed, column, table) or changed
    return changed if changed is not said else None


def _said_of_rows(said: Speech, column: str, table: Table) -> Speech | None:
    """Say the first place of a header that is said of rows as a condition on its column."""
    yes, no = _answer(column, table, holds=True), _answer(column, table, holds=False)
    for start, end, denied in _places(said.text, column, table) if yes and no else ():
        lead = leading_to(said.text[:start], table)
        if lead is None or Speech(said.text[end:]).find(table.wording("answer_behind")):
            continue
        if len(split_name(column)) == 1 and not lead["who"]:
            continue  # a single word may be a noun as well: "how many members"
        value = no if denied or lead["not"] else yes
        words = f"{lead['not']} {said.text[start:end]}".strip()
        note = f"“{words}” is taken to mean that `{column}` is {value}."
        return led_to(said, lead, end, f"`{column}` is {value}", note, table)
    return None


def _answer(column: str, table: Table, *, holds: bool) -> str | None:
    """Return the one value by which a column of few answers says yes, or no, as a condition names it."""
    known, lexicon = table.context.column(column), table.context.lexicon
    if known.written or not known.complete or known.distinct > MOST_ANSWERS:
        return None
    texts = [value for value in known.values if isinstance(value, str)]
    found = [value for value in texts if m.Truth(value=holds) in lexicon.meanings(value.strip().casefold())]
    return f'"{found[0]}"' if len(found) == 1 else None


def _places(text: str, column: str, table: Table) -> Iterator[tuple[int, int, bool]]:
    """Yield where the words of a header stand in a text, also with a "not" among them, and whether it has one."""
    speakers = table.words("speakers")
    own = [_plain(word, table) for word in split_name(column) if word not in speakers]
    words = [word for word in _WORD.finditer(text) if word.group().casefold() not in speakers]
    for first in range(len(words)):
        at, denied = first, False
        for place, word in enumerate(own):
            if place and at < len(words) and words[at].group().casefold() in table.words("not"):
                at, denied = at + 1, True
            if at == len(words) or _plain(words[at].group(), table) != word:
                break
            at += 1
        else:
            yield words[first].start(), words[at - 1].end(), denied


def _plain(word: str, table: Table) -> str:
    return table.context.plain(word.casefold())
