"""Finds the words that name columns of yes and no: said of rows, they are conditions and no part of the answer."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.lookup.names import Name
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.words import outside_brackets, plain_words
from jupyter_mcpgen.nl.words.forms import singular
from jupyter_mcpgen.plan.schema import ColumnType

TWO_SIDES = 2
"""A column of at most so many values says yes or no of a row, so its name is a condition."""
MOST_ANSWERS = 7
"""A column of yes and no has at most so many answers."""


def flagged_words(scene: Scene, table: Table) -> frozenset[int]:
    """Return where the names of columns stand that have two sides."""
    sided = two_sided(table)
    named = (name for name in scene.names if name.column in sided and not _is_in_brackets(name, scene))
    return frozenset(i for name in named if not _is_so_in_all_rows(name, table) for i in name.words)


def two_sided(table: Table) -> frozenset[str]:
    """Return the columns that have two values, or say yes or no beside a few other answers."""
    return frozenset(name for name in table.profile.schema_.names if _has_sides(name, table))


def _has_sides(name: str, table: Table) -> bool:
    known, lexicon = table.context.column(name), table.context.lexicon
    if known.distinct <= TWO_SIDES:
        return True
    said = {str(value).casefold() for value in known.values} if known.distinct <= MOST_ANSWERS else set()
    return all(any(m.Truth(value=side) in lexicon.meanings(text) for text in said) for side in (True, False))


def _is_so_in_all_rows(name: Name, table: Table) -> bool:
    """Tell whether one word is of a column with the same text in every row, which picks none of them."""
    known = table.context.column(name.column)
    same = known.distinct == 1 and not known.nulls and len(name.words) == 1
    return same and table.context.type_of(name.column) is ColumnType.TEXT


def _is_in_brackets(name: Name, scene: Scene) -> bool:
    """Tell whether a name is only said by what stands in brackets: the medals of `Total (of 2 medals)`."""
    head = {singular(word) for word in plain_words(outside_brackets(name.column))}
    return not head & {singular(scene.words[i].text) for i in name.words}
