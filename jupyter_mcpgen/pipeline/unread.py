"""Which words of a refused question the refusal speaks of, and which columns come nearest to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz, process, utils

from jupyter_mcpgen.model.question import Unread

_QUOTED = re.compile(r"`([^`]+)`|“([^”]+)”")
_MOST = 4
_ALIKE = 60
"""From which likeness on, of 100, a column is named."""


def unread_in(question: str, refusal: str, columns: Sequence[str], tables: Sequence[str]) -> tuple[Unread, ...]:
    """Return the words of a question that a refusal quotes, in their order, but for the names of columns and tables."""
    known = {name.casefold() for name in (*columns, *tables)}
    quoted = dict.fromkeys(one or other for one, other in _QUOTED.findall(refusal))
    found = sorted((place, words) for words in quoted for place in _places(words, question))
    first = dict.fromkeys(words for _, words in found if words.casefold() not in known)
    return tuple(Unread(words=words, columns=_nearest(words, columns)) for words in first)


def _places(words: str, question: str) -> Iterator[int]:
    match = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", question, re.IGNORECASE)
    if match is not None:
        yield match.start()


def _nearest(words: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns most like some words; all of a few where none is."""
    found = process.extract(
        words, columns, scorer=fuzz.WRatio, processor=utils.default_process, limit=_MOST, score_cutoff=_ALIKE
    )
    near = tuple(name for name, _, _ in found)
    return near or tuple(columns[:_MOST])
