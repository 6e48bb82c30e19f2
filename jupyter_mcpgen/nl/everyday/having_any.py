"""Rows that have some of a figure, or none: "orders with a discount", "days with no conversions"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.wording import Found


def having_any(said: Speech, table: Table) -> Speech | None:
    """Say "with a discount" as a discount above 0, and "without one" as 0, where the column is never empty."""
    found = said.find(table.wording("having_any"))
    if found is None or (found["several"] and not columns.is_plural(found["several"], table)):
        return None
    what, side = found["what"] or found["several"], "none" if found["none"] else "some"
    if has_a_limit(said, found, table):
        return None
    flag = columns.flag_of(what.casefold(), table) if columns.named(what, table) is None else None
    if flag is not None and side == "some":
        note = f"“{found.text}” is taken to mean that `{flag}` is true."
        return said.put(found, found.said("flag", column=flag), note)
    column = given_or_not(what, table) if side == "some" else _counted_from_zero(what, table)
    if column is None:
        return None
    return said.put(
        found, found.said(side, column=column), f"“{found.text}” is taken to mean `{column}` {_SIDES[side]}."
    )


_SIDES = {"some": "above 0", "none": "of 0"}


def _counted_from_zero(text: str, table: Table) -> str | None:
    """Return the figure that words name, where 0 stands for none of it and no cell is empty."""
    column = columns.measured(text, table)
    known = table.context.column(column) if column else None
    return column if known is not None and known.minimum == 0 and known.nulls == 0 else None


def given_or_not(text: str, table: Table) -> str | None:
    """Return the figure that words name, of which 0 stands for none: also where some cells are empty, for an amount."""
    column = columns.measured(text, table)
    if column is None or table.context.column(column).minimum != 0:
        return None
    own = set(table.context.column_words[column])
    adds_up = table.context.adds_up(column) is True or table.context.counts_things(column)
    return column if adds_up or not table.context.column(column).nulls or own & table.words("given_or_not") else None


def has_a_limit(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether a comparison follows: "with a discount above 10"."""
    behind = said.behind(found).casefold().split()[:2]
    limits = {word for limit in table.words("limits") for word in limit.split()[:1]} | table.words("of_a_figure")
    return any(word in limits or word[:1].isdigit() for word in behind)
