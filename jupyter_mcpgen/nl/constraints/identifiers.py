"""Identifiers, which name and do not measure."""

from __future__ import annotations

from itertools import pairwise

from jupyter_mcpgen.nl.assembly.answers import Grouping, Listing
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Both, Column, Figure, Holds
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction

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
            thing = part.rule == "column" and part.cost > _NAMED and part.meaning.name in sized
            if thing and table.column(part.meaning.name).is_identifier:
                return True
    return False


def counts_one_by_one(found: Derivation, table: Table) -> bool:
    """Tell whether rows are counted by what is different in each of them, which says 1 of every row."""
    answer = found.answer
    if not isinstance(answer, Grouping) or answer.window is not None or answer.chart is not None:
        return False
    counts = all(isinstance(one, Figure) and one.function is AggregateFunction.COUNT for one in answer.measures)
    return counts and any(isinstance(key, Column) and table.column(key.name).is_unique for key in answer.keys)


def each_of_nothing(found: Derivation, table: Table) -> bool:
    """Tell whether a figure was asked "of each" and no groups were found."""
    said = any(phrase.rule == "figures.for_each_one" for phrase in found.phrases())
    return said and isinstance(found.answer, Grouping) and not found.answer.keys


def measures_an_adjective(found: Derivation, table: Table) -> bool:
    """Tell whether a number is taken for what only describes things: "active users" are no active minutes."""
    nouns = {thing.words[-1] for thing in table.schema.row.repeated}
    for first, second in pairwise(found.cover.phrases):
        beside = first.category is C.TERM and first.rule == "column" and first.last == second.first
        thing = second.rule == "row" and second.meaning.word.rpartition(" ")[2] in nouns
        if beside and thing and table.is_number(first.meaning.name):
            return True
    return False


def lists_by(found: Derivation, table: Table) -> bool:
    """Tell whether columns are only shown though the question says "by", which groups."""
    said = any(table.lists("grouping", word) for word in found.unread)
    return said and isinstance(found.answer, Listing) and found.answer.order is None


def joins_what_is_shown(found: Derivation, table: Table) -> bool:
    """Tell whether one figure is given of what each row should show: "schools in Leeds and their pupils"."""
    answer = found.answer
    if not any(table.lists("possessive", word) for word in found.unread):
        return False
    joined = any(table.lists("begins", first) for first, _ in pairwise(found.unread))  # "the highest and its town"
    if found.query.extreme is not None and (found.query.extreme.timed or (joined and isinstance(answer, Grouping))):
        return True  # "animals in poor condition at their last visit"
    implied = isinstance(answer, Grouping) and any(isinstance(one, Figure) and one.implied for one in answer.measures)
    return implied and isinstance(answer, Grouping) and not answer.keys
