"""Cells with figures, by all their signs: "3–1", "64.8%" and "+5" as they are written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from jupyter_mcpgen.nl.text.tokens import Token, tokenize

MOST_CELLS = 20_000
"""So many cells of a table are looked at."""
LONGEST = 60
"""Longer cells are texts that nobody repeats sign by sign."""
_MOST_TOKENS = 16
_SAME = str.maketrans({**dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys("’‘", "'"), **dict.fromkeys(",()|", None)})


def signs_of(tokens: Iterable[Token]) -> str:
    """Return what some tokens say, by their signs without spaces, commas, brackets and capitals."""
    return "".join(token.lower for token in tokens).translate(_SAME)


def has_figure(text: str) -> bool:
    """Tell whether a text has a digit."""
    return any(sign.isdecimal() for sign in text)


class CellIndex:
    """The cells with figures of a table's columns of texts; built once per table."""

    def __init__(self, columns: Iterable[tuple[str, Sequence[str]]]) -> None:
        self._cells: dict[str, list[tuple[str, str]]] = defaultdict(list)
        left = MOST_CELLS
        for name, texts in columns:
            for text in texts[:left]:
                if len(text) <= LONGEST and has_figure(text):
                    self._cells[signs_of(tokenize(text))].append((name, text))
            left -= len(texts[:left])
        self._longest = max(map(len, self._cells), default=0)

    def at(self, tokens: Sequence[Token], first: int) -> Iterator[tuple[int, str, str]]:
        """Yield the end, the column and the text of each cell that is written from a token on."""
        said = ""
        for last in range(first, min(first + _MOST_TOKENS, len(tokens))):
            said += signs_of(tokens[last : last + 1])
            if len(said) > self._longest:
                return
            for name, text in self._cells.get(said, ()):
                yield last + 1, name, text
