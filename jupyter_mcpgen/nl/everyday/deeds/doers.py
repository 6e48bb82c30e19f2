"""Those who did what the rows are about: "visits by patients over 65" are the visits of some, and no groups."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def done_by_aged(said: Speech, table: Table) -> Speech | None:
    """Say "visits by patients over 65" as visits aged over 65, where the rows of a patient tell the age."""
    found = said.find(table.wording("done_by_aged"))
    if found is None or not columns.is_plural(found["noun"], table):
        return None
    key = columns.repeated_key(found["noun"], table)
    ages = [name for name, own in table.context.column_words.items() if table.words("age") & set(own)]
    if key is None or len(ages) != 1 or not persons.names_persons(key, table):
        return None
    return said.put(found, found.said(years=found["years"]), f"“{found.text.strip()}” are taken to be rows of these.")
