"""Limits without the name of their column: "homes over a million", "pupils below 50 in reading", "negative profit"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name


def number_in_words(said: Speech, table: Table) -> Speech | None:
    """Say "over a million" with the number in digits."""
    found = said.find(table.wording("number_in_words"))
    if found is None or table.is_data(found.text):
        return None
    number = float(found["m"] or found.meant("times") or 1) * int(found.meant("scale"))
    return said.put(found, found.said(n=f"{number:.0f}"))


def rows_over(said: Speech, table: Table) -> Speech | None:
    """Say "homes over 500000" by the one column of what a row costs, where the number can be one of its values."""
    for found in said.find_all(table.wording("rows_over")):
        noun = found.folded("noun")
        if not columns.is_row(noun, table) or table.context.plain(noun) in table.words("persons"):
            continue
        column = columns.worth_of_a_row(noun, table) or columns.money(table.vocabulary.ranked["money"], table)
        amount = _number(found["n"])
        if column is None or amount is None or not _spans(column, amount, table):
            continue
        note = f"What is {found['side']} {found['n']} is taken to be `{column}`."
        return said.put(found, found.said(column=column, side=found.meant("side")), note)
    return None


def limit_in_a_column(said: Speech, table: Table) -> Speech | None:
    """Say "students below 50 in reading" with the column before its limit."""
    for found in said.find_all(table.wording("limit_in_a_column")):
        column = columns.figure(found["what"], table)
        if column is not None and columns.is_row(found["noun"], table, table.words("one_row") | table.words("persons")):
            return said.put(found, found.said(column=column, side=found.meant("side")))
    return None


def limit_behind_its_column(said: Speech, table: Table) -> Speech | None:
    """Say "quakes above magnitude 4" with the limit behind its column."""
    for found in said.find_all(table.wording("limit_behind_its_column")):
        column = columns.figure(found["what"], table)
        if column is None or table.context.is_code(column) or columns.last_figure(said.word_before(found), table):
            continue
        return said.put(found, found.said(column=column, side=found.meant("side")))
    return None


def number_or_more(said: Speech, table: Table) -> Speech | None:
    """Say "2.5 baths or more" as at least 2.5 of them."""
    for found in said.find_all(table.wording("number_or_more")):
        column = columns.figure(found["what"], table)
        if column is not None:
            return said.put(found, found.said(column=column, side=found.meant("side")))
    return None


def with_a_sign(said: Speech, table: Table) -> Speech | None:
    """Say "with a negative profit" as below 0."""
    found = said.find(table.wording("with_a_sign"))
    column = columns.figure(found["what"], table) if found else None
    if found is None or column is None or table.is_data(found["sign"]):
        return None
    return said.put(found, found.said(column=column, side=found.meant("sign")))


def usual_unit(said: Speech, table: Table) -> Speech | None:
    """Say "an arrival delay over 30 minutes" without the unit, where delays are told in minutes unless it is said."""
    for found in said.find_all(table.wording("usual_unit")):
        column = columns.figure(found["what"], table)
        if column is None or table.context.column(column).unit or table.context.column(column).role is Role.IDENTIFIER:
            continue
        if not set(split_name(column)) & table.words("told_in_minutes"):
            continue
        note = f"`{column}` names no unit; its numbers are taken to be minutes."
        return said.put(found, found.said(column=column, side=found.meant("side")), note)
    return None


def late_by(said: Speech, table: Table) -> Speech | None:
    """Say "delayed more than 30 minutes" by the column of delays; of two of them, one has to be named."""
    found = said.find(table.wording("late_by"))
    if found is None or table.is_data(found["late"]):
        return None
    measures = [name for name in table.context.column_words if table.context.is_measure(name)]
    delays = [name for name in measures if set(split_name(name)) & table.words("told_in_minutes")]
    way = found.folded("way")
    if way:
        same = {other for group in table.vocabulary.same_event if way in group for other in group} | {way}
        delays = [name for name in delays if same & set(split_name(name))]
    if len(delays) > 1:
        about = found.said("which", said=found["late"], columns=" or ".join(f"`{name}`" for name in delays))
        limits = (found.said("limit", column=name, side=found.meant("side")) for name in delays)
        return said.asking_back(about, *(said.put(found, limit).text for limit in limits))
    if not delays or table.context.column(delays[0]).unit:
        return None
    note = f"“{found['late']}” is taken to be about `{delays[0]}`, in minutes."
    return said.put(found, found.said("limit", column=delays[0], side=found.meant("side")), note)


def _number(text: str) -> float | None:
    digits = text.replace(",", "").casefold()
    plain = digits.removesuffix("k")
    return float(plain) * (1 if plain == digits else 1_000) if plain.replace(".", "", 1).isdecimal() else None


def _spans(column: str, amount: float, table: Table) -> bool:
    """Tell whether a number lies among those of a column, so that it may be a limit of them."""
    known = table.context.column(column)
    ends = [end for end in (known.minimum, known.maximum) if isinstance(end, int | float)]
    return len(ends) == len(("from", "to")) and ends[0] <= amount <= ends[1]
