"""Two things that rows have, or both lack: "notices with appeal and late fee", "rows missing pulse and weight"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.things.having_any import given_or_not, has_a_limit


def with_both(said: Speech, table: Table) -> Speech | None:
    """Say "with a rush and discount" with the second as a condition, too: it is no figure that is asked for."""
    for found in said.find_each(table.wording("with_both")):
        before = said.before(found).split()
        places = [place for place, word in enumerate(before) if word.casefold() in table.words("having_things")]
        if not places or places[-1] + 1 == len(before) or has_a_limit(said, found, table):
            continue
        head, one = before[: places[-1]], " ".join(before[places[-1] + 1 :])
        while head and head[-1].casefold() in table.words("saying_of_it"):
            head.pop()
        if (
            not head
            or not _are_rows(head[-1], table)
            or any(columns.measured(word, table) for word in head[:-1])
            or not _is_a_condition(one, table)
        ):
            continue
        if columns.flag_named(found["other"], table, SHORTENED) is not None:
            return said.put(found, found.said("flag", other=found["other"]))
        column = given_or_not(found["other"], table)
        if column is not None:
            note = f"“{found['other']}” is taken to mean `{column}` above 0."
            return said.put(found, found.said("amount", column=column), note)
    return None


def _are_rows(noun: str, table: Table) -> bool:
    """Tell whether a noun stands for the rows, also where it names the column of their numbers."""
    column = columns.named(noun, table)
    numbered = column is not None and table.context.names_rows(column)
    return numbered or columns.is_row(noun, table, table.words("one_row"))


def _is_a_condition(text: str, table: Table) -> bool:
    """Tell whether words behind "with" choose rows: a limit, a yes, or "a discount"."""
    words = text.split()
    if any(word[:1].isdigit() for word in words) or words[0].casefold() in table.words("indefinite"):
        return True
    return columns.flag_named(text, table, SHORTENED) is not None or columns.flag_of(text.casefold(), table) is not None


def missing_both(said: Speech, table: Table) -> Speech | None:
    """Say "missing pulse and weight" as the rows where both are missing."""
    for found in said.find_each(table.wording("missing_both")):
        one, other = columns.named(found["one"], table, SHORTENED), columns.named(found["other"], table, SHORTENED)
        head = said.before(found).split()
        rows = not head or _are_rows(head[-1], table)
        if other is None or one == other or not rows or "," in said.text:
            continue
        if one is None:
            several = any(table.context.columns_with(table.context.plain(word)) for word in found["one"].split())
            return said.refusing(found.said("open", said=found.text)) if several else None
        return said.put(found, found.said("of_rows" if head else "alone", one=one, other=other))
    return None
