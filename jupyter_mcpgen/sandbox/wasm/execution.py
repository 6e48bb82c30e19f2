"""Runs code in WebAssembly and tells truthfully how it went: the same record as the native sandbox, and fuel with it.

    executor = WasmExecutor()
    run = executor.execute("javascript", "console.log(1)", fuel_budget=5_000_000_000)
    run.execution, run.fuel, run.guidance, run.parity
    executor.execute_compared(code, native)   # Python, run natively as well: the only way to `Parity.EQUAL`

`execute` never raises for what a caller or a program did. What is missing or not compiled is a `setup_error` that says
so and offers the native sandbox; nothing is switched by itself, because where code ran is a part of its result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_mcpgen.errors import RuntimeNotReady, SandboxError
from jupyter_mcpgen.model.fuel import FuelAnalysis, FuelUnit
from jupyter_mcpgen.model.guidance import ErrorGuidance
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor, default_pages
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits, clamped_seconds
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status, cancelled, setup_error
from jupyter_mcpgen.sandbox.fuel.analysis import analyze_fuel
from jupyter_mcpgen.sandbox.fuel.import_costs import REFERENCE, WASI_PYTHON
from jupyter_mcpgen.sandbox.fuel.meter import Reading
from jupyter_mcpgen.sandbox.guidance.guide import guide
from jupyter_mcpgen.sandbox.guidance.rules.ending import Bounds, Ending, Surroundings
from jupyter_mcpgen.sandbox.job import Outcome
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.wasm import guest
from jupyter_mcpgen.sandbox.wasm.artifacts import INSTALL
from jupyter_mcpgen.sandbox.wasm.guest import CANCELLED, FolderGrant, GuestLimits, GuestRun
from jupyter_mcpgen.sandbox.wasm.inside import reactor
from jupyter_mcpgen.sandbox.wasm.parity import NOT_COMPARED, Compared, compared, hazards
from jupyter_mcpgen.sandbox.wasm.python import run_python
from jupyter_mcpgen.sandbox.wasm.quickjs import run_javascript
from jupyter_mcpgen.wording import in_seconds

LANGUAGES = ("javascript", "python")
OUTPUT_CHARACTERS = 100_000
_NATIVE = "The native sandbox can run it instead, when it is asked for by name."
_SIGNAL_FREE_CODE = 1


@dataclass(frozen=True)
class WasmExecution:
    """One run in WebAssembly: its record, its fuel, advice when it failed, and whether it was compared."""

    execution: Execution
    runtime: str
    fuel: FuelAnalysis | None = None
    guidance: ErrorGuidance | None = None
    parity: Compared = NOT_COMPARED


@dataclass(frozen=True)
class WasmExecutor:
    """Runs Python and JavaScript in WebAssembly; holds what all runs share."""

    cache: Path | None = None
    pages: Pages = field(default_factory=default_pages)

    def execute(
        self,
        language: str,
        code: str | None,
        *,
        stdin: str | None = None,
        timeout: float | None = None,
        fuel_budget: int = GuestLimits.fuel,
        memory_bytes: int = GuestLimits.memory_bytes,
        grants: Iterable[FolderGrant] = (),
        cancellation: Cancellation | None = None,
    ) -> WasmExecution:
        """Run code to its end in a guest of its own and return its record."""
        runtime = f"wasm-{language}"
        if language not in LANGUAGES:
            known = ", ".join(f"`{name}`" for name in LANGUAGES)
            return _refused(
                language, runtime, Reason.INVALID, f"Unsupported language: `{language}`. Use one of {known}."
            )
        if not isinstance(code, str) or not code.strip():
            return _refused(language, runtime, Reason.INVALID, "There is no code to run. Pass its text as `code`.")
        try:
            limits = GuestLimits(fuel_budget, clamped_seconds(timeout), memory_bytes)
            runner = run_python if language == "python" else run_javascript
            run = runner(
                code,
                limits=limits,
                grants=tuple(grants),
                stdin=stdin or "",
                cancellation=cancellation,
                cache=self.cache,
            )
        except ValueError as error:
            return _refused(language, runtime, Reason.INVALID, str(error))
        except ImportError as error:
            told = f"`{error.name}` is not installed. Run `{INSTALL}`. {_NATIVE}"
            return _refused(language, runtime, Reason.UNAVAILABLE, told)
        except RuntimeNotReady as error:
            return _refused(language, runtime, Reason.UNAVAILABLE, f"{error} {_NATIVE}")
        except SandboxError as error:
            return _refused(language, runtime, Reason.UNAVAILABLE, str(error))
        return self._told(language, code, run, limits)

    def execute_compared(
        self,
        code: str,
        native: Executor,
        *,
        stdin: str | None = None,
        timeout: float | None = None,
        fuel_budget: int = GuestLimits.fuel,
        memory_bytes: int = GuestLimits.memory_bytes,
        cancellation: Cancellation | None = None,
    ) -> WasmExecution:
        """Run Python in a guest and, when that succeeds, natively too, and say whether both printed the same."""
        run = self.execute(
            "python",
            code,
            stdin=stdin,
            timeout=timeout,
            fuel_budget=fuel_budget,
            memory_bytes=memory_bytes,
            cancellation=cancellation,
        )
        if run.execution.status is not Status.SUCCESS:
            return run
        limits = ExecutionLimits(memory_mb=1024, cpu_cores=1.0)
        beside = native.execute("python", code, stdin=stdin, timeout=timeout, limits=limits, cancellation=cancellation)
        parity = compared(beside, run.execution)
        kept = tuple(note for note in run.execution.notes if note != NOT_COMPARED.reason)
        return replace(run, parity=parity, execution=replace(run.execution, notes=(*kept, parity.reason)))

    def _told(self, language: str, code: str, run: GuestRun, limits: GuestLimits) -> WasmExecution:
        costs = WASI_PYTHON if language == "python" else REFERENCE
        ran_out = run.trap == reactor.OUT_OF_FUEL
        fuel = analyze_fuel(run.fuel_used, limits.fuel, code=code, language=language, costs=costs, ran_out=ran_out)
        execution = self._execution(language, code, run, limits)
        guidance = guide(
            Ending(
                outcome=Outcome.COMPLETED if run.trap is None else Outcome.FAILED,
                exit_code=run.exit_code,
                trap=run.trap,
                stderr=run.stderr,
                code=code,
                language=language,
                bounds=Bounds(
                    limits.fuel, run.fuel_used, FuelUnit.INSTRUCTIONS, limits.memory_bytes, limits.wall_seconds
                ),
                surroundings=Surroundings(),
                costs=costs,
            )
        )
        return WasmExecution(execution, f"wasm-{language}", fuel, guidance)

    def _execution(self, language: str, code: str, run: GuestRun, limits: GuestLimits) -> Execution:
        stdout, stderr = (text.decode("utf-8", "replace") for text in (run.stdout, run.stderr))
        status, reason, message = _judged(language, run, limits, stderr)
        execution = Execution(
            **self.pages.streams(stdout, stderr, OUTPUT_CHARACTERS, succeeded=status is Status.SUCCESS)._asdict(),
            exit_code=_SIGNAL_FREE_CODE if run.exit_code is None else run.exit_code,
            execution_time=round(run.wall_seconds, 4),
            status=status,
            error_message=message,
            reason=reason,
            language=language,
            level=Level.CONTAINER,
            peak_memory_bytes=run.memory_bytes or 0,
            fuel=Reading(run.fuel_used, limits.fuel, FuelUnit.INSTRUCTIONS.value, run.trap == reactor.OUT_OF_FUEL),
            notes=_notes(language, code, run),
        )
        return cancelled(execution) if run.trap == CANCELLED else execution


def _refused(language: str, runtime: str, reason: Reason, told: str) -> WasmExecution:
    return WasmExecution(replace(setup_error(language, reason, told), level=Level.CONTAINER), runtime)


def _judged(language: str, run: GuestRun, limits: GuestLimits, stderr: str) -> tuple[Status, Reason, str | None]:
    said = [line.strip() for line in stderr.splitlines() if line.strip()]
    last = next(iter(said if language == "javascript" else reversed(said)), "")[:500]  # JavaScript says it first
    match run.trap:
        case None if run.exit_code == 0:
            return Status.SUCCESS, Reason.FINISHED, None
        case None if "MemoryError" in last or "out of memory" in stderr[-500:]:
            told = f"The program ran out of its {limits.memory_bytes:,} bytes of memory."
            return Status.ERROR, Reason.MEMORY_EXCEEDED, told
        case None:
            told = f"The program ended with exit code {run.exit_code}{': ' + last if last else '.'}"
            return Status.ERROR, Reason.RUNTIME_ERROR, told
        case reactor.OUT_OF_FUEL:
            return Status.ERROR, Reason.CPU_EXCEEDED, f"The program used up its fuel: {limits.fuel:,} instructions."
        case guest.DEADLINE:
            told = f"The program was stopped because its time was up: {in_seconds(limits.wall_seconds)}."
            return Status.TIMEOUT, Reason.TIMED_OUT, told
        case trap if "memory minimum size" in trap:
            told = f"The runtime does not start with {limits.memory_bytes:,} bytes of memory ({trap})."
            return Status.ERROR, Reason.MEMORY_EXCEEDED, told
        case trap:
            return Status.ERROR, Reason.KILLED, f"The program was ended by its runtime: {trap}."


def _notes(language: str, code: str, run: GuestRun) -> tuple[str, ...]:
    cut = tuple(f"`{name}` was cut at its limit." for name in run.truncated)
    if language != "python":
        return cut
    places = "; ".join(f"line {found.line}: `{found.found}`, write `{found.instead}`" for found in hazards(code)[:5])
    warned = (f"Integers may be 32 bits wide here: {places}.",) if places else ()
    return (*cut, *warned, NOT_COMPARED.reason)
