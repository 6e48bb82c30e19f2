"""What is left out with a noun behind it: "excluding council trees and Hillcrest" leaves out both."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.stored_values import value_words


def left_out_things(said: Speech, table: Table) -> Speech | None:
    """Say "excluding council trees and Hillcrest" without the noun, which would end what is left out."""
    for found in said.find_each(table.wording("left_out_things")):
        if not _is_value(found["value"], table) or table.is_data(f"{found['value']} {found['noun']}"):
            continue
        noun = found.folded("noun")
        if columns.is_row(noun, table, table.words("one_row")) or _names_an_id(noun, table):
            return said.put(found, found.said())
    return None


def _is_value(text: str, table: Table) -> bool:
    return " ".join(value_words(text)) in table.context.values


def _names_an_id(noun: str, table: Table) -> bool:
    """Tell whether a plural noun stands for what an identifier tells apart."""
    column = columns.entity(noun, table)
    return column is not None and columns.is_plural(noun, table)
