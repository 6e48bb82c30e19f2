"""`diff`, `rollback`, `unpublish`: the versions of a tool that a person approved."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.card_text import diff_in_markdown
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.serving import what_clients_see
from jupyter_mcpgen.verbs.words import UsageError, split_options

_MOST_COMPARED = 2


def diff(words: Sequence[str], runtime: Runtime) -> Said:
    """Show what changes between two versions of a tool: `diff NAME [VERSION [VERSION]]`."""
    typed = split_options(words, ())
    if not typed.words or len(typed.words) > 1 + _MOST_COMPARED:
        raise UsageError("Which tool? `diff NAME [VERSION [VERSION]]`. `list` shows the names.")
    return Said(text=diff_in_markdown(runtime.diff(*typed.words)))


def rollback(words: Sequence[str], runtime: Runtime) -> Said:
    """Make an earlier version of a tool active again: `rollback NAME [VERSION]`."""
    typed = split_options(words, ())
    if len(typed.words) not in (1, 2):
        raise UsageError("Which tool? `rollback NAME [VERSION]`. `list` shows the names.")
    tool = runtime.rollback(*typed.words)
    return Said(
        text=f"`{tool.name}` v{tool.version} is active. MCP: {what_clients_see(runtime.registry)}. "
        f"The other versions are in the archive: `%mcpgen versions {tool.name}`."
    )


def unpublish(words: Sequence[str], runtime: Runtime) -> Said:
    """Put a tool into the archive: `unpublish NAME`."""
    typed = split_options(words, ())
    if len(typed.words) != 1:
        raise UsageError("Which tool? `unpublish NAME`. `list` shows the names.")
    (name,) = typed.words
    version = runtime.unpublish(name)
    return Said(
        text=f"`{name}` v{version} is no longer active and is kept in the archive. "
        f"To bring it back: `%mcpgen rollback {name}`."
    )
