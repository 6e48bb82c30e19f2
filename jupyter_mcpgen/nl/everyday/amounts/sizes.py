"""How many people a row is about: "party size", "parties larger than 4", "bill per person", a part of a whole."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.amounts.conversions import is_time
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.plan.schema import ColumnType

MOST_PEOPLE = 60
"""No party has more people; a larger `size` is one of something else."""


def size_of_a_party(said: Speech, table: Table) -> Speech | None:
    """Say "party size" by the column `size`, which can be nothing else's."""
    found = said.find(table.wording("size_of_a_party"))
    column = _size(table) if found else None
    if found is None or column is None or columns.is_known(found["noun"], table):
        return None
    return said.put(found, found.said(column=column), f"“{found.text}” is taken to mean `{column}`.")


def parties_by_size(said: Speech, table: Table) -> Speech | None:
    """Say "parties larger than 4" as the rows with a `size` of more than 4."""
    found = said.find(table.wording("parties_by_size"))
    column = _size(table) if found else None
    if found is None or column is None or columns.is_known(found["noun"], table):
        return None
    note = f"Each row is taken to be one of the “{found['noun']}”, with its `{column}`."
    return said.put(found, found.said(column=column, side=found.meant("side")), note)


def _size(table: Table) -> str | None:
    """Return the one column of whole numbers that is called a size and nothing else."""
    context, sizes = table.context, table.words("size")
    own = [name for name, words in context.column_words.items() if len(words) == 1 and words[0] in sizes]
    return own[0] if len(own) == 1 and context.type_of(own[0]) is ColumnType.INTEGER else None


def per_person(said: Speech, table: Table) -> Speech | None:
    """Say "bill per person" as its sum divided by the number of people, where a column counts them."""
    for found in said.find_each(table.wording("per_person")):
        column, people = columns.named(found["what"], table, SHORTENED), _people(table)
        if column is None and not columns.is_of_the_data(found["what"], table):
            column = measure_of_verb(found.folded("what"), table)  # "spend per guest"
        if people is None or column is None or not table.context.is_measure(column) or column == people:
            continue
        note = f"The sum of `{column}` is divided by the sum of `{people}`."
        return said.put(found, found.said(column=column, people=people), note)
    return None


def _people(table: Table) -> str | None:
    """Return the column that counts the people of a row: few of them, and in no unit."""
    context, counted = table.context, table.words("people_counted")
    named = [name for name, own in context.column_words.items() if own and own[-1] in counted]
    whole = [context.column(name) for name in named if context.type_of(name) is ColumnType.INTEGER]
    few = [c.name for c in whole if not c.unit and isinstance(c.maximum, int) and c.maximum <= MOST_PEOPLE]
    return few[0] if len(few) == 1 else None


def part_of_another(said: Speech, table: Table) -> Speech | None:
    """Say "tip as a percentage of the bill" as the sum of the one divided by the sum of the other."""
    found = said.find(table.wording("part_of_another"))
    if found is None:
        return None
    said_of = (found[key] for key in ("part", "whole"))
    part, whole = (columns.figure(text, table) or columns.worth_of_a_row(text, table) for text in said_of)
    if part is None or whole is None or part == whole:
        return None
    told = "in percent" if found["percent"] else "0.25 is 25 %"
    note = f"The sum of `{part}` is divided by the sum of `{whole}`: {told}."
    return said.put(found, found.said("percent" if found["percent"] else "share", part=part, whole=whole), note)


def per_head(said: Speech, table: Table) -> Speech | None:
    """Say "per head" and "per inhabitant" by the one column of how many people live there."""
    found = said.find(table.wording("per_head"))
    people = population(table) if found else None
    if found is None or people is None or columns.is_known(found["noun"], table):
        return None
    way = "counted" if table.context.adds_up(people) else "measured"
    return said.put(found, found.said(way, column=people), f"“{found.text}” is taken to be divided by `{people}`.")


def people_of_places(said: Speech, table: Table) -> Speech | None:
    """Say "people per square kilometre" by the one column of how many people live there."""
    found = said.find(table.wording("people_of_places"))
    people = population(table) if found else None
    if found is None or people is None or columns.named(found["noun"], table) is not None:
        return None
    return said.put(found, found.said(column=people), f"“{found['noun']}” are taken to be `{people}`.")


def how_many_live(said: Speech, table: Table) -> Speech | None:
    """Say "how many people live in Wales" as the total of the one column of how many live in a place."""
    found = said.find(table.wording("how_many_live"))
    people = population(table) if found else None
    if found is None or people is None or columns.named(found["noun"], table) is not None:
        return None
    note = f"“{found['noun']}” are taken to be `{people}`."
    return said.put(found, found.said("one" if found["who"] else "all", column=people), note)


def per_measured(said: Speech, table: Table) -> Speech | None:
    """Say "per square kilometre" by the one column that is measured in it."""
    found = said.find(table.wording("per_measured"))
    if found is None:
        return None
    own = ((c.name, (c.unit or "").casefold()) for c in table.context.profile.columns)
    fitting = [name for name, unit in own if unit and table.meaning("units_of_measure", unit) == found.meant("unit")]
    if len(fitting) != 1 or not table.context.is_measure(fitting[0]) or is_time(found.meant("unit")):
        return None
    return said.put(found, found.said(column=fitting[0]), f"“{found.text}” is taken to be divided by `{fitting[0]}`.")


_LONGEST_UNIT = 2
"""What ends the name of a population without telling another figure is no longer: `population_m`."""


def population(table: Table) -> str | None:
    """Return the one column of how many people live in a place."""
    context, called, own_words = table.context, table.words("populations"), table.context.column_words
    said = {name: [w for w in words if w in called or len(w) > _LONGEST_UNIT] for name, words in own_words.items()}
    own = [name for name, words in said.items() if words[-1:] and words[-1] in called]
    own = [name for name in own if context.is_measure(name) and not columns.is_planned(name, table)]
    return own[0] if len(own) == 1 else None
