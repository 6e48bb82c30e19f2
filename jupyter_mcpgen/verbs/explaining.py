"""`explain`: the rows of the data behind a figure on a card."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.waiting import latest
from jupyter_mcpgen.verbs.words import UsageError, split_options

SHOWN = 20
"""How many rows are shown; the number of all is said."""
_USAGE = "Which row? `explain [ID] ROW [COLUMN]`, for example `explain 1`. Rows start at 1."


def explain(words: Sequence[str], runtime: Runtime) -> Said:
    """Show the rows behind a row or a cell of a result: `explain [ID] ROW [COLUMN]`. Without an id, the latest card."""
    typed = split_options(words, ()).words
    if not typed:
        raise UsageError(_USAGE)
    if typed[0].isdecimal():
        card_id, rest = latest(runtime).tool_id, typed
    else:
        card_id, rest = runtime.registry.candidate(typed[0]).tool_id, typed[1:]
    if not rest or not rest[0].isdecimal():
        raise UsageError(_USAGE)
    found = runtime.explain(card_id, int(rest[0]), " ".join(rest[1:]) or None)
    count = len(found.rows)
    cut = f" The first {SHOWN} are shown." if count > SHOWN else ""
    stand = "1 row stands" if count == 1 else f"{count:,} rows stand"
    return Said(text=f"{stand} behind it: {found.reading}.{cut}", frame=found.rows.head(SHOWN))
