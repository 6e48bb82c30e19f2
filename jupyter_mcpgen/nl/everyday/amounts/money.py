"""Money without the name of its column: "total invoiced", "which plan brings in the most money"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import EXACT
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.words.forms import split_name


def said_of_money(said: Speech, table: Table) -> Speech | None:
    """Say "total invoiced" and "money" by the one column of what the rows are worth."""
    for found in said.find_all(table.wording("said_of_money")):
        word = found.folded("word")
        column = columns.money(table.vocabulary.ranked["money"], table)
        if column is None or _is_named(word, table) or not table.context.is_of_money(column):
            continue
        note = f"“{word}” is taken to be about `{column}`."
        end = Term(found.meant("end")) if found["end"] else None
        way = "figure" if end is None else "by_verb" if found["verb"] else "ranked"
        return said.put(found, found.said(way, column=column, **({} if end is None else {"end": end})), note)
    return None


def pieces_said(said: Speech, table: Table) -> Speech | None:
    """Say "units moved" by the one column of quantities, where no column is called units."""
    found = said.find(table.wording("pieces_said"))
    column = pieces_of(found["piece"], table) if found else None
    if found is None or column is None:
        return None
    if columns.measured(f"{said.word_before(found)} {found['piece']}", table) is not None:
        return None  # the "units" of `damaged_units`
    if columns.measured(found.text, table) not in (None, column):
        return None
    return said.put(found, found.said(column=column), f"“{found.text}” is taken to be `{column}`.")


def part_of_pieces(said: Speech, table: Table) -> Speech | None:
    """Say "what percent of units was wasted" as the wasted units divided by all of them."""
    found = said.find(table.wording("part_of_pieces"))
    whole = pieces_of(found["piece"], table) if found else None
    if found is None or whole is None:
        return None
    context, verb = table.context, found.folded("verb")
    named = [name for name in context.column_words if name != whole and context.is_measure(name)]
    parts = [name for name in named if any(table.akin(verb, word) for word in context.column_words[name])]
    return said.put(found, found.said(part=parts[0], whole=whole)) if len(parts) == 1 else None


def pieces_of(noun: str, table: Table) -> str | None:
    """Return the one column that holds nothing but how many pieces a row is about; None where a column has the noun."""
    if noun.casefold() not in table.words("units_of_pieces"):
        return None
    if columns.named(noun, table) or columns.is_row(noun, table):
        return None
    column = column_of_pieces(table)
    return column if column is not None and set(table.context.column_words[column]) <= table.words("quantity") else None


def column_of_pieces(table: Table) -> str | None:
    """Return the one column that holds how many pieces a row is about: `qty`, or `pieces_made` where there is none."""
    context = table.context
    whole = [name for name in context.pieces if set(context.column_words[name]) <= table.words("quantity")]
    made = [name for name in context.pieces if context.plain(split_name(name)[0]) != split_name(name)[0]]
    found = whole or made  # `scrap_pieces` are a part of them
    return found[0] if len(found) == 1 else None


def _is_named(word: str, table: Table) -> bool:
    """Tell whether a word stands in the data, or in the name of a column as it is."""
    context = table.context
    return word in context.value_parts or EXACT in context.columns_with(word).values()
