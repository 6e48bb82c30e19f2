"""Which rows, and which figures of them, the words of a question name."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.stored_values import value_words
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.schema import ColumnType


@dataclass(frozen=True)
class Entity:
    """A row by its name: the column that tells the rows apart, and the value there."""

    column: str
    value: Lit

    @property
    def is_it(self) -> Compare:
        """The condition that only its row meets."""
        return Compare(op=CompareOp.EQ, left=Col(name=self.column), right=self.value)


@dataclass(frozen=True)
class Figure:
    """What rows are compared by: a column of numbers, and whether more of it is meant."""

    column: str
    more: bool
    note: str = ""


def entity(text: str, table: Table) -> Entity | None:
    """Return the one row that words name: whole, by a part of its name, or by a number that tells rows apart."""
    words = _without_light(text, table)
    if not words:
        return None
    if len(words) == 1 and words[0].isdigit():
        return _numbered(int(words[0]), table)
    context = table.context
    whole = [
        Entity(v.column, _text(v.value)) for v in context.values.get(" ".join(words), ()) if _is_name(v.column, table)
    ]
    found = whole or [
        Entity(v.column, _text(v.value))
        for spelled, values in context.values.items()
        if set(words) <= set(spelled.split())
        for v in values
        if _is_name(v.column, table)
    ]
    return found[0] if len(found) == 1 else None


def two_entities(found: Found, table: Table) -> tuple[Entity, Entity] | None:
    """Return the two different rows of one column that a phrase names as `a` and `b`."""
    first, second = entity(found["a"], table), entity(found["b"], table)
    if first is None or second is None or first.column != second.column or first.value == second.value:
        return None
    return first, second


def figure(found: Found, table: Table) -> Figure | None:
    """Return what a phrase compares by: its adjective ("deeper"), its verb ("earns more"), or a column."""
    if found["adjective"] and found.folded("adjective") in table.vocabulary.by_adjective:
        quality, highest = table.vocabulary.by_adjective[found.folded("adjective")]
        column = columns.ranking(quality.columns, table)
        return Figure(column, highest, f"“{found['adjective']}” is taken to be about `{column}`.") if column else None
    column = measured(found["what"], table) if found["what"] else None
    if found["verb"]:
        column = measure_of_verb(found.folded("verb"), table)
    more = found.meant("more")
    return Figure(column, more == "more") if column and more in ("more", "less") else None


def measured(text: str, table: Table) -> str | None:
    """Return the one column of numbers that words name, or name but for a word such as "average" in its name."""
    column = columns.named(text, table, columns.PERHAPS)
    return column if column is not None and table.context.is_measure(column) else None


def column_of(noun: str, of: Entity, table: Table) -> bool:
    """Tell whether a noun stands for the rows that an entity is one of, or for the column of its name."""
    return (
        not noun or columns.is_row(noun, table) or columns.named(noun, table) == of.column or _is_first(noun, of, table)
    )


def is_thing(noun: str, table: Table) -> bool:
    """Tell whether a noun stands for the rows: a row noun, or the whole name of the column that tells them apart."""
    if columns.is_row(noun, table):
        return True
    plain = (table.context.plain(noun.casefold()),)
    named = [name for name, own in table.context.column_words.items() if own == plain and _is_name(name, table)]
    return len(named) == 1


def _is_first(noun: str, of: Entity, table: Table) -> bool:
    """Tell whether a noun is a word that stands in the entity's own name, as "lake" does in "Lake Orla"."""
    return table.context.plain(noun.casefold()) in {
        table.context.plain(word) for word in value_words(str(of.value.value))
    }


def _numbered(number: int, table: Table) -> Entity | None:
    context = table.context
    names = context.profile.schema_.names
    fitting = [name for name in names if context.is_key(name) and context.could_be(name, number)]
    years = [name for name in fitting if name in context.years]
    fitting = years or [name for name in fitting if not context.is_measure(name)]
    return Entity(fitting[0], Lit(value=number, type=ColumnType.INTEGER)) if len(fitting) == 1 else None


def _is_name(column: str, table: Table) -> bool:
    return table.context.is_key(column) and table.context.type_of(column) is ColumnType.TEXT


def _text(value: str) -> Lit:
    return Lit(value=value, type=ColumnType.TEXT)


def _without_light(text: str, table: Table) -> list[str]:
    """Return the words of a name without what stands before it: "that of the", "for", "in the year"."""
    words = value_words(text)
    light = table.words("before_names")
    while len(words) > 1 and words[0] in light and " ".join(words) not in table.context.values:
        words = words[1:]
    return words
