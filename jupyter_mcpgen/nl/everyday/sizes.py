"""How many people a row is about: "party size", "parties larger than 4", "bill per person", a part of a whole."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED, Context
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import NUMBERS, Speech, Table, any_of
from jupyter_mcpgen.plan.schema import ColumnType

MOST_PEOPLE = 60
"""No party has more people; a larger `size` is one of something else."""


def size_of_a_party(said: Speech, table: Table) -> Speech | None:
    """Say "party size" by the column `size`, which can be nothing else's."""
    found = said.find(rf"\b(?P<noun>{any_of(table.words('parties'))})\s+sizes?\b")
    if found is None or not _has_size(table) or columns.is_known(found["noun"], table.context):
        return None
    return said.put(found, "`size`", f"“{found[0]}” is taken to mean `size`.")


def parties_by_size(said: Speech, table: Table) -> Speech | None:
    """Say "parties larger than 4" as the rows with a `size` of more than 4."""
    found = said.find(
        rf"\b(?P<noun>{any_of(table.words('parties'))})\s+(?:(?:that|which)\s+)?(?:(?:was|were|is|are)\s+)?"
        rf"(?:(?P<side>larger|bigger|greater|smaller)\s+than|of\s+(?P<of>more\s+than|less\s+than|fewer\s+than|at\s+least|at\s+most|exactly)?)\s*(?P<n>{NUMBERS})\b"
        r"(?:\s+(?:people|persons|guests))?"
    )
    if found is None or not _has_size(table) or columns.is_known(found["noun"], table.context):
        return None
    side = (
        "="
        if not (found["side"] or found["of"])
        else found["of"] or ("less than" if found["side"].casefold() == "smaller" else "more than")
    )
    side = "=" if side.casefold() == "exactly" else side
    note = f"Each row is taken to be one of the “{found['noun']}”, with its `size`."
    return said.put(found, f"rows where `size` {side} {found['n']}", note)


def _has_size(table: Table) -> bool:
    """Tell whether a column of whole numbers is called `size`."""
    own = [name for name, words in table.context.column_words.items() if words == ("size",)]
    return len(own) == 1 and own[0] == "size" and table.context.type_of("size") is ColumnType.INTEGER


def per_person(said: Speech, table: Table) -> Speech | None:
    """Say "bill per person" as its sum divided by the number of people, where a column counts them."""
    found = said.find(
        r"(?:\b(?:average|mean|avg)\s+)?\b(?P<what>\w+(?:\s\w+)?)\s+per\s+(?:person|head|guest|diner|member)\b"
    )
    if found is None:
        return None
    context, counted = table.context, table.words("people_counted")
    people = [
        name
        for name, own in context.column_words.items()
        if context.type_of(name) is ColumnType.INTEGER and own and own[-1] in counted and _counts_people(name, context)
    ]
    column = columns.named(found["what"], context, SHORTENED)
    if len(people) != 1 or column is None or not context.is_measure(column) or column == people[0]:
        return None
    note = f"The sum of `{column}` is divided by the sum of `{people[0]}`."
    return said.put(found, f"`{column}` divided by `{people[0]}`", note)


def _counts_people(name: str, context: Context) -> bool:
    """Tell whether a column may count the people of a row: few of them, and in no unit."""
    known = context.column(name)
    return not known.unit and known.maximum is not None and known.maximum <= MOST_PEOPLE


def part_of_another(said: Speech, table: Table) -> Speech | None:
    """Say "tip as a percentage of the bill" as the sum of the one divided by the sum of the other."""
    found = said.find(
        r"(?:\b(?:average|mean|total)\s+)?\b(?P<part>\w+(?:\s\w+)?)\s+as\s+an?\s+(?:percentage|percent|share|proportion|fraction|part)\s+of\s+(?:the\s+)?"
        r"(?P<whole>\w+(?:\s\w+)??)(?=\s*[?.]?$|\s+(?:by|per|for|in|across|on|among|of)\b)"
    )
    if found is None:
        return None
    part, whole = (columns.named(found[key], table.context, SHORTENED) for key in ("part", "whole"))
    measures = [name for name in (part, whole) if name and table.context.is_measure(name)]
    if len(measures) != 2 or part == whole:
        return None
    note = f"The sum of `{part}` is divided by the sum of `{whole}`: 0.25 is 25 %."
    return said.put(found, f"`{part}` divided by `{whole}`", note)
