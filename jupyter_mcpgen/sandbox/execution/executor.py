"""Runs code in any of the eight languages inside the sandbox, and tells truthfully how it went.

`execute` never raises for what a caller or a program did: each ends in an `Execution` with the same keys. The words of
`status` are the four of the interface; `reason` says more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from platformdirs import user_cache_path

from jupyter_mcpgen.errors import SandboxError, SupervisorLost, did_you_mean
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.code_file import CodeFile, make_runnable, write_code
from jupyter_mcpgen.sandbox.execution.free_memory import FreeMemory, free_memory, shortage
from jupyter_mcpgen.sandbox.execution.limits import (
    ExecutionLimits,
    bounds_of,
    compile_bounds,
    compile_limits,
    effective_limits,
)
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import STATUS_OF, Execution, Reason, Status, cancelled, lost, setup_error
from jupyter_mcpgen.sandbox.execution.verdict import exit_code, judged
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.programs.go_library import ready_toolchain
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Language, Toolchain, fill
from jupyter_mcpgen.sandbox.programs.program import Bounds, Ending, Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.programs.timeline import Timeline

_HEAP_SHARE = 0.75
_PATH = "/usr/local/bin:/usr/bin:/bin"
_LEAST_HEAP_MB = 32
_LONGEST_ECHO = 64


@dataclass(frozen=True)
class Workspace:
    """A folder that outlives one execution, and the user it belongs to."""

    folder: Path
    user: int | None


def default_pages() -> Pages:
    """Return where the whole text of cut output is kept: the user's own cache folder."""
    return Pages(user_cache_path("jupyter-mcpgen") / "output")


@dataclass(frozen=True)
class Executor:
    """Runs code; holds what all executions share. `data` is what every program may read besides its own files."""

    sandbox: ProgramSandbox = field(default_factory=ProgramSandbox)
    pages: Pages = field(default_factory=default_pages)
    toolchain: Callable[[Language, Cancellation], Toolchain] = ready_toolchain
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
        except SupervisorLost as error:
            return replace(lost(language, str(error)), notes=notes, level=self.sandbox.level)
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
        toolchain = self.toolchain(language, cancellation)
        user = workspace.user if workspace else self.user_for(toolchain)
        with self.sandbox.scratch(user) as scratch:
            files = write_code(scratch, language, code, stdin, user)
            programs = Programs(toolchain, files, scratch, workspace, self.data)
            compiled = None
            if language.is_compiled:
                compiling = compile_limits(language, limits)
                compiled = self.sandbox.run(programs.compiler(), scratch, user, cancellation)
                if cancellation.is_cancelled:
                    return cancelled(self.judged(language, compiled, compiling, step="compiler"))
                if compiled.stop is not Stop.EXITED or compiled.status != 0 or not make_runnable(files):
                    return self.judged(language, compiled, compiling, step="compiler")
            ending = self.sandbox.run(
                programs.program(limits), scratch, user, cancellation, (timeline,) if timeline else ()
            )
        run = replace(self.judged(language, ending, limits), folder=str(workspace.folder if workspace else scratch))
        run = cancelled(run) if cancellation.is_cancelled and ending.stop is Stop.ENDED_BY_HOST else run
        return replace(run, compile_time=round(compiled.wall_seconds, 4)) if compiled else run

    def judged(self, language: Language, ending: Ending, limits: ExecutionLimits, step: str = "program") -> Execution:
        """Return the record of a program, or of a compiler that made none, by what its supervisor says."""
        stdout, stderr = (text.decode("utf-8", "replace") for text in (ending.stdout, ending.stderr))
        reason, message = judged(language, ending, limits, stderr, step)
        status = STATUS_OF[reason]
        streams = self.pages.streams(stdout, stderr, limits.output_characters, succeeded=status is Status.SUCCESS)
        return Execution(
            **streams._asdict(),
            exit_code=exit_code(ending),
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
        bounds = compile_bounds(compile_limits(language, ExecutionLimits()))
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
            links=self.toolchain.links,
            bounds=bounds,
        )


def environment(toolchain: Toolchain, scratch: Path) -> dict[str, str]:
    """Return the whole environment of a program: nothing of the host's."""
    own = {name: value.format(scratch=scratch) for name, value in toolchain.language.environment.items()}
    return {
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "PATH": _PATH,
        **own,
        **toolchain.environment,
    }


def unsupported(language: object) -> str:
    """Return what to say of a language that is not on the list, with the nearest that is."""
    word = str(language)[:_LONGEST_ECHO]
    known = ", ".join(f"`{name}`" for name in LANGUAGES)
    return f"Unsupported language: `{word}`.{did_you_mean(word, LANGUAGES)} Use one of {known}."
