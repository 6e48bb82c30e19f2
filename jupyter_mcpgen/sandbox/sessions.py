"""Sessions: a workspace that stays, and for Python and JavaScript an interpreter that keeps its variables.

A session belongs to the owner who made it; for anybody else it does not exist. Every interpreter is a confined process
of its own, so nothing of one session reaches another. A timeout or a limit ends the interpreter, which is told; files
stay until the session is destroyed or was idle for too long.
"""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace

from jupyter_mcpgen.errors import SandboxError, SessionError, UnknownSession
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.cells import Cell, FuelLimit, Interpreter
from jupyter_mcpgen.sandbox.execution import (
    Execution,
    ExecutionLimits,
    Executor,
    Reason,
    Status,
    Workspace,
    cancelled,
    effective_limits,
    setup_error,
    unsupported,
)
from jupyter_mcpgen.sandbox.fuel import ImportHistory
from jupyter_mcpgen.sandbox.languages import LANGUAGES
from jupyter_mcpgen.sandbox.loops import loop_for
from jupyter_mcpgen.sandbox.session_files import FileEntry, Files

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_WORKSPACE_BYTES = 256 * 1024 * 1024
_LOOK_SECONDS = 0.1
_LOST = (
    "A fresh interpreter was started: the variables were lost in the run before ({why}); the files are as they were."
)
_IN_THE_FILE = "What the state file held before this run is read again in the next one; the files are kept."
_DESTROYED = "The session was destroyed while this ran."
_WILL_BE_LOST = "The session's variables are lost; its files are kept."


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
    keeps_state: bool
    keeps_file: bool
    runs: int
    age_seconds: float
    idle_seconds: float
    is_busy: bool


@dataclass
class _Session:
    """One session; its lock is held while it works."""

    session_id: str
    language: str
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


class Sessions:
    """All sessions of one host; used by several threads, each session by one at a time."""

    def __init__(
        self,
        executor: Executor | None = None,
        *,
        idle_seconds: float = 3600,
        most_per_owner: int = 8,
        demand_uuids: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._executor = executor or Executor()
        self._idle_seconds = idle_seconds
        self._most_per_owner = most_per_owner
        self._demand_uuids = demand_uuids
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: dict[tuple[str, str], _Session] = {}

    def create(
        self,
        owner: str,
        language: str = "python",
        session_id: str | None = None,
        *,
        keep_state: bool = True,
        keep_file: bool = False,
        limits: ExecutionLimits | None = None,
    ) -> SessionInfo:
        """Make a session; raises `SessionError` for a bad or taken id, and when its language cannot be run here.

        With `keep_file` the variables that JSON can say are also kept in a file, which outlives the interpreter.
        """
        if language not in LANGUAGES:
            raise SessionError(unsupported(language))
        chosen = self._chosen_id(session_id)
        missing = self._executor.sandbox.missing()
        if missing is not None:
            raise SessionError(f"No sandbox here can confine a session: {missing}.")
        toolchain = self._executor.toolchain(LANGUAGES[language])
        self.expire()
        with self._lock:
            self._require_room(owner, chosen)
            user = self._executor.user_for(toolchain)
            cleanup = ExitStack()
            folder = cleanup.enter_context(self._executor.sandbox.scratch(user))
            now = self._clock()
            has_loop = loop_for(language) is not None
            session = self._sessions[owner, chosen] = _Session(
                session_id=chosen,
                language=language,
                keeps_state=keep_state and has_loop,
                keeps_file=keep_file and has_loop,
                limits=limits or ExecutionLimits(),
                workspace=Workspace(folder, user),
                cleanup=cleanup,
                made=now,
                used=now,
                history=ImportHistory(kept=keep_state and has_loop),
            )
        return self._info(session)

    def list(self, owner: str) -> tuple[SessionInfo, ...]:
        """Return the owner's sessions, the oldest first."""
        self.expire()
        with self._lock:
            own = [session for (belongs_to, _), session in self._sessions.items() if belongs_to == owner]
        return tuple(map(self._info, own))

    def destroy(self, owner: str, session_id: str) -> None:
        """End a session, whatever it does, and remove its files."""
        with self._lock:
            session = self._sessions.pop((owner, session_id), None)
        if session is None:
            raise UnknownSession(session_id)
        self._remove(session)

    def expire(self) -> tuple[str, ...]:
        """Destroy the sessions that were idle for too long; return their ids."""
        latest = self._clock() - self._idle_seconds
        with self._lock:
            idle = [
                key for key, session in self._sessions.items() if session.used < latest and not session.lock.locked()
            ]
            expired = [self._sessions.pop(key) for key in idle]
        for session in expired:
            self._remove(session)
        return tuple(session.session_id for session in expired)

    def close(self) -> None:
        """Destroy all sessions."""
        with self._lock:
            sessions = tuple(self._sessions.values())
            self._sessions.clear()
        for session in sessions:
            self._remove(session)

    def info(self, owner: str, session_id: str) -> SessionInfo:
        """Return one of the owner's sessions; raises `UnknownSession`."""
        self.expire()
        with self._lock:
            session = self._sessions.get((owner, session_id))
        if session is None:
            raise UnknownSession(session_id)
        return self._info(session)

    def execute(
        self,
        owner: str,
        session_id: str,
        code: str | None,
        *,
        stdin: str | None = None,
        timeout: float | None = None,
        fuel: FuelLimit | None = None,
        cancellation: Cancellation | None = None,
    ) -> Execution:
        """Run code in a session; raises `UnknownSession`, and nothing else for what the code does."""
        cancellation = cancellation or Cancellation()
        with self._held(owner, session_id, cancellation) as session:
            if cancellation.is_cancelled:
                return cancelled(setup_error(session.language, Reason.CANCELLED, ""))
            refusal = self._executor.refusal(session.language, code)
            if refusal is not None or code is None:
                return refusal or setup_error(session.language, Reason.INVALID, "There is no code to run.")
            session.runs += 1
            session.running = cancellation
            if session.is_gone:
                cancellation.cancel()
            if loop_for(session.language) is None:
                execution = self._executor.execute(
                    session.language,
                    code,
                    stdin=stdin,
                    timeout=timeout,
                    limits=session.limits,
                    workspace=session.workspace,
                    cancellation=cancellation,
                )
                return replace(execution, error_message=_DESTROYED) if session.is_gone else execution
            cell = Cell(code, stdin or "", fuel, session.keeps_file)
            return self._run_cell(session, cell, timeout, cancellation)

    def read_file(self, owner: str, session_id: str, path: str) -> bytes:
        """Return the bytes of a file of a session's workspace."""
        with self._held(owner, session_id) as session:
            return session.files.read(path)

    def write_file(self, owner: str, session_id: str, path: str, content: bytes) -> None:
        """Write a file into a session's workspace, with the folders above it."""
        with self._held(owner, session_id) as session:
            session.files.write(path, content)

    def list_files(self, owner: str, session_id: str, path: str = ".") -> tuple[FileEntry, ...]:
        """Return the files and folders of a session's workspace."""
        with self._held(owner, session_id) as session:
            return session.files.entries(path)

    def delete_file(self, owner: str, session_id: str, path: str) -> None:
        """Remove a file or an empty folder of a session's workspace."""
        with self._held(owner, session_id) as session:
            session.files.delete(path)

    def _chosen_id(self, session_id: str | None) -> str:
        if session_id is None or session_id == "":
            return str(uuid.uuid4())
        if not valid_session_id(session_id):
            raise SessionError(
                f"`{session_id}` cannot be a session's id: use up to 64 letters, digits, `_` and `-`, or leave it out."
            )
        if self._demand_uuids and not _is_uuid(session_id):
            raise SessionError(f"`{session_id}` cannot be a session's id here: it must be a UUID, or be left out.")
        return session_id

    def _require_room(self, owner: str, session_id: str) -> None:
        if (owner, session_id) in self._sessions:
            raise SessionError(f"There is a session `{session_id}` already. Use it, destroy it, or choose another id.")
        if sum(belongs_to == owner for belongs_to, _ in self._sessions) >= self._most_per_owner:
            raise SessionError(f"There are {self._most_per_owner} sessions already. Destroy one that is not needed.")

    @contextmanager
    def _held(self, owner: str, session_id: str, cancellation: Cancellation | None = None) -> Iterator[_Session]:
        self.expire()
        with self._lock:
            session = self._sessions.get((owner, session_id))
        if session is None:
            raise UnknownSession(session_id)
        with _taken(session.lock, cancellation or Cancellation()):
            if session.is_gone:
                raise UnknownSession(session_id)
            try:
                yield session
            finally:
                session.used = self._clock()

    def _remove(self, session: _Session) -> None:
        session.is_gone = True
        if session.running is not None:
            session.running.cancel()  # whoever waits for it in another thread is answered, and lets go of the lock
        with session.lock:
            session.stop()
            session.cleanup.close()

    def _run_cell(self, session: _Session, cell: Cell, timeout: float | None, cancellation: Cancellation) -> Execution:
        limits, notes = effective_limits(session.limits, timeout)
        history = session.history
        try:
            if session.interpreter is None:
                language = LANGUAGES[session.language]
                session.interpreter = Interpreter.start(self._executor, language, session.workspace, session.limits)
                notes = (*notes, *session.take_loss())
            ran = session.interpreter.run(cell, limits, cancellation)
        except SandboxError as error:
            session.stop()
            return setup_error(session.language, Reason.UNAVAILABLE, str(error))
        execution = ran.execution if ran.survived else self._lost(session, ran.execution)
        if not ran.survived or not session.keeps_state:
            session.stop()
        elif execution.status is Status.SUCCESS:
            session.history = history.after(cell.code, session.language)
        notes = (*notes, *execution.notes)
        return replace(execution, notes=notes, level=self._executor.sandbox.level, history=history)

    def _lost(self, session: _Session, execution: Execution) -> Execution:
        """Return the record of a cell that its interpreter did not survive, with what is lost with it."""
        if session.is_gone:
            return replace(execution, error_message=_DESTROYED)
        if not session.keeps_state:
            return execution
        why = execution.reason.value.replace("_", " ")
        if session.keeps_file:
            return replace(execution, error_message=f"{execution.error_message} {_IN_THE_FILE}")
        session.lost_because = why
        return replace(execution, error_message=f"{execution.error_message} {_WILL_BE_LOST}")

    def _info(self, session: _Session) -> SessionInfo:
        now = self._clock()
        return SessionInfo(
            session_id=session.session_id,
            language=session.language,
            keeps_state=session.keeps_state,
            keeps_file=session.keeps_file,
            runs=session.runs,
            age_seconds=now - session.made,
            idle_seconds=now - session.used,
            is_busy=session.lock.locked(),
        )


@contextmanager
def _taken(lock: threading.Lock, cancellation: Cancellation) -> Iterator[None]:
    """Hold a session's lock; raises `SessionError` when the caller gives up before that."""
    while not lock.acquire(timeout=_LOOK_SECONDS):
        if cancellation.is_cancelled:
            raise SessionError("The run was cancelled while it waited for another run in the session.")
    try:
        yield
    finally:
        lock.release()


def _is_uuid(value: str) -> bool:
    try:
        return str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False
