"""Sessions: a workspace that stays, and for Python and JavaScript an interpreter that keeps its variables.

A session belongs to the owner who made it; for anybody else it does not exist. Every interpreter is a confined process
of its own, so nothing of one session reaches another. A timeout or a limit ends the interpreter, which is told; files
stay until the session is destroyed or was idle for too long.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from jupyter_mcpgen.errors import SandboxError, SessionError, SupervisorLost, UnknownSession
from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor, Workspace, unsupported
from jupyter_mcpgen.sandbox.execution.free_memory import whole_memory_mb
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits, effective_limits
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status, cancelled, lost, setup_error
from jupyter_mcpgen.sandbox.fuel.analysis import ImportHistory
from jupyter_mcpgen.sandbox.loops import Loop, has_loop, loop_for
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.sessions.cells import Cell, FuelLimit, Interpreter, Ran
from jupyter_mcpgen.sandbox.sessions.files import FileEntry, FilePart, Listing
from jupyter_mcpgen.sandbox.sessions.session import LONGEST_ID, Session, SessionInfo, valid_session_id
from jupyter_mcpgen.sandbox.wasm.guest import GuestLimits
from jupyter_mcpgen.sandbox.wasm.session import quickjs_loop, require_session

_SHARE_OF_MEMORY = 2
_LOOK_SECONDS = 0.1
_IN_THE_FILE = "The next run starts with the variables that the state file held before this run; the files are kept."
_DESTROYED = "The session was destroyed while this ran."
_WHOLE_FUEL = FuelLimit(GuestLimits.fuel, FuelUnit.INSTRUCTIONS)
_WILL_BE_LOST = "The session's variables are lost; its files are kept."


class Sessions:
    """All sessions of one host; used by several threads, each session by one at a time.

    What they may hold together is bounded by `most_memory_mb`, by default half of this machine's memory.
    """

    def __init__(
        self,
        executor: Executor | None = None,
        *,
        idle_seconds: float = 3600,
        most_per_owner: int = 8,
        most_memory_mb: int | None = None,
        demand_uuids: bool = False,
        wasm_cache: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._executor = executor or Executor()
        self._idle_seconds = idle_seconds
        self._most_per_owner = most_per_owner
        whole = whole_memory_mb() if most_memory_mb is None else None
        self._most_memory_mb = most_memory_mb if whole is None else whole // _SHARE_OF_MEMORY
        self._demand_uuids = demand_uuids
        self._wasm_cache = wasm_cache
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: dict[tuple[str, str], Session] = {}
        self._removing: list[threading.Thread] = []

    def create(
        self,
        owner: str,
        language: str = "python",
        session_id: str | None = None,
        *,
        runtime: RuntimeKind = RuntimeKind.NATIVE,
        keep_state: bool = True,
        keep_file: bool = False,
        limits: ExecutionLimits | None = None,
        cancellation: Cancellation | None = None,
    ) -> SessionInfo:
        """Make a session; raises `SessionError` for a bad or taken id, and when its language cannot be run here.

        What its language needs once, such as the compiled library of Go, is waited for until it is cancelled.

        In the `WASM` runtime there is JavaScript only; it raises `RuntimeNotReady` where that is not installed.
        With `keep_file` the variables that JSON can say are also kept in a file, which outlives the interpreter.
        """
        if language not in LANGUAGES:
            raise SessionError(unsupported(language))
        chosen = self._chosen_id(session_id)
        missing = self._executor.sandbox.missing()
        if missing is not None:
            raise SessionError(f"No sandbox here can confine a session: {missing}.")
        limits = limits or ExecutionLimits()
        in_wasm = runtime is RuntimeKind.WASM
        if in_wasm:
            require_session(language, limits.memory_mb)
        cancellation = cancellation or Cancellation()
        toolchain = self._executor.toolchain(LANGUAGES["python" if in_wasm else language], cancellation)
        if cancellation.is_cancelled:
            raise SessionError("The call was cancelled before the session was made.")
        self._expire_beside()
        with self._lock:
            self._require_room(owner, chosen, limits.memory_mb)
            user = self._executor.user_for(toolchain)
            cleanup = ExitStack()
            folder = cleanup.enter_context(self._executor.sandbox.scratch(user))
            now = self._clock()
            has_state = has_loop(language)
            session = self._sessions[owner, chosen] = Session(
                session_id=chosen,
                language=language,
                runtime=runtime,
                keeps_state=keep_state and has_state,
                keeps_file=keep_file and has_state,
                limits=limits,
                workspace=Workspace(folder, user),
                cleanup=cleanup,
                made=now,
                used=now,
                history=ImportHistory(kept=keep_state and has_state),
            )
        return self._info(session)

    def list(self, owner: str) -> tuple[SessionInfo, ...]:
        """Return the owner's sessions, the oldest first."""
        self._expire_beside()
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
        """Destroy the sessions that were idle for too long; return their ids once their files are gone."""
        expired = self._idle()
        for session in expired:
            self._remove(session)
        return tuple(session.session_id for session in expired)

    def close(self) -> None:
        """Destroy all sessions."""
        with self._lock:
            sessions = tuple(self._sessions.values())
            self._sessions.clear()
            removing, self._removing = self._removing, []
        for session in sessions:
            self._remove(session)
        for thread in removing:
            thread.join()

    def info(self, owner: str, session_id: str) -> SessionInfo:
        """Return one of the owner's sessions; raises `UnknownSession`."""
        self._expire_beside()
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
        cpu_seconds: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> Execution:
        """Run code in a session; raises `UnknownSession`, and nothing else for what the code does.

        `cpu_seconds` is the processor time that it may use, with all it starts; more of it ends the interpreter.
        """
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
            limits = replace(session.limits, cpu_seconds=cpu_seconds)
            if not has_loop(session.language):
                execution = self._executor.execute(
                    session.language,
                    code,
                    stdin=stdin,
                    timeout=timeout,
                    limits=limits,
                    workspace=session.workspace,
                    cancellation=cancellation,
                )
                return replace(execution, error_message=_DESTROYED) if session.is_gone else execution
            fuel = fuel or (_WHOLE_FUEL if session.runtime is RuntimeKind.WASM else None)
            cell = Cell(code, stdin or "", fuel, session.keeps_file)
            limits, notes = effective_limits(limits, timeout)
            execution = self._run_cell(session, cell, limits, cancellation)
            return replace(execution, notes=(*notes, *execution.notes))

    def read_file(self, owner: str, session_id: str, path: str) -> bytes:
        """Return the bytes of a file of a session's workspace."""
        with self._held(owner, session_id) as session:
            return session.files.read(path)

    def read_part(self, owner: str, session_id: str, path: str, offset: int, limit: int) -> FilePart:
        """Return some bytes of a file of a session's workspace."""
        with self._held(owner, session_id) as session:
            return session.files.part(path, offset, limit)

    def write_file(self, owner: str, session_id: str, path: str, content: bytes) -> None:
        """Write a file into a session's workspace, with the folders above it."""
        with self._held(owner, session_id) as session:
            session.files.write(path, content)

    def list_files(self, owner: str, session_id: str, path: str = ".") -> tuple[FileEntry, ...]:
        """Return the files and folders of a session's workspace, as many as are listed."""
        return self.listing(owner, session_id, path).entries

    def listing(self, owner: str, session_id: str, path: str = ".") -> Listing:
        """Return the files and folders of a session's workspace, and whether there are more."""
        with self._held(owner, session_id) as session:
            return session.files.listing(path)

    def delete_file(self, owner: str, session_id: str, path: str) -> None:
        """Remove a file or an empty folder of a session's workspace."""
        with self._held(owner, session_id) as session:
            session.files.delete(path)

    def _chosen_id(self, session_id: str | None) -> str:
        if session_id is None or session_id == "":
            return str(uuid.uuid4())
        if not valid_session_id(session_id):
            named = str(session_id)
            told = f"{named[:LONGEST_ID]}…" if len(named) > LONGEST_ID else named
            raise SessionError(
                f"`{told}` cannot be a session's id: use up to 64 letters, digits, `_` and `-`, or leave it out."
            )
        if self._demand_uuids and not _is_uuid(session_id):
            raise SessionError(f"`{session_id}` cannot be a session's id here: it must be a UUID, or be left out.")
        return session_id

    def _idle(self) -> tuple[Session, ...]:
        """Take out the sessions that were idle for too long: from here on they are unknown."""
        latest = self._clock() - self._idle_seconds
        with self._lock:
            idle = [
                key for key, session in self._sessions.items() if session.used < latest and not session.lock.locked()
            ]
            return tuple(self._sessions.pop(key) for key in idle)

    def _expire_beside(self) -> None:
        """Destroy idle sessions in a thread: whoever asks for something else does not wait while files are wiped."""
        for session in self._idle():
            thread = threading.Thread(target=self._remove, args=(session,), name="mcpgen-wipe", daemon=True)
            with self._lock:
                self._removing = [*(other for other in self._removing if other.is_alive()), thread]
                thread.start()

    def _require_room(self, owner: str, session_id: str, memory_mb: int) -> None:
        if (owner, session_id) in self._sessions:
            raise SessionError(f"There is a session `{session_id}` already. Use it, destroy it, or choose another id.")
        if sum(belongs_to == owner for belongs_to, _ in self._sessions) >= self._most_per_owner:
            raise SessionError(f"There are {self._most_per_owner} sessions already. Destroy one that is not needed.")
        held = sum(session.limits.memory_mb for session in self._sessions.values())
        if self._most_memory_mb is not None and held + memory_mb > self._most_memory_mb:
            raise SessionError(
                f"A session of {memory_mb} MB was not made: all sessions together may hold {self._most_memory_mb} MB, "
                f"and {held} MB are in use. Ask for less memory, destroy a session that is not needed, or raise "
                "`MCPGEN_SERVER__SESSION_MEMORY_MB`."
            )

    @contextmanager
    def _held(self, owner: str, session_id: str, cancellation: Cancellation | None = None) -> Iterator[Session]:
        self._expire_beside()
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

    def _remove(self, session: Session) -> None:
        session.is_gone = True
        if session.running is not None:
            session.running.cancel()  # whoever waits for it in another thread is answered, and lets go of the lock
        with session.lock:
            session.stop()
        session.cleanup.close()  # not in the lock: it may take long, and whoever waits is only told that it is gone

    def _run_cell(self, session: Session, cell: Cell, limits: ExecutionLimits, cancellation: Cancellation) -> Execution:
        notes: tuple[str, ...] = ()
        try:
            ran = self._ran_where_it_was(session, cell, limits, cancellation)
            if ran is None:
                loop = self._loop(session)
                session.interpreter = Interpreter.start(self._executor, loop, session.workspace, session.limits)
                notes = session.take_loss()
                ran = session.interpreter.run(cell, limits, cancellation)
        except SupervisorLost as error:
            session.stop()
            return replace(self._lost(session, lost(session.language, str(error))), notes=notes)
        except SandboxError as error:
            session.stop()
            return setup_error(session.language, Reason.UNAVAILABLE, str(error))
        history = session.history
        execution = ran.execution if ran.survived else self._lost(session, ran.execution)
        if not ran.survived or not session.keeps_state:
            session.stop()
        elif execution.status is Status.SUCCESS:
            session.history = history.after(cell.code, session.language)
        notes = (*notes, *execution.notes)
        return replace(execution, notes=notes, level=self._executor.sandbox.level, history=history)

    def _ran_where_it_was(
        self, session: Session, cell: Cell, limits: ExecutionLimits, cancellation: Cancellation
    ) -> Ran | None:
        """Return how a cell went where there is an interpreter; none where that ended before it could hear of it.

        It may end at rest: its files are over their quota by what was written, or the system ran out of memory.
        """
        if session.interpreter is None:
            return None
        ran = session.interpreter.run(cell, limits, cancellation)
        if ran.was_heard:
            return ran
        session.lose(ran.execution, at_rest=True)
        session.stop()
        return None

    def _loop(self, session: Session) -> Loop:
        if session.runtime is RuntimeKind.WASM:
            return quickjs_loop(session.limits.memory_mb, self._wasm_cache)
        return loop_for(session.language)

    def _lost(self, session: Session, execution: Execution) -> Execution:
        """Return the record of a cell that its interpreter did not survive, with what is lost with it."""
        if session.is_gone:
            return replace(execution, error_message=_DESTROYED)
        if not session.keeps_state:
            return execution
        told = _IN_THE_FILE if session.keeps_file else _WILL_BE_LOST
        session.lose(execution)
        if execution.status is Status.SUCCESS:  # it left of its own accord
            return replace(execution, notes=(*execution.notes, told))
        return replace(execution, error_message=f"{execution.error_message} {told}")

    def _info(self, session: Session) -> SessionInfo:
        now = self._clock()
        return SessionInfo(
            session_id=session.session_id,
            language=session.language,
            runtime=session.runtime,
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
