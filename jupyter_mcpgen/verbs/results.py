"""`result` and `code`: all rows of an answer, and how it is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.waiting import latest
from jupyter_mcpgen.verbs.words import UsageError, split_options


def result(words: Sequence[str], runtime: Runtime) -> Said:
    """Give every row of an answer: `result [ID]`. Without an id, of the latest one."""
    card = _card(split_options(words, ()).words, runtime, "result")
    frame = runtime.results.whole(card).copy()
    count = "1 row" if len(frame) == 1 else f"{len(frame):,} rows"
    return Said(text=f"{count}: {card.reading}.", frame=frame)


def code(words: Sequence[str], runtime: Runtime, variables: Mapping[str, object]) -> Said:
    """Show how an answer is computed in a cell, in pandas or in SQL: `code [ID] [--sql]`."""
    typed = split_options(words, (), flags=("sql",))
    card = _card(typed.words, runtime, "code")
    plain = runtime.plain_code(card.card_id, variables)
    if "sql" not in typed.options:
        return Said(code=plain.pandas)
    return Said(text=plain.no_sql, code=plain.sql)


def _card(words: Sequence[str], runtime: Runtime, verb: str) -> Card:
    if len(words) > 1:
        raise UsageError(f"`{verb}` takes one id or the name of a tool, so remove `{' '.join(words[1:])}`.")
    if words:
        return runtime.card_named(words[0])
    return runtime.card(runtime.latest_cards[-1] if runtime.latest_cards else latest(runtime).tool_id)
