"""What happened to each one's rows, said with whose they are first: "each store's returns"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import owner


def events_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "each store's returns" as the rows of each store where `returned` is true."""
    found = said.find(table.wording("events_of_each"))
    each = owner(found["owner"]) if found else None
    noun = found.folded("noun") if found else ""
    if found is None or each is None or table.is_data(noun) or columns.named(noun, table):
        return None
    group, flag = columns.label(each, table), columns.flag_of(noun, table)
    if group is None or flag is None or group == flag or not columns.is_plural(noun, table):
        return None
    if table.context.plain(noun) in table.context.row_nouns:
        return None
    note = f"“{noun}” are taken to be the rows where `{flag}` is true."
    return said.put(found, found.said(column=flag, group=group), note)
