"""Questions of how many, where several things may be counted."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Grouping
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.constraints.verdict import Doubt
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Is
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import AggregateFunction as F


def what_is_counted(found: Derivation, table: Table) -> Doubt | None:
    """Ask of "how many dogs" whether visits or animals are counted, where rows are visits of the same ones again."""
    answer = found.answer
    if not isinstance(answer, Grouping) or answer.measures != (ROWS,) or answer.then is not None:
        return None
    if any(phrase.category is C.ENTITY for phrase in found.phrases()) or not _counts_values(found, table):
        return None
    things = [one.identifier or one.name for one in table.schema.row.repeated]
    figures = [Figure(F.COUNT_DISTINCT, Column(name)) for name in things if name is not None]
    figures += [Figure(F.SUM, Column(name)) for name in table.totals if table.column(name).is_stock]
    return Doubt(tuple(replace(answer, measures=(one,)) for one in figures)) if figures else None


def busiest_by(found: Derivation, table: Table) -> Doubt | None:
    """Ask whether "busiest" is by how many rows there are or by a column that counts."""
    answer = found.answer
    said = any(phrase.rule == "superlatives.by_dimension" and phrase.meaning.by == ROWS for phrase in found.phrases())
    if not said or not isinstance(answer, Grouping) or ROWS not in answer.measures:
        return None
    figures = [Figure(F.SUM, Column(name)) for name in table.counts if table.unit_of(name) is None]
    return Doubt(tuple(replace(answer, measures=(one,)) for one in figures)) if figures else None


def _counts_values(found: Derivation, table: Table) -> bool:
    """Tell whether a value stands where a noun does: behind "how many", or first and alone."""
    phrases = found.cover.phrases
    for place, phrase in enumerate(phrases):
        behind = place > 0 and phrases[place - 1].rule == "figures.count_rows"
        valued = (
            phrase.rule == "conditions.value" and isinstance(phrase.meaning, Is) and phrase.parts[0].rule == "value"
        )
        if valued and (behind or place == 0) and table.column(phrase.meaning.column).truth is None:
            return True
    return False
