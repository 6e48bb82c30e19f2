"""Which rows a correlation is of: "correlation of score and fee for jobs with a discount"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.things.having_any import given_or_not


def correlated_in_some(said: Speech, table: Table) -> Speech | None:
    """Say "for jobs with a discount" as a condition: it is no third column that is correlated."""
    for found in said.find_each(table.wording("correlated_in_some")):
        before = set(said.before(found).casefold().split())
        noun = columns.named(found["rows"], table)
        rows = columns.is_row(found["rows"], table, table.words("one_row"))
        if not before & table.words("correlating") or not (rows or (noun and table.context.names_rows(noun))):
            continue
        flag = columns.flag_named(found["what"], table, SHORTENED) or columns.flag_of(found.folded("what"), table)
        if flag is not None:
            return said.put(found, found.said("flag", column=flag))
        column = given_or_not(found["what"], table)
        if column is not None:
            note = f"“{found['what']}” is taken to mean `{column}` above 0."
            return said.put(found, found.said("amount", column=column), note)
    return None
