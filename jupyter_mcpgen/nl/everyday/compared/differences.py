"""By how much one figure of a row lies above another: "actual cost more than 100 above estimate"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.parts.percent_limits import MOST_WORDS
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def further_than(said: Speech, table: Table) -> Speech | None:
    """Say "cost is more than 100 above estimate" as the cost less the estimate, above 100."""
    for found in said.find_all(table.wording("further_than")):
        other = _figure(found["what"], table)
        before = said.before(found).split()
        while before and before[-1].casefold() in table.words("be"):
            before.pop()
        sizes = range(min(MOST_WORDS, len(before)), 0, -1)
        named = ((size, columns.measured(" ".join(before[-size:]).strip("`"), table)) for size in sizes)
        size, one = next(((size, name) for size, name in named if name is not None), (0, None))
        if one is None or other is None or one == other:
            continue
        head = before[: len(before) - size]
        first, second = (one, other) if found.meant("way") == ">" else (other, one)
        parts = {"first": first, "second": second, "side": found.meant("side"), "n": found["n"]}
        way = "alone" if not head else "rows" if columns.is_row(head[-1], table, table.words("one_row")) else "led"
        return said.saying(f"{' '.join(head)} {found.said(way, **parts)} {said.behind(found)}")
    return None


def _figure(text: str, table: Table) -> str | None:
    """Return the figure that words name, or the one that is called after what one of them does: "estimate"."""
    column = columns.measured(text, table)
    if column is not None or " " in text:
        return column
    own = table.context.column_words
    fitting = [
        name for name in own if columns.is_figure(name, table) and any(table.akin(text, word) for word in own[name])
    ]
    return fitting[0] if len(fitting) == 1 else None
