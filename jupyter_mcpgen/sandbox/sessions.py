"""Sessions: a workspace that stays, and for Python and JavaScript an interpreter that keeps its variables.

A session belongs to the owner who made it; for anybody else it does not exist. Every interpreter is a confined process
of its own, so nothing of one session reaches another. A timeout or a limit ends the interpreter, which is told; files
stay until the session is destroyed or was idle for too long.
"""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from jupyter_mcpgen.errors import SandboxError, SessionError, UnknownSession, did_you_mean
from jupyter_mcpgen.sandbox.code_file import write_code
from jupyter_mcpgen.sandbox.execution import (
    Execution,
    ExecutionLimits,
    Executor,
    Programs,
    Reason,
    Status,
    Workspace,
    effective_limits,
    setup_error,
)
from jupyter_mcpgen.sandbox.languages import LANGUAGES
from jupyter_mcpgen.sandbox.loops import loop_for
from jupyter_mcpgen.sandbox.program import Ending, Program, Stop
from jupyter_mcpgen.sandbox.program_launch import Running
from jupyter_mcpgen.sandbox.session_files import FileEntry, Files

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_LIFE_SECONDS = 24 * 3600
_WORKSPACE_BYTES = 256 * 1024 * 1024
_LONGEST_MESSAGE = 2_000
_LOST = (
    "A fresh interpreter was started: the variables were lost in the run before ({why}); the files are as they were."
)
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
    runs: int
    age_seconds: float
    idle_seconds: float
    is_busy: bool


@dataclass
class _Interpreter:
    """A running loop and the scratch folder that goes with it."""

    running: Running
    cleanup: ExitStack

    def close(self) -> None:
        """End the process and wipe its scratch folder."""
        self.cleanup.close()


@dataclass
class _Session:
    """One session; its lock is held while it works."""

    session_id: str
    language: str
    keeps_state: bool
    limits: ExecutionLimits
    workspace: Workspace
    cleanup: ExitStack
    made: float
    used: float
    runs: int = 0
    is_gone: bool = False
    lost_because: str | None = None
    interpreter: _Interpreter | None = None
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
        limits: ExecutionLimits | None = None,
    ) -> SessionInfo:
        """Make a session; raises `SessionError` for a bad or taken id, and when its language cannot be run here."""
        if language not in LANGUAGES:
            known = ", ".join(f"`{name}`" for name in LANGUAGES)
            raise SessionError(
                f"Unsupported language: `{language}`.{did_you_mean(language, LANGUAGES)} Use one of {known}."
            )
        chosen = self._chosen_id(session_id)
        missing = self._executor.sandbox.missing()
        if missing is not None:
            raise SessionError(f"No sandbox here can confine a session: {missing}.")
        toolchain = self._executor.toolchain(LANGUAGES[language])
        self.expire()
        with self._lock:
            self._require_room(owner, chosen)
            user = self._executor.sandbox.identity((*toolchain.read, *toolchain.run)).user
            cleanup = ExitStack()
            folder = cleanup.enter_context(self._executor.sandbox.scratch(user))
            now = self._clock()
            session = self._sessions[owner, chosen] = _Session(
                session_id=chosen,
                language=language,
                keeps_state=keep_state and loop_for(language) is not None,
                limits=limits or ExecutionLimits(),
                workspace=Workspace(folder, user),
                cleanup=cleanup,
                made=now,
                used=now,
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

    def execute(
        self, owner: str, session_id: str, code: str | None, *, stdin: str | None = None, timeout: float | None = None
    ) -> Execution:
        """Run code in a session; raises `UnknownSession`, and nothing else for what the code does."""
        with self._held(owner, session_id) as session:
            refusal = self._executor.refusal(session.language, code)
            if refusal is not None or code is None:
                return refusal or setup_error(session.language, Reason.INVALID, "There is no code to run.")
            session.runs += 1
            loop = loop_for(session.language)
            if loop is None:
                return self._executor.execute(
                    session.language,
                    code,
                    stdin=stdin,
                    timeout=timeout,
                    limits=session.limits,
                    workspace=session.workspace,
                )
            return self._run_cell(session, loop, {"code": code, "stdin": stdin or ""}, timeout)

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
    def _held(self, owner: str, session_id: str) -> Iterator[_Session]:
        self.expire()
        with self._lock:
            session = self._sessions.get((owner, session_id))
        if session is None:
            raise UnknownSession(session_id)
        with session.lock:
            if session.is_gone:
                raise UnknownSession(session_id)
            try:
                yield session
            finally:
                session.used = self._clock()

    def _remove(self, session: _Session) -> None:
        session.is_gone = True
        interpreter = session.interpreter
        if interpreter is not None:
            interpreter.running.let_go()  # whoever waits for it in another thread is answered, and lets go of the lock
        with session.lock:
            session.stop()
            session.cleanup.close()

    def _run_cell(self, session: _Session, loop: str, request: dict[str, Any], timeout: float | None) -> Execution:
        limits, notes = effective_limits(session.limits, timeout)
        try:
            if session.interpreter is None:
                session.interpreter = self._started(session, loop)
                notes = (*notes, *session.take_loss())
            execution = self._asked(session, session.interpreter.running, request, limits)
        except SandboxError as error:
            session.stop()
            return setup_error(session.language, Reason.UNAVAILABLE, str(error))
        if not session.keeps_state:
            session.stop()
        return replace(execution, notes=notes, level=self._executor.sandbox.level)

    def _started(self, session: _Session, loop: str) -> _Interpreter:
        language = LANGUAGES[session.language]
        toolchain = self._executor.toolchain(language)
        with ExitStack() as cleanup:
            scratch = cleanup.enter_context(self._executor.sandbox.scratch(session.workspace.user))
            files = write_code(scratch, language, loop, None, session.workspace.user)
            program = _for_life(Programs(toolchain, files, scratch, session.workspace).program(session.limits))
            running = cleanup.enter_context(self._executor.sandbox.start(program, scratch, session.workspace.user))
            return _Interpreter(running, cleanup.pop_all())

    def _asked(
        self, session: _Session, running: Running, request: dict[str, Any], limits: ExecutionLimits
    ) -> Execution:
        cpu_before, _ = running.used()
        begin = time.monotonic()
        reply = running.ask(request, limits.time_seconds)
        seconds = time.monotonic() - begin
        told = None if reply is None else _parsed(reply)
        if told is None:
            is_late = reply is None and not running.has_ended
            return self._ended(session, running, seconds, limits, is_late=is_late)
        cpu_after, held = running.used()
        stdout, stderr = running.output()
        ending = Ending(
            Stop.EXITED, told.exit_code << 8, stdout, stderr, seconds, max(0.0, cpu_after - cpu_before), held
        )
        execution = self._executor.judged(LANGUAGES[session.language], ending, limits)
        return replace(execution, error_message=told.message) if told.message and told.exit_code else execution

    def _ended(
        self, session: _Session, running: Running, seconds: float, limits: ExecutionLimits, *, is_late: bool
    ) -> Execution:
        """Return the record of a cell that its interpreter did not survive, and say what is lost with it."""
        ending = running.end()
        if ending.stop is Stop.ENDED_BY_HOST and is_late:
            ending = replace(ending, stop=Stop.TIMED_OUT)
        session.stop()
        language = LANGUAGES[session.language]
        execution = self._executor.judged(language, replace(ending, wall_seconds=seconds), limits)
        if execution.status is Status.SUCCESS:  # it left without an answer
            told = "The code ended the interpreter that ran it."
            execution = replace(execution, status=Status.ERROR, reason=Reason.KILLED, error_message=told)
        if session.is_gone:
            return replace(execution, error_message="The session was destroyed while this ran.")
        if not session.keeps_state:
            return execution
        session.lost_because = execution.reason.value.replace("_", " ")
        return replace(execution, error_message=f"{execution.error_message} {_WILL_BE_LOST}")

    def _info(self, session: _Session) -> SessionInfo:
        now = self._clock()
        return SessionInfo(
            session_id=session.session_id,
            language=session.language,
            keeps_state=session.keeps_state,
            runs=session.runs,
            age_seconds=now - session.made,
            idle_seconds=now - session.used,
            is_busy=session.lock.locked(),
        )


@dataclass(frozen=True)
class _Told:
    """What the loop says about a cell."""

    exit_code: int
    message: str | None


def _parsed(reply: bytes) -> _Told | None:
    """Return what a reply says; the cell can write there too, so whatever is not a reply is none."""
    try:
        document = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    match document:
        case {"exit_code": int(code), "message": str() | None as message}:
            return _Told(code & 0xFF if code else 0, None if message is None else message[:_LONGEST_MESSAGE])
        case _:
            return None


def _for_life(program: Program) -> Program:
    """Return a program that may wait for its cells for a day; each cell has its own time limit."""
    bounds = replace(program.bounds, wall_seconds=_LIFE_SECONDS, cpu_seconds=_LIFE_SECONDS)
    return replace(program, bounds=bounds)


def _is_uuid(value: str) -> bool:
    try:
        return str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False
