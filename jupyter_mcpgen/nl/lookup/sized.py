"""Tells where "how big" asks for the very figure whose name follows: "how big was the crowd" of `Crowd`."""

from __future__ import annotations

from jupyter_mcpgen.nl.lookup.choice import Choice
from jupyter_mcpgen.nl.lookup.plans import holds_figures, says_which
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table


def is_size_of_answer(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a size is asked of a figure that is called by its whole name right behind it."""
    own, name = table.vocabulary.questions, choice.name
    if scene.words[position].text not in own.amounts - own.many or name is None or not name.whole:
        return False
    between = [word.text for word in scene.words[position + 1 : name.start]]
    led = bool(between) and all(word in table.vocabulary.auxiliaries | own.articles for word in between)
    named_so = bool(table.names.matches(scene.words[position].text))
    return led and not named_so and holds_figures(choice.column, table) and not says_which(choice.column, table)
