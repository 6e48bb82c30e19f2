"""Which of the cards that wait for a decision is meant, when no id was typed."""

from __future__ import annotations

from jupyter_mcpgen.model.candidate import ToolCandidate
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.words import UsageError

_NAMED = 5


def latest(runtime: Runtime) -> ToolCandidate:
    """Return the latest card that waits, for what looks and decides nothing; raises `UsageError` if none does."""
    waiting = runtime.registry.staged()
    if not waiting:
        raise UsageError("No answer is pending. Ask a question first.")
    return waiting[0]


def which_one(runtime: Runtime) -> str:
    """Ask for an id: the latest cards that wait, each with what it shows."""
    waiting = runtime.registry.staged()
    named = "\n".join(f"- `{each.tool_id}`: {runtime.card(each.tool_id).reading}" for each in waiting[:_NAMED])
    more = "" if len(waiting) <= _NAMED else f"\n\n{len(waiting) - _NAMED} more are pending; `%mcpgen list` shows all."
    return (
        f"{len(waiting)} answers are pending. Which one? Add its id, as in `%mcpgen approve ID`. "
        f"Newest:\n\n{named}{more}"
    )
