"""Losses, profits and margins said without their column: "products that lost money", "profit margin by category"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl.context import SHORTENED, Context
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table, any_of

_LEAD = (
    r"^(?P<how>how\s+many\s+|number\s+of\s+)?(?:(?:which|what|list|show|find)\s+(?:me\s+)?)?"
    r"(?:all\s+)?(?:of\s+)?(?:the\s+)?"
)
_WHO = r"(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*)??)"
_JOIN = r"(?:(?:that|which|who)\s+)?(?:(?:are|were|is|was|have|has|had|did|do|ran|run|sold|operate|operated|ended)\s+)?"


def lost_or_made_money(said: Speech, table: Table) -> Speech | None:
    """Say "which products lost money" as those with a total profit below 0."""
    context = table.context
    column = _gain(table)
    if column is None:
        return None
    losing, gaining = table.words("losing"), table.words("gaining")
    verbs = any_of(losing | gaining)
    adjectives = any_of(table.words("losing_what") | table.words("gaining_what"))
    found = said.find(rf"{_LEAD}{_WHO}\s+{_JOIN}(?P<said>{verbs})\b(?P<rest>.*?)[?.]?$") or said.find(
        rf"{_LEAD}(?P<said>{adjectives})\s+{_WHO}\b(?P<rest>.*?)[?.]?$"
    )
    if found is None:
        return None
    noun, word = found["noun"], found["said"].casefold()
    side = "less" if word in losing | table.words("losing_what") else "more"
    note = f"“{found['said']}” is taken to mean that `{column}` is {'below' if side == 'less' else 'above'} 0."
    return _chosen(
        said, noun, f"`{column}` {side} than 0", found["rest"], counts=bool(found["how"]), note=note, context=context
    )


def negative(said: Speech, table: Table) -> Speech | None:
    """Say "products with a negative profit" as those with a total profit below 0."""
    found = said.find(
        rf"{_LEAD}{_WHO}\s+(?:(?:that|which|who)\s+)?(?:have|has|had|with)\s+(?:an?\s+)?"
        r"(?P<sign>negative|positive)\s+(?P<what>[\w ]+?)"
        r"(?P<rest>\s+(?:in|by|per|for|during|since|on|from)\b.*?)?[?.]?$"
    )
    column = columns.named(found["what"], table.context, SHORTENED) if found else None
    if found is None or column is None or not table.context.is_measure(column):
        return None
    side = "less" if found["sign"].casefold() == "negative" else "more"
    text = f"`{column}` {side} than 0"
    return _chosen(
        said, found["noun"], text, found["rest"] or "", counts=bool(found["how"]), note="", context=table.context
    )


def _chosen(
    said: Speech, noun: str, condition: str, rest: str, *, counts: bool, note: str, context: Context
) -> Speech | None:
    """Choose rows, or groups by their total, by a condition on a column."""
    group = columns.entity(noun, context)
    if group is None:
        if not columns.is_row(noun, context, frozenset()):
            return None
        return said.saying(f"{'number of' if counts else ''} rows where {condition} {rest}", note)
    text = f"`{group}` with total {condition} {rest}"
    return said.saying(
        f"number of groups of {text}" if counts else text,
        note,
        f"`{condition.split('`')[1]}` is added up for each `{group}`.",
    )


def _gain(table: Table) -> str | None:
    """Return the column of what was gained, which is negative where something was lost."""
    column = columns.money(
        table.vocabulary.ranked["gain"], frozenset({"unit", "per", "rate", "percent", "margin"}), table.context
    )
    lowest = table.context.column(column).minimum if column else None
    return column if isinstance(lowest, int | float) and lowest < 0 else None


def margin(said: Speech, table: Table) -> Speech | None:
    """Say "profit margin" as the profit divided by the sales, where no column holds it."""
    found = said.find(r"(?:\b(?:average|mean|overall|total)\s+)?\bprofit\s+margins?\b")
    own = table.context.column_words.values()
    if found is None or any("margin" in words for words in own):
        return None
    gain = columns.money(("profit",), frozenset({"unit", "per", "rate", "percent"}), table.context)
    whole = columns.money(("revenue", "sale", "sales", "turnover"), table.words("money_not"), table.context)
    if gain is None or whole is None:
        return None
    note = f"“{found[0]}” is taken to mean the sum of `{gain}` divided by the sum of `{whole}`."
    return said.put(found, f"`{gain}` divided by `{whole}`", note)


def taken_in(said: Speech, table: Table) -> Speech | None:
    """Say "revenue" and "sales" as the one column of what rows are worth, where it is called an amount or a total."""
    found = said.find(rf"\b(?P<word>{any_of(table.words('takings'))})\b(?!\s+(?:rows|table|data)\b)")
    if found is None or _is_taken(found["word"], table):
        return None
    column = columns.money(("amount", "total", "value"), table.words("money_not") | {"cost", "price"}, table.context)
    if column is None or table.context.adds_up(column) is False:
        return None
    return said.put(found, f"`{column}`", f"“{found['word']}” is taken to be `{column}`.")


def most_taken_in(said: Speech, table: Table) -> Speech | None:
    """Say "highest sales" and "sales in 2023" of that column even where the rows are called sales."""
    words = any_of(table.words("takings"))
    if said.find(rf"\b(?:highest|lowest|total|average|mean|best)\s+(?:{words})\b") is not None:
        return taken_in(said, table)
    found = said.find(
        rf"^(?:what\s+(?:were|was)\s+)?(?:the\s+)?(?:{words})\s+(?=(?:in|during|for|between|since|from)\b)"
    )
    taken = taken_in(said, table) if found is not None else None
    return Speech(f"total {taken.text}", taken.notes) if taken is not None else None


def _is_taken(word: str, table: Table) -> bool:
    """Tell whether a column or value is called by a word."""
    context = table.context
    return table.is_data(word) or bool(context.columns_with(context.plain(word.casefold())))


def selling(said: Speech, table: Table) -> Speech | None:
    """Say "best selling products" as the first of them by what was sold, where their column is `product_name`."""
    found = said.find(
        rf"^(?:(?:which|what)\s+(?:are|were|is|was)\s+|show\s+(?:me\s+)?|list\s+)?(?:the\s+)?(?:top\s+)?(?:(?P<n>\d{{1,3}})\s+)?"
        rf"(?P<word>{any_of(frozenset(_ends(table)))})\s+{_WHO}(?P<rest>\s+(?:in|by|per|for|during|since|on|from)\b.*?)?[?.]?$"
    )
    group = columns.entity(found["noun"], table.context) if found else None
    if found is None or group is None or columns.label(found["noun"], table.context):
        return None
    ends = _ends(table)[found["word"].casefold()]
    column = columns.ranking(ends[1], table.context)
    if column is None:
        return None
    many = re.search(r"s$", found["noun"]) is not None
    figure = "average" if table.context.adds_up(column) is False else "total"
    note = f"“{found['word']}” is taken to mean the {ends[0]} {figure} `{column}`."
    if found["n"] or many:
        end = "top" if ends[0] == "highest" else "bottom"
        return said.saying(f"{end} {found['n'] or 10} `{group}` by {figure} `{column}` {found['rest'] or ''}", note)
    return said.saying(f"which `{group}` has the {ends[0]} {figure} `{column}` {found['rest'] or ''}", note)


def _ends(table: Table) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return adjectives of what sells and pays, with their end and the words of their columns."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for quality in table.vocabulary.qualities:
        if {"sales", "profit"} & set(quality.columns):
            found |= dict.fromkeys(quality.highest, ("highest", quality.columns))
            found |= dict.fromkeys(quality.lowest, ("lowest", quality.columns))
    return found
