"""Words of periods that the data has for its own: the "yearly" of a contract, and the "monthly" of `monthly_fee`."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name


def named_with_a_period(said: Speech, table: Table) -> Speech | None:
    """Say "monthly fee" as the column that is called so: no figure is taken for each month then."""
    for found in said.find_all(table.wording("named_with_a_period")):
        words = split_name(found.text)
        called = [name for name in table.context.profile.schema_.names if split_name(name) == words]
        if len(called) == 1:
            return said.put(found, found.said(column=called[0]))
    return None


def period_as_value(said: Speech, table: Table) -> Speech | None:
    """Say "yearly subscribers" by the column that has it as a value; refuse where periods may be meant as well."""
    for found in said.find_all(table.wording("period_as_value")):
        values = table.context.values.get(found.folded("period"), ())
        rows = table.words("persons") | table.words("one_row")
        if not values or not columns.is_row(found["noun"], table, rows):
            continue
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
