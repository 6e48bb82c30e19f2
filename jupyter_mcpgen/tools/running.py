"""Runs what a client sends, alone or in a session of its own, and puts the record together; shared by the families."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from jupyter_mcpgen.errors import McpgenError, SessionError, UnknownSession
from jupyter_mcpgen.model.event import ProgramRan
from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits, clamped_seconds, effective_limits
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status, setup_error
from jupyter_mcpgen.sandbox.fuel.meter import has_monitoring
from jupyter_mcpgen.sandbox.guidance.coverage import is_a_failure, is_classified, log_unclassified
from jupyter_mcpgen.sandbox.guidance.diagnosis import Asked, Diagnosis, diagnose
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE
from jupyter_mcpgen.sandbox.programs.timeline import Timeline
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.sessions.cells import STATE_FILE, Cell, FuelLimit, run_alone
from jupyter_mcpgen.sandbox.sessions.session import SessionInfo, valid_session_id
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from jupyter_mcpgen.sandbox.wasm.execution import WasmExecutor
from jupyter_mcpgen.sandbox.wasm.guest import GuestLimits
from jupyter_mcpgen.tools.offer import Caller
from jupyter_mcpgen.tools.results import EVERYTHING, Analyzes, Metadata, metadata_of

DEFAULT_MEMORY_MB, LEAST_MEMORY_MB = 512, 32
DEFAULT_FUEL = 10_000_000
_CORES = 1.0
_IN_TIME = (None, FuelUnit.CPU_MS)
_IN_THE_PROCESS = (FuelUnit.EVENTS, FuelUnit.LINES)
FuelUnits = Literal["cpu_ms", "events", "lines", "instructions"]
Runtimes = Literal["native", "wasm"]


class FileChange(Record):
    """One file of a session's workspace that a run made, changed or removed."""

    path: str
    change: Literal["created", "modified", "deleted"]
    size: int


class FileFacts(NamedTuple):
    """What tells a file from what it was: its time alone could be set back."""

    size: int
    modified: float
    changed: float


@dataclass(frozen=True)
class Wanted:
    """What is to be run; `opens_session` makes the session when there is none of that id."""

    language: str | None
    code: str | None
    stdin: str | None = None
    timeout: float | None = None
    session_id: object = None
    opens_session: bool = False
    fuel_budget: int | None = None
    fuel_unit: FuelUnit | None = None
    runtime: Runtimes = "native"
    memory_bytes: int | None = None
    memory_parameter: str | None = None
    timeline: Timeline | None = None


@dataclass(frozen=True)
class Done:
    """A run that is over: its record, what is said about it, and the files of the session that it changed."""

    execution: Execution
    metadata: Metadata
    fuel_consumed: int | None
    files_changed: tuple[FileChange, ...] = ()


@dataclass(frozen=True)
class Runner:
    """Runs code for clients; holds what all calls share. `hear` is told of each run that began."""

    executor: Executor
    sessions: Sessions
    most_memory_mb: int = 4096
    wasm: WasmExecutor = field(default_factory=WasmExecutor)
    analyzes: Analyzes = EVERYTHING
    hear: Callable[[ProgramRan], None] = lambda _: None

    def run(self, wanted: Wanted, caller: Caller) -> Done:
        """Run code to its end; whatever goes wrong is in the record, and nothing is raised."""
        session_id = valid_session_id(wanted.session_id) or None
        try:
            if wanted.session_id not in (None, "") and session_id is None:
                raise SessionError(
                    "`session_id` cannot be the id of a session: use up to 64 letters, digits, `_` and `-`."
                )
            if session_id is not None:
                return self._in_session(wanted, session_id, caller)
            return self._in_wasm(wanted, caller) if wanted.runtime == "wasm" else self._alone(wanted, caller)
        except McpgenError as error:
            return self.refused(str(error), wanted.language or "")

    def refused(self, why: str, language: str = "") -> Done:
        """Return the record of a call that nothing was run for."""
        execution = replace(setup_error(language, Reason.INVALID, why), level=self._level)
        return self.done(execution, diagnose(execution, Asked(code="")))

    def done(
        self,
        execution: Execution,
        diagnosis: Diagnosis,
        session_id: str | None = None,
        files_changed: tuple[FileChange, ...] = (),
    ) -> Done:
        """Return a run that is over, with what clients are told of it; a failure that no rule knows is logged."""
        failed = is_a_failure(execution)
        is_known = is_classified(diagnosis.guidance)
        if failed and not is_known:
            log_unclassified(execution)
        if failed or execution.status is Status.SUCCESS:
            kind = None if diagnosis.guidance is None else diagnosis.guidance.error_type
            self.hear(ProgramRan(failed=failed, advice=kind, is_classified=is_known))
        metadata = metadata_of(execution, diagnosis, session_id, self.analyzes)
        return Done(execution, metadata, diagnosis.fuel.consumed, files_changed)

    def _alone(self, wanted: Wanted, caller: Caller) -> Done:
        language = wanted.language if wanted.language is not None else "python"
        limits, notes = self._limits(wanted)
        fuel = _counted(wanted, language)
        refusal = self.executor.refusal(language, wanted.code)
        if refusal is not None:
            execution = refusal
        elif fuel is not None:
            limits, late = effective_limits(limits, wanted.timeout)
            cell = Cell(wanted.code or "", wanted.stdin or "", fuel)
            execution = run_alone(self.executor, LANGUAGES[language], cell, limits, caller.cancellation)
            execution = replace(execution, notes=(*late, *execution.notes))
        else:
            execution = self.executor.execute(
                language,
                wanted.code,
                stdin=wanted.stdin,
                timeout=wanted.timeout,
                limits=limits,
                cancellation=caller.cancellation,
                timeline=wanted.timeline,
            )
        return self._done(execution, wanted, notes, limits.memory_mb)

    def _in_wasm(self, wanted: Wanted, caller: Caller) -> Done:
        _require_instructions(wanted)
        given, notes = self.memory_mb(wanted.memory_bytes)
        memory_bytes = GuestLimits.memory_bytes if wanted.memory_bytes is None else given * MEGABYTE
        run = self.wasm.execute(
            wanted.language or "python",
            wanted.code,
            stdin=wanted.stdin,
            timeout=wanted.timeout,
            fuel_budget=GuestLimits.fuel if wanted.fuel_budget is None else wanted.fuel_budget,
            memory_bytes=memory_bytes,
            cancellation=caller.cancellation,
        )
        execution = replace(run.execution, notes=(*notes, *run.execution.notes))
        told = diagnose(execution, Asked(code=wanted.code or ""))
        diagnosis = replace(told, fuel=run.fuel or told.fuel, guidance=run.guidance)
        return self.done(execution, diagnosis)

    def _in_session(self, wanted: Wanted, session_id: str, caller: Caller) -> Done:
        info, notes = self._session(wanted, session_id, caller)
        if wanted.language not in (None, info.language):
            raise SessionError(
                f"The session `{session_id}` runs `{info.language}` and not `{wanted.language}`. "
                "Leave the language out, or use another session."
            )
        in_wasm = info.runtime is RuntimeKind.WASM
        if wanted.runtime == "wasm" and not in_wasm:
            raise SessionError(
                f"The session `{session_id}` runs in the `native` runtime. Leave `runtime` out, or make a session of "
                "`javascript` with `runtime` `wasm`."
            )
        before = self._files(caller.owner, session_id)
        execution = self.sessions.execute(
            caller.owner,
            session_id,
            wanted.code,
            stdin=wanted.stdin,
            timeout=wanted.timeout,
            fuel=_metered(wanted) if in_wasm else _counted(wanted, info.language),
            cpu_seconds=None if in_wasm else _granted_seconds(wanted),
            cancellation=caller.cancellation,
        )
        notes = (*notes, *_session_notes(wanted))
        after = self._files(caller.owner, session_id)
        return self._done(execution, wanted, notes, 0, session_id, before, after)

    def _session(self, wanted: Wanted, session_id: str, caller: Caller) -> tuple[SessionInfo, tuple[str, ...]]:
        try:
            return self.sessions.info(caller.owner, session_id), ()
        except UnknownSession:
            if not wanted.opens_session:
                raise
        limits = ExecutionLimits(cpu_cores=_CORES, memory_mb=self.memory_mb(None)[0])
        try:
            language = wanted.language or "python"
            info = self.sessions.create(
                caller.owner, language, session_id, limits=limits, cancellation=caller.cancellation
            )
        except SessionError as error:
            with suppress(UnknownSession):  # another call of the same caller was faster
                return self.sessions.info(caller.owner, session_id), ()
            raise error from None
        return info, (f"The session `{session_id}` was made by this call; it begins with no variables and no files.",)

    @property
    def _level(self) -> Level:
        return self.executor.sandbox.level

    def memory_mb(self, memory_bytes: int | None) -> tuple[int, tuple[str, ...]]:
        """Return the memory to give, within what may be asked for, and a note when that is not what was asked."""
        if memory_bytes is None:
            return min(DEFAULT_MEMORY_MB, self.most_memory_mb), ()
        asked = memory_bytes // MEGABYTE
        given = min(max(asked, LEAST_MEMORY_MB), self.most_memory_mb)
        told = f"{memory_bytes:,} bytes of memory are outside what can be given, so {given} MB were."
        return given, () if given == asked else (told,)

    def _limits(self, wanted: Wanted) -> tuple[ExecutionLimits, tuple[str, ...]]:
        memory_mb, notes = self.memory_mb(wanted.memory_bytes)
        seconds = _granted_seconds(wanted)
        return ExecutionLimits(cpu_cores=_CORES, memory_mb=memory_mb, cpu_seconds=seconds), notes

    def _done(
        self,
        execution: Execution,
        wanted: Wanted,
        notes: tuple[str, ...],
        memory_mb: int,
        session_id: str | None = None,
        before: Mapping[str, FileFacts] | None = None,
        after: Mapping[str, FileFacts] | None = None,
    ) -> Done:
        uncounted = execution.fuel.note if execution.fuel is not None else None
        told = (f"Fuel was not counted: {uncounted}.",) if uncounted else ()
        execution = replace(execution, notes=(*notes, *execution.notes, *told), level=self._level)
        asked = Asked(
            code=wanted.code or "",
            fuel_budget=wanted.fuel_budget,
            memory_mb=memory_mb,
            seconds=clamped_seconds(wanted.timeout),
            readable=tuple(map(str, self.executor.data)),
            memory_parameter=wanted.memory_parameter,
            files=tuple(after or ()),
        )
        return self.done(execution, diagnose(execution, asked), session_id, _changes(before or {}, after or {}))

    def _files(self, owner: str, session_id: str) -> dict[str, FileFacts]:
        try:
            entries = self.sessions.list_files(owner, session_id)
        except SessionError:
            return {}  # it was destroyed while its last run ended
        return {
            entry.path: FileFacts(entry.size, entry.modified, entry.changed)
            for entry in entries
            if not entry.is_folder and not entry.path.startswith(STATE_FILE)
        }


def _require_instructions(wanted: Wanted) -> None:
    if wanted.fuel_unit not in (None, FuelUnit.INSTRUCTIONS):
        raise SessionError("The `wasm` runtime counts `instructions`. Leave `fuel_unit` out.")


def _metered(wanted: Wanted) -> FuelLimit | None:
    """Return the budget of a run in a session of the `wasm` runtime, if one was asked for."""
    _require_instructions(wanted)
    return None if wanted.fuel_budget is None else FuelLimit(max(wanted.fuel_budget, 1), FuelUnit.INSTRUCTIONS)


def _counted(wanted: Wanted, language: str) -> FuelLimit | None:
    if wanted.fuel_unit is FuelUnit.INSTRUCTIONS:
        raise SessionError("`instructions` are counted in the `wasm` runtime only. Ask for `runtime` `wasm` as well.")
    if wanted.fuel_unit not in _IN_THE_PROCESS:
        return None
    if language != "python":
        raise SessionError(
            f"`{wanted.fuel_unit.value}` are counted for Python only. Use `cpu_ms` for `{language}`, or leave it out."
        )
    if wanted.fuel_unit is FuelUnit.EVENTS and not has_monitoring():
        raise SessionError("`events` are counted from Python 3.12 on, and this one is older. Use `lines`.")
    return FuelLimit(DEFAULT_FUEL if wanted.fuel_budget is None else max(wanted.fuel_budget, 1), wanted.fuel_unit)


def _granted_seconds(wanted: Wanted) -> float | None:
    """Return the processor time that a budget in milliseconds allows, if one was asked for."""
    if wanted.fuel_budget is None or wanted.fuel_unit not in _IN_TIME:
        return None
    return max(wanted.fuel_budget, 1) / 1000


def _session_notes(wanted: Wanted) -> tuple[str, ...]:
    told = "The memory of a session is fixed by `create_session`; `memory_bytes` was left out of account."
    return () if wanted.memory_bytes is None else (told,)


def _changes(before: Mapping[str, FileFacts], after: Mapping[str, FileFacts]) -> tuple[FileChange, ...]:
    made = [
        FileChange(path=path, change="modified" if path in before else "created", size=facts.size)
        for path, facts in after.items()
        if before.get(path) != facts
    ]
    gone = [FileChange(path=path, change="deleted", size=0) for path in before if path not in after]
    return tuple(sorted([*made, *gone], key=lambda change: change.path))
