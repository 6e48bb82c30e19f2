"""How commands are typed in a terminal, in texts that are written for notebooks."""

from __future__ import annotations

HERE, IN_A_NOTEBOOK = "jupyter mcpgen ", "%mcpgen "
"""What stands before a command in a terminal, and in the messages that are written for notebooks."""


def as_typed_here(text: str) -> str:
    """Return a message with its commands as a terminal takes them; one that says both ways stays as it is."""
    return text if f"`{HERE}" in text else text.replace(f"`{IN_A_NOTEBOOK}", f"`{HERE}")
