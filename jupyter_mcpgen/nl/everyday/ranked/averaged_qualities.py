"""Adjectives of figures that are named: "the longest average wait", "the most consistent agent in resolution hours"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def most_on_average(said: Speech, table: Table) -> Speech | None:
    """Say "which crop yields the most on average" as the one with the highest average."""
    found = said.find(table.wording("most_on_average"))
    if found is None:
        return None
    group = columns.label(found["group"], table) if found["group"] else persons.only_person(table)
    column = measure_of_verb(found.folded("verb"), table)
    if group is None or column is None or column == group:
        return None
    note = f"“{found['verb']} the {found['end']}” is taken to be about `{column}`."
    return said.put(found, found.said(group=group, column=column, end=Term(found.meant("end"))), note)


def quality_of_average(said: Speech, table: Table) -> Speech | None:
    """Say "the longest average wait" as the highest, and "the fastest average time" as the lowest one."""
    for found in said.find_all(table.wording("quality_of_average")):
        if found.folded("word") in table.words("said_of_any_column"):
            continue  # the grammar knows "largest" before an average
        words = found["what"].split()
        sizes = range(len(words), 0, -1)
        column = next((name for n in sizes if (name := columns.measured(" ".join(words[:n]), table))), None)
        if column is None:
            continue
        quality, highest = table.vocabulary.by_adjective[found.folded("word")]
        own = set(table.context.column_words[column])
        lasting = found.folded("word") in table.words("longest_or_shortest")
        if not lasting and not own & {*quality.columns, *quality.opposite}:
            continue  # the fastest average delivery has the fewest days, and the highest speed
        turned = bool(own & set(quality.opposite))
        return said.put(found, found.said(end=Term.HIGHEST if highest is not turned else Term.LOWEST))
    return None


def group_performing(said: Speech, table: Table) -> Speech | None:
    """Say "which class does better in maths" as the one with the highest average of that column."""
    found = said.find(table.wording("group_performing"))
    group = columns.label(found["group"], table) if found else None
    column = columns.figure(found["what"], table) if found else None
    if found is None or group is None or column is None or column == group:
        return None
    note = f"“{found['verb']} {found['end']}” is taken to be about the average `{column}`."
    return said.put(found, found.said(group=group, column=column, end=Term(found.meant("end"))), note)


def most_consistent(said: Speech, table: Table) -> Speech | None:
    """Say "most consistent" as having the smallest standard deviation of the figure that is named."""
    for found in said.find_each(table.wording("most_consistent")):
        group = columns.entity(found["group"], table)
        column = columns.measured(found["what"], table)
        if group is not None and column is not None:
            end = Term(found.meant("end"))
            note = f"“{found['end']}” is taken to mean the {end} standard deviation of `{column}`."
            return said.put(found, found.said(group=group, column=column, end=end), note)
    return None
