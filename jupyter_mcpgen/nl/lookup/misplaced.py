"""Numbers that a reading gives to a column of which nothing is said, while another one stands beside them."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.lookup.binding import stands_beside
from jupyter_mcpgen.nl.lookup.choice import Choice
from jupyter_mcpgen.nl.lookup.names import Name
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table


def misplaced_numbers(choice: Choice, scene: Scene, table: Table) -> Iterator[int]:
    """Yield where a number stands that another column's name counts: the 3 of "3 draws" is no `place`.

    A number right behind the answer's name, as in "what team scored 17", is none of a game either, and the year of
    "took office in 1976" is none of `left office`.
    """
    own = choice.name
    reserved = frozenset(own.words) if own else frozenset[int]()
    for bind in choice.binding.binds:
        mention, column = bind.mention, bind.cells.column
        if bind.bound is not None or bind.name is not None:
            continue
        if column != choice.column and stands_beside(mention, choice.column, reserved, scene, table):
            yield mention.start
        if mention.number is None or "time" in table.kinds[column]:
            continue
        behind = own is not None and own.end == mention.start and _holds_numbers(own, table)
        counted = any(
            name.start == mention.end and name.whole and name.column not in (column, choice.column)
            for name in scene.names
        )
        if behind or counted:
            yield mention.start


def _holds_numbers(name: Name, table: Table) -> bool:
    return bool({"number", "figures"} & table.kinds[name.column]) or bool(table.figures(name.column))
