"""One session: what a person sees of it, what it holds, and what its id may be."""

from __future__ import annotations

import re
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field

from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Workspace
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason
from jupyter_mcpgen.sandbox.fuel.analysis import ImportHistory
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.sessions.cells import Interpreter
from jupyter_mcpgen.sandbox.sessions.files import Files

LONGEST_ID = 64
_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_ID}}}", re.ASCII)
_WORKSPACE_BYTES = 256 * 1024 * 1024
_LOST = (
    "A fresh interpreter was started: the variables were lost in the run before ({why}); the files are as they were."
)

_LEFT = "the code ended the interpreter itself"


def valid_session_id(value: object) -> str | None:
    """Return an id that may be used, `""` for no session as it was given, and `None` for none or a bad one."""
    if value == "":
        return ""
    return value if isinstance(value, str) and _ID.fullmatch(value) else None


@dataclass(frozen=True)
class SessionInfo:
    """What a person sees of a session; times are in seconds since it was made or used."""

    session_id: str
    language: str
    runtime: RuntimeKind
    keeps_state: bool
    keeps_file: bool
    runs: int
    age_seconds: float
    idle_seconds: float
    is_busy: bool


@dataclass
class Session:
    """One session; its lock is held while it works."""

    session_id: str
    language: str
    runtime: RuntimeKind
    keeps_state: bool
    keeps_file: bool
    limits: ExecutionLimits
    workspace: Workspace
    cleanup: ExitStack
    made: float
    used: float
    runs: int = 0
    is_gone: bool = False
    lost_because: str | None = None
    interpreter: Interpreter | None = None
    running: Cancellation | None = None
    history: ImportHistory = field(default_factory=ImportHistory)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def files(self) -> Files:
        """Return the files of the workspace."""
        return Files(self.workspace.folder, self.workspace.user, _WORKSPACE_BYTES)

    def lose(self, ended: Execution, *, at_rest: bool = False) -> None:
        """Remember why the variables are lost, for the note on the next run; what a file keeps is not lost."""
        if not self.keeps_file:
            left = ended.exit_code == 0 and ended.reason in (Reason.FINISHED, Reason.KILLED)
            told = _LEFT if left else ended.reason.value.replace("_", " ")
            self.lost_because = f"{told}, once it had answered" if at_rest else told

    def take_loss(self) -> tuple[str, ...]:
        """Return the note on variables that were lost, once."""
        why, self.lost_because = self.lost_because, None
        return () if why is None else (_LOST.format(why=why),)

    def stop(self) -> None:
        """End the interpreter, if there is one; from the thread that holds the lock."""
        self.history = ImportHistory(kept=self.keeps_state)
        if self.interpreter is not None:
            interpreter, self.interpreter = self.interpreter, None
            interpreter.close()
