"""The one place that knows how ipykernel routes the replies on a comm.

ipykernel 7.4 sends `comm_msg` to the subshell that last published on the comm. A card painted from a cell would pin
its comm to the main shell, so that Approve waits until the running cell ends. With the hook gone, each message goes
to the subshell the page asked for, as in ipykernel 7.1 to 7.3.
"""

from __future__ import annotations

from typing import Any


def answer_while_busy(comm: Any) -> None:
    """Route the messages of a comm by what the page asks for; call it before anything is published on the comm."""
    comm._reply_subshell_for = None
