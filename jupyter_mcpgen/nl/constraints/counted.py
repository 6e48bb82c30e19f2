"""Questions of how many, where several things may be counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Grouping
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.edits import mapped
from jupyter_mcpgen.nl.constraints.verdict import Doubt
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Is
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.schema.row_nouns import DESCRIBES_SEVERAL
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import AggregateFunction as F


def what_is_counted(found: Derivation, table: Table) -> Doubt | None:
    """Ask of "how many dogs" whether visits or animals are counted, where rows are visits of the same ones again."""
    answer = found.answer
    if not isinstance(answer, Grouping) or answer.measures != (ROWS,) or answer.then is not None or answer.first:
        return None
    if entities := [phrase for phrase in found.phrases() if phrase.category is C.ENTITY]:
        figures = [Figure(F.COUNT_DISTINCT, Column(name)) for name in _called_as_rows(entities, table)]
    elif _counts_values(found, table):
        figures = [Figure(F.COUNT_DISTINCT, Column(name)) for name in _identified(table)]
        figures += [Figure(F.SUM, Column(name)) for name in table.totals if table.column(name).is_stock]
        figures += [Figure(F.SUM, Column(name)) for name in table.quantities]
    elif any(phrase.category is C.COUNT for phrase in found.phrases()):
        figures = [Figure(F.COUNT_DISTINCT, Column(name)) for name in _owners(found, table)]
    else:
        figures = []
    return Doubt(tuple(_counting(new, answer) for new in figures))


def _counting(figure: Figure, answer: Grouping) -> Grouping:
    return mapped(answer, lambda one: figure if one == ROWS else one)


def _identified(table: Table) -> list[str]:
    """Return the columns that tell things apart which several rows are about."""
    names = (one.identifier or one.name for one in table.schema.row.repeated)
    return [name for name in names if name is not None]


def _owners(found: Derivation, table: Table) -> list[str]:
    """Return the things and persons of which all that is asked about is a property: of a role or when one was hired."""
    used = {name for step in found.plan.steps for name in names_in(step)} & set(table.names)
    things = [*_identified(table), *(name for name in table.persons if table.repeats(name))]
    told = table.schema.row.depends
    return [thing for thing in things[:1] if used and all(told(name, thing) for name in used)]


def _called_as_rows(entities: Sequence[Phrase], table: Table) -> Iterator[str]:
    """Yield the columns that come back and are called as the rows were: a race is one in each year, or of a cup."""
    for noun, cost in {(one.meaning.word, one.cost) for one in entities if not one.meaning.column}:
        for name in filter(table.repeats, table.names):
            words = [word.base for word in table.column(name).facts.words]
            dated = table.is_date(name) and words[0] == noun and cost >= DESCRIBES_SEVERAL and _tells_more(name, table)
            if dated or (table.is_text(name) and words == [noun]):
                yield name


def _tells_more(date: str, table: Table) -> bool:
    """Tell whether a date stands for something else that is the same in all its rows: the opponent of a match."""
    return any(table.is_text(name) and table.schema.row.depends(name, date) for name in table.names)


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
