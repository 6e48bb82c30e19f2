"""Finds the names of columns that are asked for together: "the length and width of …"."""

from __future__ import annotations

from collections.abc import Collection

from jupyter_mcpgen.nl.lookup.choice import Choice
from jupyter_mcpgen.nl.lookup.names import Name
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.words import outside_brackets, plain_words


def asked_together(choice: Choice, scene: Scene, table: Table, taken: Collection[int]) -> tuple[Name, ...]:
    """Return the whole names that a comma or "and" joins to the answer's, with it, in the order of the question."""
    if choice.name is None or not _is_whole(choice.name):
        return ()
    free = [name for name in scene.names if _is_whole(name) and not {*name.words} & {*taken}]
    found = [choice.name]
    while (more := next((n for n in free if _follows(n, found[-1], found, scene, table)), None)) is not None:
        found.append(more)
    while (more := next((n for n in free if _follows(found[0], n, found, scene, table)), None)) is not None:
        found.insert(0, more)
    return tuple(found)


def _is_whole(name: Name) -> bool:
    """Tell whether a name is said but for what stands in brackets, such as a unit."""
    return name.whole or len(plain_words(outside_brackets(name.column))) <= len(name.words)


def _follows(later: Name, earlier: Name, found: list[Name], scene: Scene, table: Table) -> bool:
    """Tell whether only a comma, "and" and an article stand between two names of different columns."""
    apart = {later.column, earlier.column} - {name.column for name in found}
    if not apart or later.start < earlier.end or later.column == earlier.column:
        return False
    words = [word.text for word in scene.words[earlier.end : later.start]]
    joins, articles = table.vocabulary.joining, table.vocabulary.unread.articles
    gap = scene.question[scene.words[earlier.end - 1].end : scene.words[later.start].start]
    joined = bool(words) and words[0] in joins
    return (joined or "," in gap) and all(word in joins | articles for word in words)
