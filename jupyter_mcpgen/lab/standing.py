"""How the product stands on this machine, in two facts: for a line in JupyterLab's status bar."""

from __future__ import annotations

from typing import Literal

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.opening import open_configured
from jupyter_mcpgen.running_server import status
from jupyter_mcpgen.settings import load_settings, state_folder


class Standing(Record):
    """How many answers and offered tools wait for a decision, and whether the MCP server runs.

    `waiting` is -1, and `server` is unknown, where that cannot be told.
    """

    waiting: int
    server: Literal["running", "stopped", "unknown"]


def standing_now() -> Standing:
    """Return how the product stands now; what is wrong is said by `status` and `doctor`, not here."""
    return Standing(waiting=_waiting(), server=_server())


def _waiting() -> int:
    try:
        return len(open_configured(load_settings().values, indexed=False).staged())
    except McpgenError:
        return -1


def _server() -> Literal["running", "stopped", "unknown"]:
    try:
        return "stopped" if status(state_folder() / "server") is None else "running"
    except McpgenError:
        return "unknown"
