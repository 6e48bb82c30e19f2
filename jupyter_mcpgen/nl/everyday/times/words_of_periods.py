"""Words of periods that are values in the data: the "yearly" of a contract."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def period_as_value(said: Speech, table: Table) -> Speech | None:
    """Say "yearly subscribers" by the column that has it as a value; refuse where periods may be meant as well."""
    if (said.text.casefold().split() or [""])[0] in table.words("asks"):
        return None  # "are yearly members older" sets the values side by side
    for found in said.find_all(table.wording("period_as_value")):
        values = table.context.values.get(found.folded("period"), ())
        rows = table.words("persons") | table.words("one_row")
        if not values or not columns.is_row(found["noun"], table, rows):
            continue
        if columns.named(f"{found['period']} {found['noun']}", table) is not None:
            continue  # "monthly charges" are `MonthlyCharges`
        if len(values) > 1:
            named = " / ".join(f"`{value.column}`" for value in values)
            return said.refusing(found.said("which", columns=named, column=values[0].column))
        column, value = values[0].column, values[0].value
        person = table.context.plain(found.folded("noun")) in table.words("persons")
        if not person and table.context.dates:
            return said.refusing(found.said("both", column=column, value=value))
        note = f"“{found['period']}” is taken to be the value of `{column}`, not a period."
        return said.put(found, found.said("value", column=column, value=value), note)
    return None
