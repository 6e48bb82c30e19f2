"""Values of different measures in one column, as in a long table of indicators."""

from __future__ import annotations

from jupyter_mcpgen.nl.assembly.answers import Grouping, Listing
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.edits import parts
from jupyter_mcpgen.nl.constraints.verdict import Refusal
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Is
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import AggregateFunction as F

_COUNTS = frozenset({F.COUNT, F.COUNT_DISTINCT})


def measures_mixed(found: Derivation, table: Table) -> Refusal | None:
    """Refuse one figure of values that are of different measures: the average of temperatures and pressures."""
    name, values = table.measure_names
    if name is None or isinstance(found.answer, Listing):
        return None
    told = any(isinstance(one, Is) and one.column == name and len(one.values) == 1 for one in parts(found.answer))
    grouped = Column(name) in getattr(found.answer, "keys", ())
    figures = [one for one in parts(found.answer) if isinstance(one, Figure)]
    computed = (one.term for one in figures if one.function not in _COUNTS)
    mixed = any(isinstance(term, Column) and term.name in values for term in computed)
    if mixed and not (told or grouped):
        return Refusal(
            f"`{name}` says what each row measures, so a figure of all rows would mix them. Ask for one of them, or by "
            f"`{name}`.",
            (name,),
        )
    said = any(phrase.rule.startswith("figures.count") for phrase in found.phrases())
    if told and isinstance(found.answer, Grouping) and found.answer.measures == (ROWS,) and not said:
        return Refusal(f"`{name}` says what a row measures. Ask for the total or the average of it.", (name,))
    return None
