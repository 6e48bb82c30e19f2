"""Says which other table has a column that a refused question names, and the join that would help."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.keys import found_keys
from jupyter_mcpgen.nl.joining.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.words.forms import singular, split_name

MOST_WORDS = 60
"""Of a longer question the beginning is looked at."""


def columns_named(question: str, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns whose whole name stands in a question, in one number or the other."""
    words = [singular(word) for word in re.findall(r"[^\W_]+", question.casefold())][:MOST_WORDS]
    text = f" {' '.join(words)} "
    named = ((column, " ".join(map(singular, split_name(column)))) for column in columns)
    return tuple(column for column, name in named if name and f" {name} " in text)


def join_that_helps(question: str, first: Profile, other: Profile, language: str) -> str | None:
    """Return which column of another table a question names, and how to ask over both; None where that says nothing."""
    vocabulary = load_vocabulary(language)
    known = set(columns_named(question, first.schema_.names))
    named = [name for name in columns_named(question, other.schema_.names) if name not in known]
    if not named or vocabulary is None:
        return None
    keys = found_keys(first, other, vocabulary)
    columns = " and ".join(f"`{name}`" for name in named)
    said = f"{columns} {'is a column' if len(named) == 1 else 'are columns'} of `{other.name}`."
    if not keys.sure:
        return said
    own, theirs = keys.pairs[0]
    key = own if own == theirs else f"{own} = {theirs}"
    return f"{said} Ask over both: “… in {first.name} joined with {other.name} on {key}”."
