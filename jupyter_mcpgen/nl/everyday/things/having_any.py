"""Rows that have some of a figure, or none: "orders with a discount", "days with no conversions"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.plan.expressions import DateUnit


def having_any(said: Speech, table: Table) -> Speech | None:
    """Say "with a discount" as a discount above 0, and "without one" as 0, where the column is never empty."""
    fitting = (found for found in said.find_each(table.wording("having_any")) if _may_say_so(said, found, table))
    found = next(fitting, None)
    if found is None or has_a_limit(said, found, table):
        return None
    what, side = found["what"] or found["several"] or found["bare"], "none" if found["none"] else "some"
    flag = columns.flag_of(what.casefold(), table) if columns.named(what, table) is None else None
    if flag is not None and side == "some":
        note = f"“{found.text}” is taken to mean that `{flag}` is true."
        return said.put(found, found.said("flag", column=flag), note)
    column = given_or_not(what, table) if side == "some" else _counted_from_zero(what, table)
    if column is None:
        return None
    if side == "none" and _has_rows_of_periods(said.word_before(found), column, table):
        return said.put(found, found.said("none_in_all", column=column), f"“{found.text}” is said of all rows of each.")
    return said.put(
        found, found.said(side, column=column), f"“{found.text}” is taken to mean `{column}` {_SIDES[side]}."
    )


def _may_say_so(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether words say what rows have: several of a thing, or so much of it without an article.

    "Stores with sales by region" only names what is shown, where no figure is asked for.
    """
    if found["several"]:
        return columns.is_plural(found["several"], table)
    if not found["bare"]:
        return True
    before = said.before(found)
    counted = table.asks_for_figure(before) or bool(table.words("rates_said") & set(before.casefold().split()))
    more = table.words("people_of_rows") | (table.words("one_row") if counted else frozenset())
    if not columns.is_row(said.word_before(found), table, more):
        return False
    shown = table.groups(said.behind(found)) and not counted
    return not shown and columns.named(found["bare"], table, columns.STEMMED) is not None


def _has_rows_of_periods(noun: str, column: str, table: Table) -> bool:
    """Tell whether a noun is a period that may have several rows: one week of several campaigns."""
    context, base = table.context, table.context.lexicon.base(noun)
    of_days = context.has_a_row_per_day and m.Unit(DateUnit.START_OF_DAY) in context.lexicon.meanings(base)
    return columns.is_period(base, table) and not of_days and columns.is_summed(column, table)


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
    adds_up = adds_up or bool(own & table.words("children") and table.context.is_measure(column))
    return column if adds_up or not table.context.column(column).nulls or own & table.words("given_or_not") else None


def has_a_limit(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether a comparison follows: "with a discount above 10"."""
    behind = said.behind(found).casefold().split()[:2]
    limits = {word for limit in table.words("limits") for word in limit.split()[:1]} | table.words("of_a_figure")
    return any(word in limits or word[:1].isdigit() for word in behind)
