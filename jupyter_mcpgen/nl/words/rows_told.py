"""What several columns tell together of the rows of a table: requests have a status and a path."""

from __future__ import annotations

from jupyter_mcpgen.records import dataclass


@dataclass(frozen=True)
class RowsTold:
    """Nouns for a row, in the singular, and the words of which each has to stand in the name of some column."""

    nouns: frozenset[str]
    signs: tuple[frozenset[str], ...]
