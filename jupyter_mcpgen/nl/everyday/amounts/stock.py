"""What is on hand: "out of stock", "do we still have on hand", "stock value per depot"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found


def in_stock(said: Speech, table: Table) -> Speech | None:
    """Say "out of stock" as nothing on hand, where one column counts what is."""
    found = said.find(table.wording("in_stock"))
    column = _held(table) if found and not table.is_data(found.text) else None
    if found is None or column is None:
        return None
    way = found.meant("state") if found["state"] else "in"
    note = f"“{found.text}” is taken to mean `{column}` {'of 0' if way == 'out' else 'above 0'}."
    rest = f"{said.before(found)} {said.behind(found)}".strip(" ?.!")
    return said.saying(f"{rest} {found.said(way, column=column)}", note)


def to_be_reordered(said: Speech, table: Table) -> Speech | None:
    """Say "items that need reordering" as those of which less is on hand than the level at which that is done."""
    found = said.find(table.wording("to_be_reordered"))
    held, own = _held(table) if found else None, table.context.column_words
    levels = [name for name, words in own.items() if set(words) & table.words("reorder_levels")]
    levels = [name for name in levels if table.context.is_measure(name)]
    if found is None or held is None or len(levels) != 1:
        return None
    note = found.said("note", said=found.text, column=held, level=levels[0])
    return said.put(found, found.said("below", column=held, level=levels[0]), note)


def stock_value(said: Speech, table: Table) -> Speech | None:
    """Say "stock value" as what is on hand times what a piece costs, or its price where no cost is told."""
    found = said.find(table.wording("stock_value"))
    column = _counted(found, table) if found else None
    own = {name: set(words) for name, words in table.context.column_words.items() if table.context.is_measure(name)}
    at_price = found is not None and bool(found["at_price"])
    costs = [] if at_price else [name for name, words in own.items() if words & table.words("costs")]
    prices = costs or [name for name, words in own.items() if words & table.words("price")]
    if found is None or column is None or len(prices) != 1 or columns.named(found.text, table) is not None:
        return None
    note = f"“{found.text}” is taken to be `{column}` times `{prices[0]}`."
    way = "figure" if said.word_before(found) in table.words("functions") else "total"
    return said.put(found, found.said(way, column=column, price=prices[0]), note)


def _counted(found: Found, table: Table) -> str | None:
    """Return the column that counts the pieces that are named, or what is on hand."""
    if not found["pieces"]:
        return _held(table)
    column = columns.figure(found["pieces"], table)
    return column if column in table.context.pieces else None


def _held(table: Table) -> str | None:
    """Return the one column that counts what is on hand; no level that is planned is one."""
    own = table.context.column_words
    held = [name for name, words in own.items() if set(words) & table.words("held") and table.context.is_measure(name)]
    held = [name for name in held if not set(own[name]) & table.words("stock_plans")]
    return held[0] if len(held) == 1 else None
