"""What the rows of a table are like: "what does a typical order look like", "is any data missing", "first few rows"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.spoken.several import numbers_listed
from jupyter_mcpgen.nl.words.forms import split_name


def typical_row(said: Speech, table: Table) -> Speech | None:
    """Say "what does a typical order look like" as the middle of every column of figures, where each row is one."""
    found = said.find(table.wording("typical_row"))
    if found is None or not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    if columns.repeated_key(found["noun"], table) is not None:
        return None
    listed = numbers_listed(table)
    if listed is None:
        return None
    way = found.meant("typical")
    note = f"“{found['typical']}” is taken to mean the {way} of every column of figures."
    return said.put(found, found.said(f=way, listed=listed, rest=found["rest"]), note)


def any_missing(said: Speech, table: Table) -> Speech | None:
    """Say "is any data missing" as the missing values of every column."""
    found = said.find(table.wording("any_missing"))
    return said.put(found, found.said()) if found is not None else None


def first_few(said: Speech, table: Table) -> Speech | None:
    """Say "the first few rows" as the first five."""
    found = said.find(table.wording("first_few"))
    if found is None or not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    return said.put(found, found.said(), "“few” is taken to mean five.")


def path_of_a_price(said: Speech, table: Table) -> Speech | None:
    """Refuse "max drawdown" and "volatility", where no column is called so: no step follows a price from row to row."""
    found = said.find(table.wording("path_of_a_price"))
    words = split_name(found.text) if found is not None else ()
    if found is None or any(columns.is_of_the_data(word, table) for word in words):
        return None
    return said.refusing(found.said(said=found.text))


def return_of_a_price(said: Speech, table: Table) -> Speech | None:
    """Refuse "cumulative return", which no column holds: it is no request to give something back."""
    found = said.find(table.wording("return_of_a_price"))
    own = {word for name in table.context.column_words for word in split_name(name)}
    if found is None or columns.is_of_the_data(found["word"], table) or found.folded("word") in own:
        return None
    return said.refusing(found.said(said=found.text))


def scaled_how(said: Speech, table: Table) -> Speech | None:
    """Refuse "normalize the price", which may be done in two ways, and say how to ask for each."""
    found = said.find(table.wording("scaled_how"))
    column = columns.named(found["what"], table, SHORTENED) if found is not None else None
    if found is None or column is None or not table.context.is_measure(column):
        return None
    return said.refusing(found.said(said=found.text, column=column))
