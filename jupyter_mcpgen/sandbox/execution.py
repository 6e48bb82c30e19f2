"""Runs code in any of the eight languages inside the sandbox, and tells truthfully how it went.

`execute` never raises for what a caller or a program did: each ends in an `Execution` with the same keys. The words of
`status` are the four of the interface; `reason` says more.
"""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from platformdirs import user_cache_path

from jupyter_mcpgen.errors import SandboxError, did_you_mean
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.code_file import CodeFile, make_runnable, write_code
from jupyter_mcpgen.sandbox.free_memory import FreeMemory, free_memory, shortage
from jupyter_mcpgen.sandbox.fuel import ImportHistory
from jupyter_mcpgen.sandbox.languages import LANGUAGES, Language, Toolchain, fill, find_toolchain
from jupyter_mcpgen.sandbox.meter import Reading
from jupyter_mcpgen.sandbox.output import Pages
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.program import MEGABYTE, Bounds, Ending, Program, Stop
from jupyter_mcpgen.sandbox.program_sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.timeline import Timeline

DEFAULT_SECONDS, LEAST_SECONDS, MOST_SECONDS = 30, 1, 300
_COMPILE_SECONDS = 30
_COMPILE_BOUNDS = Bounds(memory_bytes=1024 * MEGABYTE, address_bytes=4096 * MEGABYTE, scratch_bytes=512 * MEGABYTE)
_HEAP_SHARE = 0.75
_ASSUMED_MEMORY_MB = 256
_PATH = "/usr/local/bin:/usr/bin:/bin"
_SETUP_FAILED, _TIMED_OUT_CODE, _SIGNALLED_CODE = -1, 124, 128
_LEAST_ADDRESS_MB, _LEAST_HEAP_MB = 128, 32
_NEARLY_ALL = 0.9
_LAST_WORDS = 10_000
_LONGEST_ECHO = 64


class Status(StrEnum):
    """The outcome in the words of the interface."""

    SUCCESS = "success"
    TIMEOUT = "timeout"
    ERROR = "error"
    SETUP_ERROR = "setup_error"


class Reason(StrEnum):
    """What exactly ended an execution."""

    FINISHED = "finished"
    RUNTIME_ERROR = "runtime_error"
    COMPILE_ERROR = "compile_error"
    TIMED_OUT = "timed_out"
    CPU_EXCEEDED = "cpu_exceeded"
    MEMORY_EXCEEDED = "memory_exceeded"
    TASKS_EXCEEDED = "tasks_exceeded"
    OUTPUT_EXCEEDED = "output_exceeded"
    SCRATCH_EXCEEDED = "scratch_exceeded"
    KILLED = "killed"
    OUT_OF_FUEL = "out_of_fuel"
    CANCELLED = "cancelled"
    INVALID = "invalid"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True)
class Execution:
    """The whole record of one execution; `error_message` is `None` exactly when the status is success.

    `cpu_budget_seconds` is the processor time it could have used, `fuel` what was counted in its process if that was
    asked for, and `history` what its process had imported before.
    """

    stdout: str
    stderr: str
    exit_code: int
    execution_time: float
    status: Status
    error_message: str | None
    reason: Reason
    language: str = ""
    level: Level = Level.LANDLOCK
    compile_time: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0
    read_bytes: int | None = None
    written_bytes: int | None = None
    stdout_cut: bool = False
    stderr_cut: bool = False
    cpu_budget_seconds: float = 0.0
    folder: str = ""
    fuel: Reading | None = None
    history: ImportHistory = field(default_factory=ImportHistory)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExecutionLimits:
    """What an execution may use; refuses values that make no sense, naming the field.

    `cpu_cores` is enforced as processor time: that share of the time limit, and at least one second; `cpu_seconds`
    makes it less than that. The kernel counts whole seconds, so what is left of one is given.
    """

    time_seconds: float = DEFAULT_SECONDS
    memory_mb: int = 256
    cpu_cores: float = 0.5
    output_characters: int = 100_000
    cpu_seconds: float | None = None

    def __post_init__(self) -> None:
        _require("time_seconds", self.time_seconds, LEAST_SECONDS <= self.time_seconds <= MOST_SECONDS, "1 to 300")
        _require("memory_mb", self.memory_mb, self.memory_mb > 0, "more than 0")
        _require("cpu_cores", self.cpu_cores, 0 < self.cpu_cores <= 4, "more than 0 and at most 4.0")
        _require("output_characters", self.output_characters, self.output_characters >= 1_000, "at least 1,000")
        if self.cpu_seconds is not None:
            _require("cpu_seconds", self.cpu_seconds, self.cpu_seconds > 0, "more than 0")

    @property
    def cpu_budget_seconds(self) -> float:
        """Return the processor time there is."""
        share = self.time_seconds * self.cpu_cores
        return share if self.cpu_seconds is None else min(share, self.cpu_seconds)


@dataclass(frozen=True)
class Workspace:
    """A folder that outlives one execution, and the user it belongs to."""

    folder: Path
    user: int | None


def clamped_seconds(timeout: float | None) -> float:
    """Return a time limit of 1 to 300 seconds; 30 when none was given or it is no number."""
    if timeout is None or math.isnan(timeout):
        return DEFAULT_SECONDS
    return min(max(timeout, LEAST_SECONDS), MOST_SECONDS)


def default_pages() -> Pages:
    """Return where the whole text of cut output is kept: the user's own cache folder."""
    return Pages(user_cache_path("jupyter-mcpgen") / "output")


@dataclass(frozen=True)
class Executor:
    """Runs code; holds what all executions share. `data` is what every program may read besides its own files."""

    sandbox: ProgramSandbox = field(default_factory=ProgramSandbox)
    pages: Pages = field(default_factory=default_pages)
    toolchain: Callable[[Language], Toolchain] = find_toolchain
    memory: Callable[[], FreeMemory] = free_memory
    data: tuple[Path, ...] = ()

    def execute(
        self,
        language: str,
        code: str | None,
        *,
        stdin: str | None = None,
        timeout: float | None = None,
        limits: ExecutionLimits | None = None,
        workspace: Workspace | None = None,
        cancellation: Cancellation | None = None,
        timeline: Timeline | None = None,
    ) -> Execution:
        """Run code to its end, in a fresh folder or in a workspace, and return its record."""
        refusal = self.refusal(language, code)
        if refusal is not None or code is None:
            return refusal or setup_error(language, Reason.INVALID, "There is no code to run.")
        limits, notes = effective_limits(limits, timeout)
        try:
            cancellation = cancellation or Cancellation()
            run = self._run(LANGUAGES[language], code, stdin, limits, workspace, cancellation, timeline)
        except SandboxError as error:
            return setup_error(language, Reason.UNAVAILABLE, str(error))
        return replace(run, notes=notes, level=self.sandbox.level)

    def refusal(self, language: str, code: str | None) -> Execution | None:
        """Return why code in a language cannot be run here at all, or `None` when it can."""
        if language not in LANGUAGES:
            return setup_error(language, Reason.INVALID, unsupported(language))
        if not isinstance(code, str) or not code.strip():
            return setup_error(language, Reason.INVALID, "There is no code to run. Pass the program's text as `code`.")
        missing = self.sandbox.missing()
        if missing is not None:
            told = f"No sandbox here can confine `{language}`: {missing}. Nothing was run."
            return setup_error(language, Reason.UNAVAILABLE, told)
        short = shortage(self.memory())
        return None if short is None else setup_error(language, Reason.UNAVAILABLE, short)

    def user_for(self, toolchain: Toolchain) -> int | None:
        """Return which user runs the programs of a language; `None` is the caller."""
        return self.sandbox.identity((*toolchain.read, *toolchain.run, *self.data)).user

    def _run(
        self,
        language: Language,
        code: str,
        stdin: str | None,
        limits: ExecutionLimits,
        workspace: Workspace | None,
        cancellation: Cancellation,
        timeline: Timeline | None,
    ) -> Execution:
        toolchain = self.toolchain(language)
        user = workspace.user if workspace else self.user_for(toolchain)
        with self.sandbox.scratch(user) as scratch:
            files = write_code(scratch, language, code, stdin, user)
            programs = Programs(toolchain, files, scratch, workspace, self.data)
            compiled = None
            if language.is_compiled:
                compiled = self.sandbox.run(programs.compiler(), scratch, user, cancellation)
                if cancellation.is_cancelled:
                    return cancelled(self.judged(language, compiled, limits, step="compiler"))
                if compiled.stop is not Stop.EXITED or compiled.status != 0 or not make_runnable(files):
                    return self.judged(language, compiled, limits, step="compiler")
            ending = self.sandbox.run(
                programs.program(limits), scratch, user, cancellation, (timeline,) if timeline else ()
            )
        run = replace(self.judged(language, ending, limits), folder=str(workspace.folder if workspace else scratch))
        run = cancelled(run) if cancellation.is_cancelled and ending.stop is Stop.ENDED_BY_HOST else run
        return replace(run, compile_time=round(compiled.wall_seconds, 4)) if compiled else run

    def judged(self, language: Language, ending: Ending, limits: ExecutionLimits, step: str = "program") -> Execution:
        """Return the record of a program, or of a compiler that made none, by what its supervisor says."""
        stdout, stderr = (text.decode("utf-8", "replace") for text in (ending.stdout, ending.stderr))
        reason, message = _judged(language, ending, limits, stderr, step)
        status = _STATUS[reason]
        streams = self.pages.streams(stdout, stderr, limits.output_characters, succeeded=status is Status.SUCCESS)
        return Execution(
            **streams._asdict(),
            exit_code=_exit_code(ending),
            execution_time=round(ending.wall_seconds, 4),
            status=status,
            error_message=message,
            reason=reason,
            language=language.name,
            cpu_seconds=round(ending.cpu_seconds, 4),
            peak_memory_bytes=ending.peak_memory_bytes,
            read_bytes=ending.read_bytes,
            written_bytes=ending.written_bytes,
            cpu_budget_seconds=limits.cpu_budget_seconds,
        )


@dataclass(frozen=True)
class Programs:
    """Turns a row of the table into the programs to run, for one call."""

    toolchain: Toolchain
    files: CodeFile
    scratch: Path
    workspace: Workspace | None = None
    data: tuple[Path, ...] = ()

    def compiler(self) -> Program:
        """Return the compiler with its own bounds, which do not depend on the program's."""
        language = self.toolchain.language
        seconds = _COMPILE_SECONDS * language.timeout_factor
        bounds = replace(_COMPILE_BOUNDS, wall_seconds=seconds, cpu_seconds=math.ceil(2 * seconds))
        return self._program(language.compile, bounds, heap_mb=0)

    def program(self, limits: ExecutionLimits) -> Program:
        """Return the program itself under the limits of the call."""
        heap_mb = max(_LEAST_HEAP_MB, int(limits.memory_mb * _HEAP_SHARE))
        return self._program(self.toolchain.language.run, bounds_of(self.toolchain.language, limits), heap_mb)

    def _program(self, command: tuple[str, ...], bounds: Bounds, heap_mb: int) -> Program:
        tools, files, scratch = self.toolchain.tools, self.files, str(self.scratch)
        places = {
            "source": str(files.source),
            "binary": str(files.binary),
            "classes": str(files.classes),
            "main": files.main,
            "scratch": scratch,
        }
        return Program(
            arguments=fill(command, tools, heap_mb=heap_mb, **places),
            folder=self.workspace.folder if self.workspace else self.scratch,
            environment=environment(self.toolchain, self.scratch),
            read=(*self.toolchain.read, *self.data),
            run=self.toolchain.run,
            work=(self.workspace.folder,) if self.workspace else (),
            stdin=files.stdin,
            bounds=bounds,
        )


def bounds_of(language: Language, limits: ExecutionLimits) -> Bounds:
    """Return the limits of a call as bounds; a runtime that maps much more than it uses gets room to map."""
    beyond = limits.memory_mb - _ASSUMED_MEMORY_MB
    address_mb = max(_LEAST_ADDRESS_MB, limits.memory_mb, language.address_mb and language.address_mb + beyond)
    return Bounds(
        wall_seconds=limits.time_seconds,
        cpu_seconds=max(1, math.ceil(limits.cpu_budget_seconds)),
        memory_bytes=limits.memory_mb * MEGABYTE,
        address_bytes=address_mb * MEGABYTE,
    )


def environment(toolchain: Toolchain, scratch: Path) -> dict[str, str]:
    """Return the whole environment of a program: nothing of the host's."""
    own = {name: value.format(scratch=scratch) for name, value in toolchain.language.environment.items()}
    return {"HOME": str(scratch), "TMPDIR": str(scratch), "LANG": "C.UTF-8", "PATH": _PATH, **own}


def cancelled(execution: Execution) -> Execution:
    """Return the record of an execution that its caller gave up."""
    told = "The run was cancelled by its caller."
    return replace(execution, status=Status.ERROR, reason=Reason.CANCELLED, error_message=told)


def setup_error(language: str, reason: Reason, message: str) -> Execution:
    """Return the record of an execution that never began."""
    return Execution("", "", _SETUP_FAILED, 0.0, Status.SETUP_ERROR, message, reason, language)


def effective_limits(limits: ExecutionLimits | None, timeout: float | None) -> tuple[ExecutionLimits, tuple[str, ...]]:
    """Return the limits with the call's own time limit, and a note when that had to be changed."""
    limits = limits or ExecutionLimits()
    if timeout is None:
        return limits, ()
    seconds = clamped_seconds(timeout)
    told = f"The timeout of {timeout:g} seconds is outside 1 to 300, so {seconds:g} was used."
    return replace(limits, time_seconds=seconds), () if seconds == timeout else (told,)


def unsupported(language: object) -> str:
    """Return what to say of a language that is not on the list, with the nearest that is."""
    word = str(language)[:_LONGEST_ECHO]
    known = ", ".join(f"`{name}`" for name in LANGUAGES)
    return f"Unsupported language: `{word}`.{did_you_mean(word, LANGUAGES)} Use one of {known}."


_STATUS = {
    **dict.fromkeys(Reason, Status.ERROR),
    Reason.FINISHED: Status.SUCCESS,
    Reason.TIMED_OUT: Status.TIMEOUT,
    Reason.CPU_EXCEEDED: Status.TIMEOUT,
    Reason.INVALID: Status.SETUP_ERROR,
    Reason.UNAVAILABLE: Status.SETUP_ERROR,
}


def _judged(
    language: Language, ending: Ending, limits: ExecutionLimits, stderr: str, step: str
) -> tuple[Reason, str | None]:
    match ending.stop:
        case Stop.EXITED if step == "compiler" and ending.status == 0:
            return Reason.COMPILE_ERROR, "The compiler made no program: there is no `main` to start."
        case Stop.EXITED:
            return _judged_exit(language, ending, limits, stderr, step)
        case Stop.KILLED | Stop.ENDED_BY_HOST:
            return _judged_signal(language, ending, limits, stderr, step)
        case stop:
            return Reason(stop.value), _EXCESS[stop].format(step=step, seconds=limits.time_seconds, limits=limits)


_EXCESS = {
    Stop.TIMED_OUT: "The {step} was stopped because its time was up: {seconds:g} seconds.",
    Stop.CPU_EXCEEDED: "The {step} was stopped: it used up its processor time of {limits.cpu_budget_seconds:g} s.",
    Stop.MEMORY_EXCEEDED: "The {step} was stopped: it held more than its {limits.memory_mb} MB of memory.",
    Stop.TASKS_EXCEEDED: "The {step} was stopped because it started too many processes or threads.",
    Stop.OUTPUT_EXCEEDED: "The {step} was stopped because it wrote more output than can be kept.",
    Stop.SCRATCH_EXCEEDED: "The {step} was stopped because it filled its folder beyond its quota.",
}


def _judged_exit(
    language: Language, ending: Ending, limits: ExecutionLimits, stderr: str, step: str
) -> tuple[Reason, str | None]:
    code = os.WEXITSTATUS(ending.status)
    if code == 0:
        return Reason.FINISHED, None
    last = next((line.strip() for line in reversed(stderr.splitlines()) if line.strip()), "")
    if step == "program" and _admits_lack_of_memory(language, stderr):
        return Reason.MEMORY_EXCEEDED, f"The program ran out of its {limits.memory_mb} MB of memory: {last[:500]}"
    reason = Reason.RUNTIME_ERROR if step == "program" else Reason.COMPILE_ERROR
    return reason, f"The {step} ended with exit code {code}{': ' + last[:500] if last else '.'}"


def _admits_lack_of_memory(language: Language, stderr: str) -> bool:
    # The program's own word is believed here, because it speaks against itself.
    return any(word in stderr[-_LAST_WORDS:] for word in language.out_of_memory)


def _judged_signal(
    language: Language, ending: Ending, limits: ExecutionLimits, stderr: str, step: str
) -> tuple[Reason, str]:
    if step == "program" and _admits_lack_of_memory(language, stderr):
        return Reason.MEMORY_EXCEEDED, f"The program ran out of its {limits.memory_mb} MB of memory and ended."
    if ending.peak_memory_bytes >= _NEARLY_ALL * limits.memory_mb * MEGABYTE:
        return Reason.MEMORY_EXCEEDED, f"The {step} died with nearly all of its {limits.memory_mb} MB of memory in use."
    name = signal.Signals(os.WTERMSIG(ending.status)).name if os.WIFSIGNALED(ending.status) else "its supervisor"
    return Reason.KILLED, f"The {step} was killed by {name}."


def _exit_code(ending: Ending) -> int:
    if ending.stop in (Stop.TIMED_OUT, Stop.CPU_EXCEEDED):
        return _TIMED_OUT_CODE
    if os.WIFSIGNALED(ending.status):
        return _SIGNALLED_CODE + os.WTERMSIG(ending.status)
    return os.WEXITSTATUS(ending.status)


def _require(name: str, value: float, holds: bool, allowed: str) -> None:
    if not holds:
        raise ValueError(f"`{name}` is {value:g} and must be {allowed}.")
