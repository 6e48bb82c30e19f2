"""Fuel and guidance of an execution, whatever its language: what it used of its budget, and what to do if it failed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jupyter_mcpgen.model.fuel import FuelAnalysis, FuelUnit
from jupyter_mcpgen.model.guidance import ErrorGuidance
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.fuel.analysis import analyze_fuel
from jupyter_mcpgen.sandbox.fuel.import_costs import NATIVE
from jupyter_mcpgen.sandbox.guidance.beside import place_of
from jupyter_mcpgen.sandbox.guidance.coverage import is_a_failure
from jupyter_mcpgen.sandbox.guidance.guide import guide
from jupyter_mcpgen.sandbox.guidance.rules.ending import Bounds, Ending, Surroundings, nowhere
from jupyter_mcpgen.sandbox.guidance.rules.javascript_host import NODE, QUICKJS
from jupyter_mcpgen.sandbox.job import Outcome

_OUT_OF_FUEL = "out of fuel"
_ABOUT_FILES, _LAST_WORDS = ("FileNotFoundError", "ENOENT"), 2_000
_OUTCOMES = {
    **dict.fromkeys(Reason, Outcome.FAILED),
    Reason.FINISHED: Outcome.COMPLETED,
    Reason.TIMED_OUT: Outcome.TIMED_OUT,
    Reason.CPU_EXCEEDED: Outcome.CPU_EXCEEDED,
    Reason.MEMORY_EXCEEDED: Outcome.MEMORY_EXCEEDED,
    Reason.OUTPUT_EXCEEDED: Outcome.OUTPUT_EXCEEDED,
    Reason.SCRATCH_EXCEEDED: Outcome.OUTPUT_EXCEEDED,
    Reason.KILLED: Outcome.CRASHED,
}


@dataclass(frozen=True)
class Asked:
    """What the caller asked for, and in which words a new call asks for more.

    `fuel_budget` is the caller's own, in processor milliseconds unless the execution says what it counted;
    `memory_parameter` is `None` where the caller cannot ask for more, and `files` are those of the workspace.
    """

    code: str
    fuel_budget: int | None = None
    memory_mb: int = 0
    seconds: float = 0.0
    readable: tuple[str, ...] = ()
    memory_parameter: str | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Diagnosis:
    """The fuel of an execution, the guidance if it failed and a rule knows why, and what trapped it if anything did."""

    fuel: FuelAnalysis
    guidance: ErrorGuidance | None
    trap: str | None


def diagnose(execution: Execution, asked: Asked) -> Diagnosis:
    """Return what is to be said about an execution besides its output."""
    fuel = _fuel(execution, asked)
    trap = _OUT_OF_FUEL if _ran_out(execution, asked) else None
    guidance = guide(_ending(execution, asked, fuel, trap)) if is_a_failure(execution) else None
    return Diagnosis(fuel, guidance, trap)


def _ran_out(execution: Execution, asked: Asked) -> bool:
    if execution.fuel is not None:
        return execution.fuel.ran_out or execution.reason is Reason.OUT_OF_FUEL
    return asked.fuel_budget is not None and execution.reason is Reason.CPU_EXCEEDED


def _fuel(execution: Execution, asked: Asked) -> FuelAnalysis:
    """Return what was counted in the process if that was asked for, and else its processor time."""
    about = {"code": asked.code, "language": execution.language}
    history = execution.history
    counted = execution.fuel
    if counted is not None:
        unit, budget = FuelUnit(counted.unit), counted.budget or 0
        return analyze_fuel(
            counted.consumed, budget, unit=unit, history=history, costs=NATIVE, ran_out=counted.ran_out, **about
        )
    seen = execution.status is not Status.SETUP_ERROR and execution.reason is not Reason.LOST
    budget = round(1000 * execution.cpu_budget_seconds)
    return analyze_fuel(
        round(1000 * execution.cpu_seconds) if seen else None,
        budget if asked.fuel_budget is None else min(asked.fuel_budget, budget or asked.fuel_budget),
        unit=FuelUnit.CPU_MS,
        history=history,
        costs=NATIVE,
        ran_out=execution.reason is Reason.CPU_EXCEEDED,
        **about,
    )


def _beside(execution: Execution, asked: Asked) -> Callable[[str], str | None]:
    return lambda name: place_of(name, execution.language, asked.files, asked.readable)


def _ending(execution: Execution, asked: Asked, fuel: FuelAnalysis, trap: str | None) -> Ending:
    in_wasm = fuel.unit is FuelUnit.INSTRUCTIONS
    return Ending(
        outcome=_OUTCOMES[execution.reason],
        exit_code=execution.exit_code,
        trap=trap,
        stderr=execution.stderr,
        code=asked.code,
        language=execution.language,
        bounds=Bounds(
            fuel_budget=fuel.budget,
            fuel_consumed=fuel.consumed,
            fuel_unit=fuel.unit,
            memory_bytes=asked.memory_mb * 1024 * 1024 or None,
            wall_seconds=asked.seconds or None,
        ),
        surroundings=Surroundings(
            workspace=execution.folder or "/app",
            readable=asked.readable,
            memory_parameter=asked.memory_parameter,
            javascript=QUICKJS if in_wasm else NODE,
            starts_programs=not in_wasm,
            beside=_beside(execution, asked) if not in_wasm else nowhere,
        ),
        history=execution.history,
        costs=NATIVE,
        names=asked.files if any(word in execution.stderr[-_LAST_WORDS:] for word in _ABOUT_FILES) else (),
        has_too_many_tasks=execution.reason is Reason.TASKS_EXCEEDED,
        is_uncompiled=execution.reason is Reason.COMPILE_ERROR,
    )
