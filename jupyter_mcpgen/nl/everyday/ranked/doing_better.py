"""Who does better at what a column says: "which variant converts better", "who opened the most issues"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def does_better(said: Speech, table: Table) -> Speech | None:
    """Say "which variant converts better" as the group with the highest share of rows that do, "pays best" by pay."""
    found = said.find(table.wording("does_better"))
    group = columns.label(found["group"], table) or columns.entity(found["group"], table) if found else None
    if found is None or group is None:
        return None
    verb, end = found.folded("verb"), found.meant("end")
    flag = columns.flag_of(verb, table)
    if flag is not None and flag != group:
        note = f"“{found['verb']} {found['end']}” is taken to be about the share of rows where `{flag}` is true."
        return said.put(found, found.said(end, column=flag, group=group), note)
    column = measure_of_verb(verb, table) if flag is None else None
    if column is None or verb in table.words("trading"):
        return None  # what sells best may be told by pieces, or by money
    figure = table.say("total" if columns.is_summed(column, table) else "average_of", column=column)
    note = f"“{found['verb']} {found['end']}” is taken to be about the {figure} of each `{group}`."
    return said.put(found, found.said(f"{end}_figure", figure=figure, group=group), note)


def who_did_it_by(said: Speech, table: Table) -> Speech | None:
    """Say "who opened the most issues" of `Opened By`, beside the date on which they were."""
    found = said.find(table.wording("who_did_it_by"))
    if found is None or not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    verb, by, own = found.folded("verb"), table.words("by_whom"), table.context.column_words
    named = [name for name, words in own.items() if len(words) > 1 and words[-1] in by and table.akin(words[0], verb)]
    return said.put(found, found.said(column=named[0])) if len(named) == 1 else None
