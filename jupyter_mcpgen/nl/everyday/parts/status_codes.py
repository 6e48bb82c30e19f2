"""Answers of a server by their codes: "error rate", "5xx errors by path", "share of 404s"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term

FIRST_CODE, LAST_CODE = 100, 599
"""Between which numbers such codes lie."""


def errors_by_code(said: Speech, table: Table) -> Speech | None:
    """Say "server errors" as the rows whose code is at least 500, and "error rate" as their share."""
    column = _codes(table)
    if column is None or table.context.columns_with("error") or "error" in table.context.value_parts:
        return None
    for found in said.find_each(table.wording("errors_by_code")):
        kind = found.meant("kind") or found.meant("errors")
        low, high = (found["code"], found["code"]) if found["code"] else kind.split("-")
        way = "one" if low == high else "between" if int(high) < LAST_CODE else "from"
        condition = found.said(way, column=column, low=low, high=high)
        note = f"“{found.text}” is taken to mean `{column}` {low if low == high else f'{low} to {high}'}."
        asks = "rate" if found["rate"] else "counted" if found["counted"] else "rows"
        share = Term("share" if table.groups(said.behind(found)) else "percentage")
        return said.put(found, found.said(asks, condition=condition, counted=found["counted"], share=share), note)
    return None


def _codes(table: Table) -> str | None:
    """Return the one column of codes by which a server answers requests."""
    context = table.context
    called = [name for name, own in context.column_words.items() if set(own) & table.words("called_codes")]
    fitting = []
    for name in (one for one in called if context.is_number(one)):
        known = context.column(name)
        low, high = known.minimum, known.maximum
        if isinstance(low, int) and isinstance(high, int) and FIRST_CODE <= low <= high <= LAST_CODE:
            fitting.append(name)
    return fitting[0] if len(fitting) == 1 else None
