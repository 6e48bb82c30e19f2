"""Tells where a word that is light between names and values says something: "found", "out" and "like" at an end."""

from __future__ import annotations

from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table


def is_predicate(position: int, scene: Scene, table: Table, *, picks_rows: bool) -> bool:
    """Tell whether a light word says of the rows what they are or do, and so is none.

    "How many are out" asks for those that are out; "how many are listed for Oslo" asks for those of Oslo.
    """
    word, own = scene.words[position].text, table.vocabulary.unread
    if position < scene.focus or (scene.counts and position < scene.counts[0][1]):
        return False
    if word in own.telling:
        return True
    if word in own.shown and picks_rows:
        return False
    return word in own.predicates | own.shown and not _goes_on(position, scene, table)


def _goes_on(position: int, scene: Scene, table: Table) -> bool:
    """Tell whether a value, a name or a word of its own follows behind light words."""
    own = table.vocabulary
    idle = own.light | own.unread.predicates | own.unread.shown
    return any(
        word.text not in idle or any(value.start == at for value in scene.values)
        for at, word in enumerate(scene.words)
        if at > position
    )
