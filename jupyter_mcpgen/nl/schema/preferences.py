"""Which column is meant of two that the same words mention: the plain measure, one of an identifier and its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.nl.schema.relations import Variants
from jupyter_mcpgen.nl.schema.rows import RowFacts

OTHER_VARIANT = 0.2
"""What it costs to take "temperature" for the record one where there is a plain one."""
OTHER_NAME = 0.1
"""What it costs to take "customer" for the one of its identifier and its name that tells less."""
NEARLY = 0.1
"""A column is preferred to one that the words mention this much more surely."""


@dataclass(frozen=True, slots=True)
class Preference:
    """A column that is meant rather than another, where the same words mention both, and what the other then costs."""

    column: str
    other: str
    cost: float


def find_preferences(row: RowFacts, variants: Sequence[Variants]) -> tuple[Preference, ...]:
    """Return the preferences among the columns of a table."""
    return (*_of_variants(variants), *_of_things(row))


def _of_variants(variants: Sequence[Variants]) -> Iterator[Preference]:
    for measure in variants:
        yield from (Preference(measure.plain, other.column, OTHER_VARIANT) for other in measure.others)


def _of_things(row: RowFacts) -> Iterator[Preference]:
    """Yield which column stands for a thing: its name, if that tells things apart as the identifier does."""
    for thing in row.things:
        if thing.identifier is None or thing.name is None:
            continue
        telling = row.depends(thing.identifier, thing.name)
        best, other = (thing.name, thing.identifier) if telling else (thing.identifier, thing.name)
        yield Preference(best, other, OTHER_NAME)
