"""Tells where a question looks for a piece of a text, which no cell that is the same as it answers."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.words.stored_values import value_words

WIDEST = 2
"""Of how many words a phrase such as "starts with" is."""


def searches(scene: Scene, table: Table) -> bool:
    """Tell whether a text in quotation marks is what others contain, begin or end with, and no value itself."""
    behind = {max(span) + 1 for span in _phrases(scene, table)}
    return any(
        word.quoted and i in behind and " ".join(value_words(word.written)) not in table.context.values
        for i, word in enumerate(scene.words)
    )


def search_words(scene: Scene, table: Table) -> frozenset[int]:
    """Return where the words stand that ask for texts which begin or end with something, or hold it."""
    return frozenset(i for span in _phrases(scene, table) if not _leads_to_a_name(span, scene, table) for i in span)


def _leads_to_a_name(span: range, scene: Scene, table: Table) -> bool:
    """Tell whether a column is named right behind: "ending with a margin of 2" looks for no text."""
    articles = table.vocabulary.questions.articles
    begins = span.stop + (span.stop < len(scene.words) and scene.words[span.stop].text in articles)
    values = {i for value in scene.values for i in range(value.start, value.end)}
    return any(name.whole and name.start == begins and values.isdisjoint(name.words) for name in scene.names)


def _phrases(scene: Scene, table: Table) -> list[range]:
    texts, meanings = [word.text for word in scene.words], table.context.lexicon.meanings
    ends = [(i, i + width) for i in range(len(texts)) for width in range(1, WIDEST + 1)]
    asking = table.vocabulary.questions.asking  # "… includes which year?" asks
    spans = [range(start, end) for start, end in ends if end < len(texts) and texts[end] not in asking]
    return [s for s in spans if any(isinstance(x, m.Matching) for x in meanings(" ".join(texts[s.start : s.stop])))]
