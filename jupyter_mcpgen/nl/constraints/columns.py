"""One column with values of several measures, and several columns that a word of a question may name."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.assembly.answers import Answer, Grouping, Listing
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.edits import mapped, parts
from jupyter_mcpgen.nl.constraints.verdict import Doubt, Refusal
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Is
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.schema.row_nouns import OF_KIND
from jupyter_mcpgen.plan.ops import AggregateFunction as F

_WHOLE = 0.01
"""A mention of a column that costs no more says its whole name."""
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


def columns_with_the_word(found: Derivation, table: Table) -> Doubt | None:
    """Ask of "average price" which price is meant, where several columns are called so and none just so."""
    for phrase in found.phrases():
        if phrase.rule != "column" or phrase.last > phrase.first + 1 or phrase.cost <= _WHOLE:
            continue
        name = phrase.meaning.name
        lemmas = table.lexicon.lemmas(found.words[phrase.first])
        if any(noun.words[-1] in lemmas for noun in table.schema.row.nouns if noun.cost <= OF_KIND):
            continue
        called = tuple(_called(lemmas, table))
        literal = tuple(one for one in table.names if table.is_number(one) and _has_word(one, lemmas, table))
        if table.is_number(name) and literal and not _has_word(name, lemmas, table):
            return Doubt(tuple(_with_other(found.answer, name, other) for other in literal))
        rivals = [one for one in called if one != name and _are_alike(one, name, table)]
        others = {word.text for word in table.column(name).facts.words} - {found.words[phrase.first]}
        whole = len(table.column(name).facts.words) == 1
        if name in called and rivals and not whole and others.isdisjoint(found.words):
            return Doubt(tuple(_with_other(found.answer, name, other) for other in rivals))
    return None


def _called(lemmas: tuple[str, ...], table: Table) -> Iterator[str]:
    """Yield the columns of numbers whose noun is one of some lemmas."""
    for name in table.names:
        heavy = [word for word in table.column(name).facts.words if word.heavy]
        if table.is_number(name) and heavy and not heavy[-1].known.isdisjoint(lemmas):
            yield name


def _are_alike(one: str, other: str, table: Table) -> bool:
    """Tell whether two columns hold numbers of one kind."""
    known = [table.column(name).facts for name in (one, other)]
    return known[0].money == known[1].money and known[0].additivity is known[1].additivity


def _has_word(name: str, lemmas: tuple[str, ...], table: Table) -> bool:
    return any(word.heavy and not word.known.isdisjoint(lemmas) for word in table.column(name).facts.words)


def _with_other(answer: Answer, name: str, other: str) -> Answer:
    return mapped(answer, lambda one: Column(other) if one == Column(name) else one)
