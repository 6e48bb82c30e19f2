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
        noun = None if noun and table.context.is_measure(noun) else noun
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


def correlated_with_flag(said: Speech, table: Table) -> Speech | None:
    """Say "correlated with survival" of the column: what something is correlated with chooses no rows."""
    for found in said.find_all(table.wording("correlated_with_flag")):
        if not set(said.before(found).casefold().split()) & table.words("correlating"):
            continue
        word, what = found.folded("flag"), found["flag"]
        flag = columns.flag_named(what, table) or columns.flag_of(word, table) or columns.flag_of_event(word, table)
        if flag is not None and not columns.is_row(what, table):
            return said.put(found, found.said(column=flag))
    return None
