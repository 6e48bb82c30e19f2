"""By how much one group is higher than another: "how much heavier are A than B", "is the average fee higher in A"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.compared.rivals import groups_of_two
from jupyter_mcpgen.nl.everyday.compared.set_against import shared_column
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found


def how_much_higher(said: Speech, table: Table) -> Speech | None:
    """Say "how much heavier are glass loads than paper loads" as the difference of their average weights."""
    found = said.find(table.wording("how_much_higher"))
    shared = shared_column(found, table) if found is not None else None
    if found is None or shared is None:
        return None
    quality, _ = table.vocabulary.by_adjective[found.folded("adjective")]
    column = columns.ranking(quality.columns, table)
    one, other = (dict(values_called(found[name], table))[shared] for name in ("one", "other"))
    return said.put(found, found.said(column=column, one=one, other=other)) if column is not None else None


def how_much_more_alone(said: Speech, table: Table) -> Speech | None:
    """Say "how much more do express jobs cost" as whether they cost more, which shows both figures."""
    found = said.find(table.wording("how_much_more_alone"))
    if found is None or table.words("than") & set(found["a"].casefold().split()):
        return None
    return said.put(found, found.said("are" if found["adjective"] else "did"))


def higher_on_average(said: Speech, table: Table) -> Speech | None:
    """Say "is the average fee higher in North than in South" as the average of each."""
    for found in said.find_each(table.wording("higher_on_average")):
        column = _compared(found, table)
        both = groups_of_two(found["a"], found["b"], table) if column is not None else None
        if column is not None and both is not None:
            note = f"The average `{column}` of both groups is shown side by side."
            return said.put(found, found.said(column=column, both=both), note)
    return None


def _compared(found: Found, table: Table) -> str | None:
    """Return the column of figures that two groups are compared by: one that is named, or that an adjective is of."""
    if not found["adjective"]:
        return columns.measured(found["what"], table)
    if not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    quality, _ = table.vocabulary.by_adjective[found.folded("adjective")]
    return columns.ranking(quality.columns, table)


def more_of_two(said: Speech, table: Table) -> Speech | None:
    """Say "more cyclists or pedestrians" as the total of each, where both columns say how many there were."""
    for found in said.find_each(table.wording("more_of_two")):
        one, other = (columns.figure(found[name], table) for name in ("one", "other"))
        if one is None or other is None or one == other:
            continue
        if columns.is_summed(one, table) and columns.is_summed(other, table):
            return said.put(found, found.said())
    return None


def how_many_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "how many web and how many phone orders" as the number of each of the two."""
    for found in said.find_each(table.wording("how_many_of_each")):
        words = found["b"].split()
        rows = words[1:] if len(words) > 1 else []
        if rows and not columns.is_row(rows[-1], table, table.words("one_row")):
            continue
        both = groups_of_two(found["a"], words[0], table)
        if both is not None:
            return said.put(found, f"{table.say('number_of_rows')} {both}")
    return None
