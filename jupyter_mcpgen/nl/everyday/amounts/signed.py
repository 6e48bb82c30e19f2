"""What stands on both sides of 0: "spending by month", "net cash flow", and sales "excluding returns"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.forms import split_name


def of_money_going_out(said: Speech, table: Table) -> Speech | None:
    """Say "spending" as what stands below 0, told without its sign, and "income" as what stands above it."""
    column = _going_both_ways(table)
    ways = [found for found in said.find_each(table.wording("of_money_going_out")) if not _is_named(found, table)]
    sides = {found.meant("side") for found in ways}
    if column is None or len(sides) != 1:
        return None  # what comes in less what goes out is asked for in other words
    found, side = ways[0], sides.pop()
    figure = found.said(f"figure{side}", column=column)
    way = "which" if found["group"] else "question" if found["who"] else "noun"
    calculated = ("functions", "periods_said", "ends_of_figures")
    plain = not any(said.word_before(found) in table.words(key) for key in calculated)
    told = said.put(
        found, found.said(way, figure=figure, end=found.meant("end") or "", summed="total" if plain else "")
    )
    chart = told.find(table.wording("before_a_chart"))
    asked, drawn = (told.before(chart), told.text[chart.start :]) if chart is not None else (told.text, "")
    text = f"{asked.rstrip(' ?.!')} {found.said(f'chosen{side}', column=column)} {drawn}"
    return told.saying(text, found.said(f"note{side}", said=found.text, column=column))


def of_pieces_taken_back(said: Speech, table: Table) -> Speech | None:
    """Say "excluding returns" by the number of pieces, which is below 0 where they came back."""
    found = said.find(table.wording("of_pieces_taken_back"))
    column = _pieces_both_ways(table) if found is not None else None
    if found is None or column is None or columns.is_of_the_data(found["what"], table):
        return None
    side = found.meant("side")
    note = f"“{found.text}” is taken to be about rows with a `{column}` {'above' if side == '>' else 'below'} 0."
    chosen = found.said(side, column=column)
    return said.saying(f"{said.before(found)} {said.behind(found)} {chosen}", note)


def _pieces_both_ways(table: Table) -> str | None:
    """Return the one column of pieces of which some rows have a number below 0."""
    pieces = table.context.pieces
    ends = [(one.minimum, one.maximum) for one in map(table.context.column, pieces)]
    both = len(ends) == 1 and all(isinstance(end, int | float) for end in ends[0]) and ends[0][0] < 0 < ends[0][1]
    return pieces[0] if both else None


def _is_named(found: Found, table: Table) -> bool:
    """Tell whether a column or a value is called so."""
    return any(columns.is_of_the_data(word, table) for word in split_name(found["side"]))


def _going_both_ways(table: Table) -> str | None:
    """Return the one column of money on both sides of 0 in what looks like an account, and sells no pieces."""
    context, signs = table.context, table.words("signs_of_accounts")
    column = columns.money(table.vocabulary.ranked["money"], table)
    if column is None or context.pieces or context.adds_up(column) is False:
        return None
    ends = context.column(column).minimum, context.column(column).maximum
    if not all(isinstance(end, int | float) for end in ends) or not ends[0] < 0 < ends[1]:
        return None
    told = any(signs & set(own) for own in context.column_words.values()) or signs & context.values.keys()
    return column if told else None
