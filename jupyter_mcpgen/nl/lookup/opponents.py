"""Tells whose opponent is asked for, where two columns hold who meets in each row, as `Home team` and `Away team`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.lookup.binding import Bind, conditions_of
from jupyter_mcpgen.nl.lookup.choice import Choice
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table


def side_faced(choice: Choice, scene: Scene, table: Table) -> str | None:
    """Return the column of those whose opponent is asked for; None where no word asks for an opponent."""
    sides, name = table.names.sides, choice.name
    if choice.column not in sides or name is None:
        return None
    if not any(scene.words[i].text in table.vocabulary.opponents for i in name.words):
        return None
    return next(iter(sides - {choice.column}))


def names_whom(choice: Choice, faced: str) -> bool:
    """Tell whether a condition says whose opponent is meant."""
    return any(b.cells.column == faced and b.bound is None for b in choice.binding.binds)


def turned_around(choice: Choice, scene: Scene, table: Table) -> Iterator[Choice]:
    """Yield the choice with both sides turned, where no name says on which one somebody is and rows have either."""
    faced = side_faced(choice, scene, table)
    binds = tuple(_turned(b, choice.column) if b.cells.column == faced else b for b in choice.binding.binds)
    if faced is None or binds == choice.binding.binds or not table.rows.meets(conditions_of(binds, table)):
        return
    name = replace(choice.name, column=faced) if choice.name is not None else None
    yield replace(choice, column=faced, name=name, binding=replace(choice.binding, binds=binds))


def _turned(bound: Bind, column: str) -> Bind:
    if bound.near or bound.bound is not None:
        return bound
    cells = next((cells for cells in bound.mention.cells if cells.column == column), None)
    return bound if cells is None else replace(bound, cells=cells)
