"""Which of the cards that wait for a decision is meant, with an id or without."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jupyter_mcpgen.model.candidate import ToolCandidate
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.words import UsageError, split_options

_NAMED = 5
CARD_ID = re.compile(r"[a-z_][a-z0-9_]*-[0-9a-f]{2,}")
"""A card's id or the beginning of one; a word without it is the reason or the note, never a guess at an id."""


def meant(words: Sequence[str], runtime: Runtime, *, decides: bool = True) -> tuple[ToolCandidate, str]:
    """Return the candidate that is meant and the words after it: without an id the latest of this process.

    What `decides` never guesses among several that other processes made.
    """
    typed = split_options(words, ())
    waiting = runtime.registry.staged()
    named = {candidate.spec.tool_name: candidate for candidate in waiting}
    first, rest = (typed.words[0], " ".join(typed.words[1:])) if typed.words else ("", "")
    if CARD_ID.fullmatch(first):
        return runtime.registry.candidate(first), rest
    if first in named:
        return named[first], rest
    if any(first == other.spec.tool_name for other in runtime.registry.candidates()):
        raise UsageError(f"`{first}` has no pending answer. `%mcpgen list` shows the pending ones.")
    here = {candidate.tool_id: candidate for candidate in waiting}
    own = next((here[card_id] for card_id in reversed(runtime.latest_cards) if card_id in here), None)
    if own is None and len(waiting) > 1 and decides:
        raise UsageError(which_one(runtime))
    return own or latest(runtime), typed.text


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
