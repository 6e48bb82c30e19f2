"""Tells where a superlative asks for the first or the last number of a numbering: "the lowest pick number"."""

from __future__ import annotations

from jupyter_mcpgen.nl.lookup.choice import Choice
from jupyter_mcpgen.nl.lookup.scene import Cue, Scene
from jupyter_mcpgen.nl.lookup.table import Table


def is_end_of_numbering(cue: Cue, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether the whole name of a numbering, with the word for a number in it, goes on a superlative of size.

    "The lowest pick number" is that of `Pick #`, which numbers picks in their order. "Which member number has the
    most visits" asks for no largest one, and a number that only names something, such as a phone's, has no end.
    """
    name, own = choice.name, table.vocabulary
    if name is None or not name.whole or name.start != cue.end:
        return False
    said = " ".join(word.text for word in scene.words[cue.start : cue.end])
    noun = scene.words[name.start].text
    if said in own.ends_in_time and noun in own.in_time and table.names.headers[name.column].words == (noun,):
        return True  # "the earliest week with …": weeks follow each other, and no week is larger in another way
    numbered = any(scene.words[i].text in own.left_over.number for i in name.words)
    return said in own.measured_sizes and numbered and bool(own.sequences & {*table.names.headers[name.column].words})
