"""Identifiers, which name and do not measure."""

from __future__ import annotations

from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Both, Column, Holds
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import CompareOp

_NAMED = 0.02
"""What a mention costs at most that says the whole header."""
_EQUAL = frozenset({CompareOp.EQ, CompareOp.NE})


def compares_identifiers(found: Derivation, table: Table) -> bool:
    """Tell whether identifiers are compared by size though only their things were named: "orders over 100"."""
    for phrase in found.phrases():
        if phrase.category is not C.TEST:
            continue
        sized = {
            one.left.name
            for one in (phrase.meaning.terms if isinstance(phrase.meaning, Both) else (phrase.meaning,))
            if isinstance(one, Holds) and isinstance(one.left, Column) and one.op not in _EQUAL
        }
        for part in phrase.parts:
            if part.rule == "column" and part.cost > _NAMED and part.meaning.name in sized:
                if table.column(part.meaning.name).is_identifier:
                    return True
    return False
