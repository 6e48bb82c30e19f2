"""`activity`: what was decided and done lately, from the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jupyter_mcpgen.card_text import escaped
from jupyter_mcpgen.registry.audit import Action, Entry
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import split_options

MOST_SHOWN = 50

SAID: Mapping[Action, str] = {
    Action.FEEDBACK: "answer accepted",
    Action.READ_AGAIN: "question read again",
    Action.APPROVED: "approved",
    Action.PROMOTED: "live",
    Action.DUPLICATE: "approved, existed already",
    Action.REJECTED: "rejected",
    Action.UNDONE: "approval undone",
    Action.ROLLED_BACK: "rolled back to",
    Action.UNPUBLISHED: "unpublished",
    Action.EXPIRED: "expired",
    Action.REOPENED: "reopened",
    Action.REBUILT: "list rebuilt",
    Action.REGISTER: "offered by a client",
    Action.UPDATE: "new version offered by a client",
    Action.REVOKE: "withdrawn by a client",
    Action.CORRECTED: "JSON corrected",
    Action.ERROR: "error",
    Action.MISSING_CAPABILITY: "question that nothing here answers",
}
"""What each line of the log says, in words."""


def activity(words: Sequence[str], registry: Registry) -> Said:
    """Show the latest entries of the audit log: `activity [NAME]`."""
    (name,) = split_options(words, ()).words or ("",)
    entries = [entry for entry in registry.audit.entries() if name in ("", entry.tool_name)]
    if not entries:
        return Said(text=f"The audit log says nothing about `{name}`." if name else "The audit log is empty.")
    lines = ["| when (UTC) | what | tool | by | note |", "|---|---|---|---|---|"]
    lines += [_row(entry) for entry in reversed(entries[-MOST_SHOWN:])]
    earlier = len(entries) - MOST_SHOWN
    more = [f"{earlier:,} earlier entries are in the log."] if earlier > 0 else []
    return Said(text="\n\n".join(["\n".join(lines), *more]))


def _row(entry: Entry) -> str:
    tool = f"`{entry.tool_name}` {entry.version}" if entry.tool_name else ""
    at = entry.at[:16].replace("T", " ")
    return f"| {at} | {SAID[entry.action]} | {tool} | {escaped(entry.by)} | {escaped(entry.notes or '')} |"
