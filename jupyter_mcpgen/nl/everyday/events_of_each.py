"""What happened to each one's rows, said with whose they are first: "each store's returns"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table

_OWNED = re.compile("['’]s$")


def events_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "each store's returns" as the rows of each store where `returned` is true."""
    found = said.find(table.wording("events_of_each"))
    owner = _OWNED.sub("", found["owner"]) if found else ""
    noun = found.folded("noun") if found else ""
    if found is None or owner == found["owner"] or table.is_data(noun) or columns.named(noun, table):
        return None
    group, flag = columns.label(owner, table), columns.flag_of(noun, table)
    if group is None or flag is None or group == flag or not columns.is_plural(noun, table):
        return None
    if table.context.plain(noun) in table.context.row_nouns:
        return None
    note = f"“{noun}” are taken to be the rows where `{flag}` is true."
    return said.put(found, found.said(column=flag, group=group), note)
