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


def leads_to_two_sides(start: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether the two who meet in a row follow: "the game between Bray and Dale", where Dale was no host."""
    binds, words = choice.binding.binds, scene.words
    first = next((b for b in binds if b.mention.start == start and b.bound is None), None)
    if (
        first is None
        or first.mention.end == len(words)
        or words[first.mention.end].text not in table.vocabulary.left_over.joins
    ):
        return False
    second = next((b for b in binds if b.mention.start == first.mention.end + 1 and b.bound is None), None)
    if second is None or first.cells.column == second.cells.column:
        return False
    turned = [
        (cells.column, table.rows.letters(cells.column, cells.values))
        for one, column in ((first, second.cells.column), (second, first.cells.column))
        for cells in one.mention.cells
        if cells.column == column
    ]
    others = conditions_of(tuple(b for b in binds if b not in (first, second)), table)
    return len(turned) == len((first, second)) and not table.rows.meets((*turned, *others))
