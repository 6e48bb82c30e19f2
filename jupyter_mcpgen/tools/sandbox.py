"""The sandbox family: run code, keep sessions with variables and files, and say what there is to run it with."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from typing import Any

from jupyter_mcpgen.errors import SessionError
from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.plan.visible import visible
from jupyter_mcpgen.sandbox.docker.execution import DockerExecutor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits, clamped_seconds
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.fuel.analysis import amount
from jupyter_mcpgen.sandbox.fuel.import_costs import NATIVE, WASI_PYTHON
from jupyter_mcpgen.sandbox.fuel.meter import has_monitoring
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, available
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.runtimes import RuntimeInfo, runtimes
from jupyter_mcpgen.sandbox.wasm.artifacts import PYTHON, installed
from jupyter_mcpgen.tools.offer import MAKES, READS, REPLACES, RUNS, Caller, Offer, Reply
from jupyter_mcpgen.tools.results import as_text
from jupyter_mcpgen.tools.running import Done, Runner, Wanted
from jupyter_mcpgen.tools.sandbox_packages import Importable, importable
from jupyter_mcpgen.tools.sandbox_records import (
    CreateSession,
    ExecuteCode,
    FileContent,
    FileList,
    FileWritten,
    Gone,
    ListFiles,
    Nothing,
    OneFile,
    OneSession,
    Package,
    PackageList,
    Packages,
    ReadFile,
    RuntimeEntry,
    RuntimeList,
    SandboxResult,
    Session,
    SessionFile,
    SessionList,
    SessionMade,
    WriteFile,
)


def offers(runner: Runner, note: str, containers: DockerExecutor | None = None) -> tuple[Offer[Any], ...]:
    """Return the family over a runner; `note` says what confines it here, `containers` are only told of."""
    family = _Sandbox(runner, containers)
    return (
        Offer(
            "execute_code", ExecuteCode, SandboxResult, RUNS, family.execute_code, note,
            lambda asked: clamped_seconds(asked.timeout), lambda why: _executed(runner.refused(why)),
        ),
        Offer("create_session", CreateSession, SessionMade, MAKES, family.create_session, note),
        Offer("list_sessions", Nothing, SessionList, READS, family.list_sessions),
        Offer("destroy_session", OneSession, Gone, REPLACES, family.destroy_session),
        Offer("list_session_files", ListFiles, FileList, READS, family.list_files),
        Offer("read_session_file", ReadFile, FileContent, READS, family.read_file),
        Offer("write_session_file", WriteFile, FileWritten, REPLACES, family.write_file),
        Offer("delete_session_file", OneFile, Gone, REPLACES, family.delete_file),
        Offer("list_runtimes", Nothing, RuntimeList, READS, family.list_runtimes),
        Offer("list_available_packages", Nothing, PackageList, READS, family.list_packages),
    )  # fmt: skip


class _Sandbox:
    """The tools of the family, a few lines each."""

    def __init__(self, runner: Runner, containers: DockerExecutor | None) -> None:
        self._runner = runner
        self._containers = containers
        self._sessions = runner.sessions

    def execute_code(self, asked: ExecuteCode, caller: Caller) -> Reply:
        """Run code and return its record."""
        in_session = asked.session_id not in (None, "") and "language" not in asked.model_fields_set
        wanted = Wanted(
            language=None if in_session else asked.language,
            code=asked.code,
            stdin=asked.stdin,
            timeout=asked.timeout,
            session_id=asked.session_id,
            fuel_budget=asked.fuel_budget,
            fuel_unit=None if asked.fuel_unit is None else FuelUnit(asked.fuel_unit),
            runtime=asked.runtime,
            memory_bytes=asked.memory_bytes,
            memory_parameter="memory_bytes",
        )
        return _executed(self._runner.run(wanted, caller))

    def create_session(self, asked: CreateSession, caller: Caller) -> Reply:
        """Make a session."""
        memory_mb, notes = self._runner.memory_mb(asked.memory_bytes)
        if self._data and RuntimeKind(asked.runtime) is RuntimeKind.WASM:
            notes = (*notes, _UNSEEN)
        info = self._sessions.create(
            caller.owner,
            asked.language,
            asked.session_id,
            runtime=RuntimeKind(asked.runtime),
            keep_state=asked.keep_state,
            keep_file=asked.auto_persist_globals,
            limits=ExecutionLimits(cpu_cores=1.0, memory_mb=memory_mb),
            cancellation=caller.cancellation,
        )
        record = SessionMade(
            session_id=info.session_id,
            language=info.language,
            runtime=asked.runtime,
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            auto_persist_globals=info.keeps_file,
            keeps_state=info.keeps_state,
            memory_bytes=memory_mb * 1024 * 1024,
            data_paths=self._data if info.runtime is RuntimeKind.NATIVE else (),
            notes=notes,
        )
        kept = "keeps variables and files" if info.keeps_state else "keeps files only"
        told = " ".join([f"The session `{info.session_id}` runs `{info.language}` and {kept}.", *notes])
        return Reply(told, record)

    def list_sessions(self, _: Nothing, caller: Caller) -> Reply:
        """List the caller's sessions."""
        found = tuple(
            Session(
                session_id=info.session_id,
                language=info.language,
                runtime="wasm" if info.runtime is RuntimeKind.WASM else "native",
                keeps_state=info.keeps_state,
                auto_persist_globals=info.keeps_file,
                execution_count=info.runs,
                age_seconds=round(info.age_seconds, 1),
                idle_seconds=round(info.idle_seconds, 1),
                is_busy=info.is_busy,
            )
            for info in self._sessions.list(caller.owner)
        )
        lines = [f"- `{one.session_id}`: {one.language}, {one.execution_count} runs" for one in found]
        return Reply("\n".join(lines) or "There are no sessions.", SessionList(sessions=found))

    def destroy_session(self, asked: OneSession, caller: Caller) -> Reply:
        """End a session and remove its files."""
        self._sessions.destroy(caller.owner, asked.session_id)
        return Reply(f"The session `{asked.session_id}` is gone, with its files.", Gone(session_id=asked.session_id))

    def list_files(self, asked: ListFiles, caller: Caller) -> Reply:
        """List the files of a workspace."""
        listing = self._sessions.listing(caller.owner, asked.session_id, asked.path)
        found = tuple(
            SessionFile(
                path=entry.path,
                is_folder=entry.is_folder,
                size=entry.size,
                modified=_moment(entry.modified),
            )
            for entry in listing.entries
        )
        record = FileList(session_id=asked.session_id, files=found, truncated=listing.is_cut)
        lines = [_line(one) for one in found] + ["- …"] * listing.is_cut
        return Reply("\n".join(lines) or "There are no files.", record)

    def read_file(self, asked: ReadFile, caller: Caller) -> Reply:
        """Return a file, or a part of it."""
        found = self._sessions.read_part(caller.owner, asked.session_id, asked.path, asked.offset, asked.limit)
        part = found.content
        is_cut = asked.offset + len(part) < found.size
        part = _whole_characters(part) if is_cut and asked.encoding == "utf-8" else part
        text = _encoded(part, asked)
        record = FileContent(
            session_id=asked.session_id,
            path=asked.path,
            content=text,
            encoding=asked.encoding,
            size=found.size,
            offset=asked.offset,
            truncated=is_cut,
        )
        return Reply(text, record)

    def write_file(self, asked: WriteFile, caller: Caller) -> Reply:
        """Write a file as a whole."""
        content = _decoded(asked)
        self._sessions.write_file(caller.owner, asked.session_id, asked.path, content)
        record = FileWritten(session_id=asked.session_id, path=asked.path, size=len(content))
        return Reply(f"`{asked.path}` was written: {len(content):,} bytes.", record)

    def delete_file(self, asked: OneFile, caller: Caller) -> Reply:
        """Remove a file or an empty folder."""
        self._sessions.delete_file(caller.owner, asked.session_id, asked.path)
        return Reply(f"`{asked.path}` was removed.", Gone(session_id=asked.session_id, path=asked.path))

    def list_runtimes(self, _: Nothing, __: Caller) -> Reply:
        """Say which languages can be run here."""
        level = self._runner.executor.sandbox.level
        found = runtimes(self._containers, self._runner.wasm.cache)
        closed = [one for one in found if one.kind is RuntimeKind.CONTAINER and one.reason is not None]
        note = f"{_RUNTIME_NOTE} Containers: {closed[0].reason}" if closed else _RUNTIME_NOTE
        weakened = self._runner.executor.sandbox.weakened
        note = f"{note} Not level 1 {weakened}." if weakened else note
        listed = tuple(_entry(one, level) for one in found if one not in closed)
        lines = [_runtime_line(one) for one in listed]
        record = RuntimeList(runtimes=listed, data_paths=self._data, usage_note=note)
        return Reply("\n".join([*lines, note]), record)

    def list_packages(self, _: Nothing, __: Caller) -> Reply:
        """Say what can be imported."""
        python = tuple(map(_package, importable(Interpreter.current().imports)))
        note = " ".join([_PACKAGE_NOTE, _in_wasm(), _in_javascript(available()["javascript"])])
        text = "\n".join(["Python: the standard library and", *map(_package_line, python), note])
        packages = Packages(python=python, javascript=())
        return Reply(text, PackageList(packages=packages, usage_note=note))

    @property
    def _data(self) -> tuple[str, ...]:
        return tuple(map(str, self._runner.executor.data))


_FIRST_MOMENT, _LAST_MOMENT = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)
_UNSEEN = (
    "Code in WebAssembly sees its workspace only, and none of the data paths: put what it needs there with "
    "`write_session_file`, or make a session without `runtime`."
)
_RUNTIME_NOTE = (
    "No network and no installation. Sessions of Python and JavaScript keep variables, those of other languages files "
    "only; of the WebAssembly runtimes only JavaScript has sessions. `fuel_units` says what can be counted; `cpu_ms` "
    "is always there and differs a little from run to run."
)
_PACKAGE_NOTE = (
    "Nothing can be installed during a run. Packages are imported as usual, there is no path to set; a session keeps "
    "what was imported, a run without a session imports again. These are the packages of the `native` runtime."
)


def _executed(done: Done) -> Reply:
    run = done.execution
    record = SandboxResult(
        stdout=run.stdout,
        stderr=run.stderr,
        exit_code=run.exit_code,
        execution_time_ms=round(1000 * run.execution_time, 1),
        fuel_consumed=done.fuel_consumed,
        success=run.status is Status.SUCCESS,
        status=run.status,
        error_message=run.error_message,
        files_changed=done.files_changed,
        metadata=done.metadata,
    )
    return Reply(as_text(run, done.metadata), record, failed=not record.success)


def _in_wasm() -> str:
    """Return what Python in WebAssembly can import beside its standard library, as far as it is worth a word."""
    if installed(PYTHON.package) is None:
        return "Python in `wasm` is not installed here."
    costs = ", ".join(f"{name} {amount(cost.most, cost.unit)}" for name, cost in WASI_PYTHON.items())
    return f"Python in `wasm` has its own: numpy, and with these instructions for a first import {costs}."


def _in_javascript(missing: str | None) -> str:
    """Return what JavaScript can load, which is nothing that anybody installed."""
    node = "Node's own modules (`fs`, `path`, `crypto`, `util` and so on)" if missing is None else f"nothing: {missing}"
    return f"JavaScript has no packages: in the `native` runtime {node}, in `wasm` the modules `std` and `os`."


def _package(found: Importable) -> Package:
    cost = NATIVE.get(found.name)
    return Package(
        name=found.name,
        distribution=found.distribution,
        version=found.version,
        first_import_cpu_ms_least=None if cost is None else cost.least,
        first_import_cpu_ms=None if cost is None else cost.most,
        usage=found.usage,
    )


def _package_line(one: Package) -> str:
    """Return one line; the names are those of files on this machine, which may be anything."""
    origin = "" if one.distribution == one.name else f" of {visible(one.distribution)}"
    least, most = one.first_import_cpu_ms_least, one.first_import_cpu_ms
    cost = "" if most is None else f", first import {least} to {most} ms of processor time"
    usage = "" if one.usage is None else f": `{one.usage}`"
    return f"- {visible(one.name)}{origin} {visible(one.version)}{cost}{usage}"


def _runtime_line(one: RuntimeEntry) -> str:
    there = "available" if one.available else str(one.missing)
    return f"- {one.name}: {there}{'' if one.reads_data else ' (sees no data paths)'}"


def _entry(one: RuntimeInfo, level: Level) -> RuntimeEntry:
    language = LANGUAGES[one.language]
    is_native = one.kind is RuntimeKind.NATIVE
    return RuntimeEntry(
        name=one.name,
        language=one.language,
        kind=one.kind,
        state=one.state,
        available=one.reason is None,
        missing=one.reason,
        version=one.version,
        sandbox_level=(level if is_native else Level.CONTAINER).value,
        keeps_state=one.keeps_state,
        has_pandas=one.has_pandas,
        compiled=language.is_compiled,
        file_extension=language.extension,
        fuel_units=_units(one.language) if is_native else ((one.fuel_unit or FuelUnit.CPU_MS).value,),
        has_hard_fuel=one.has_hard_fuel,
        reads_data=one.reads_data,
    )


def _units(language: str) -> tuple[str, ...]:
    if language != "python":
        return ("cpu_ms",)
    return ("cpu_ms", "events") if has_monitoring() else ("cpu_ms", "lines")


def _moment(seconds: float) -> str:
    """Return a time of a file as text; one that no calendar has, which a program may have set, as the nearest."""
    within = min(max(seconds, _FIRST_MOMENT.timestamp()), _LAST_MOMENT.timestamp())
    return datetime.fromtimestamp(within, UTC).isoformat(timespec="milliseconds")


def _line(file: SessionFile) -> str:
    """Return one line, whatever the name: a line break in it would be the name of a file that is not there."""
    path = visible(file.path)
    return f"- {path}/" if file.is_folder else f"- {path} ({file.size:,} bytes)"


def _whole_characters(part: bytes) -> bytes:
    """Return a part of UTF-8 text without the character that is cut at its end."""
    start = next((at for at in range(1, min(4, len(part)) + 1) if part[-at] & 0xC0 != 0x80), 0)
    is_begun = start and part[-start] >= 0xC0
    needed = 2 + (part[-start] >= 0xE0) + (part[-start] >= 0xF0) if is_begun else 0
    return part[:-start] if is_begun and start < needed else part


def _encoded(content: bytes, asked: ReadFile) -> str:
    if asked.encoding == "base64":
        return base64.b64encode(content).decode("ascii")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SessionError(f"`{asked.path}` is no UTF-8 text. Read it with `encoding` `base64`.") from error


def _decoded(asked: WriteFile) -> bytes:
    if asked.encoding == "utf-8":
        return asked.content.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(asked.content, validate=True)
    except binascii.Error as error:
        raise SessionError(f"`content` is no base64 ({error}), so `{asked.path}` was not written.") from error
