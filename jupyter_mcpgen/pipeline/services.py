"""What the transactions work with, put together once by `runtime`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.authors.author import Author
from jupyter_mcpgen.model.event import Listener
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.sandbox.service import Sandbox


@dataclass(frozen=True)
class Services:
    """The parts that every hop may use; time and ids come from outside, so that a test can fix them.

    `workspace` is a folder of ours for drafts and snapshots, outside the registry.
    """

    registry: Registry
    sandbox: Sandbox
    author: Author
    workspace: Path
    limits: Limits
    most_rows: int
    most_columns: int
    clock: Callable[[], str]
    seconds: Callable[[], float]
    new_id: Callable[[], str]
    announce: Listener
