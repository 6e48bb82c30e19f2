"""Shares whose groups are named: "what percentage of women survived compared to men", "DE share of accounts"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def share_of_each_of_two(said: Speech, table: Table) -> Speech | None:
    """Say "what percentage of women survived vs men" as the share in each of the two groups."""
    for found in said.find_all(table.wording("share_of_each_of_two")):
        one, other = group_called(found["one"], table), group_called(found["other"], table)
        side = side_of(found["did"], table)
        if one is None or other is None or side is None or one[0] != other[0] or one == other or not side[1]:
            continue
        few = table.context.column(one[0]).distinct == 2
        parts = {"flag": side[0], "column": one[0], "first": one[1], "second": other[1]}
        parts["share"] = Term(found.meant("share"))
        note = f"“{found['did']}” is taken to mean that `{side[0]}` is true."
        return said.put(found, found.said("both" if few else "two", **parts), note)
    return None


def group_called(words: str, table: Table) -> tuple[str, str] | None:
    """Return the column and the value that words name, also "women" by the value that stands for them."""
    called = values_called(words, table)
    if called:
        return called[0] if len(called) == 1 else None
    sides = (("women", "female"), ("men", "male"))
    keys = [key for rule, key in sides if words.casefold() in table.words(rule)]
    genders = [name for name, own in table.context.column_words.items() if set(own) & table.words("gender")]
    found = [
        (name, f'"{value}"')
        for name in genders
        for value in table.context.column(name).values
        if keys and str(value).casefold() in table.words(keys[0])
    ]
    return found[0] if len(found) == 1 else None


def share_among_some(said: Speech, table: Table) -> Speech | None:
    """Say "DE share of enterprise accounts" as the share of DE among these, where both are conditions.

    The "DE share of revenue from enterprise accounts" is of their revenue.
    """
    found = said.find(table.wording("share_among_some"))
    values = values_called(found["value"], table) if found is not None else []
    if found is None or len(values) != 1:
        return None
    words = [word.strip("?,.!") for word in found["rest"].split()]
    others = {value.column for word in words for value in table.context.values.get(word.casefold(), ())}
    flagged = any(columns.flag_named(word, table) is not None for word in words)
    if not flagged and not others - {values[0][0]}:
        return None  # the "DE share of revenue" is of all rows
    is_amount = any(_names_a_figure(word, table) for word in words if not columns.is_row(word, table))
    return said.put(found, found.said("amount" if is_amount else "rows", value=values[0][1]))


def _names_a_figure(word: str, table: Table) -> bool:
    money = table.context.lexicon.nouns_of_money
    return columns.measured(word, table) is not None or table.context.plain(word.casefold()) in money
