"""Finds the words at the end of a question that only say that something stands in the table: "on the chart"."""

from __future__ import annotations

from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table

WORDS = 3
"""A preposition, an article and the noun."""


def said_of_table(scene: Scene, table: Table) -> range:
    """Return where such words stand, which end a question; no words where a column is called like the noun."""
    own, size = table.vocabulary, len(scene.words)
    texts = [word.text for word in scene.words[-WORDS:]]
    nothing = range(size, size)
    if len(texts) < WORDS or texts[-1] not in own.unread.listing or table.names.matches(texts[-1]):
        return nothing
    led = texts[0] in own.left_over.leading and texts[1] in own.unread.articles
    return range(size - WORDS, size) if led else nothing
