"""One interpreter that takes cells: started in the sandbox, asked one cell at a time, ended with all it started."""

from __future__ import annotations

import json
import secrets
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from jupyter_mcpgen.model.fuel import MOST_FUEL, FuelUnit
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.code_file import write_code
from jupyter_mcpgen.sandbox.execution.executor import Executor, Programs, Workspace
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status, cancelled
from jupyter_mcpgen.sandbox.fuel.meter import Reading
from jupyter_mcpgen.sandbox.inside.disk_use import used_bytes
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.loops import Loop, loop_for
from jupyter_mcpgen.sandbox.programs.languages import Language
from jupyter_mcpgen.sandbox.programs.launch import Running
from jupyter_mcpgen.sandbox.programs.program import Ending, Program

STATE_FILE = ".session_state.json"
_LIFE_SECONDS = 24 * 3600
_LONGEST_MESSAGE, _LONGEST_REPLY = 2_000, 1 << 20
_NO_REPLY = "The interpreter was ended, because this code, or code before it, wrote to its answer channel."


@dataclass(frozen=True)
class FuelLimit:
    """Fuel to be counted up to a budget: `EVENTS` or `LINES` of Python, `INSTRUCTIONS` of WebAssembly."""

    budget: int
    unit: FuelUnit


@dataclass(frozen=True)
class Cell:
    """What is asked of an interpreter once; with `keeps_file` variables are read from and written to a state file."""

    code: str
    stdin: str = ""
    fuel: FuelLimit | None = None
    keeps_file: bool = False

    def request(self) -> dict[str, Any]:
        """Return the message to the loop."""
        request: dict[str, Any] = {"code": self.code, "stdin": self.stdin}
        if self.keeps_file:
            request["state_file"] = STATE_FILE
        if self.fuel is not None and self.fuel.unit is FuelUnit.INSTRUCTIONS:
            request["fuel"] = {"budget": self.fuel.budget}
        elif self.fuel is not None:
            source = files("jupyter_mcpgen.sandbox.fuel").joinpath("meter.py").read_text(encoding="utf-8")
            lines = self.fuel.unit is FuelUnit.LINES
            request["fuel"] = {"budget": self.fuel.budget, "lines": lines, "meter": source}
        return request


@dataclass(frozen=True)
class Ran:
    """How a cell ended, and whether its interpreter outlived it; one that had ended before did not hear of it."""

    execution: Execution
    survived: bool
    was_heard: bool = True


@dataclass(frozen=True)
class _Used:
    """How long a cell took, and the processor time that its interpreter had used before."""

    wall_seconds: float
    cpu_before: float


@dataclass
class Interpreter:
    """A running loop and the folders that go with it, which hold `quota_bytes`; used by one thread at a time.

    `was_overfull` says that they held more before the next cell, which is then not ended for it.
    """

    executor: Executor
    loop: Loop
    workspace: Workspace
    folders: frozenset[Path]
    quota_bytes: int
    was_overfull: bool
    running: Running
    cleanup: ExitStack

    @classmethod
    def start(cls, executor: Executor, loop: Loop, workspace: Workspace, limits: ExecutionLimits) -> Interpreter:
        """Start one; raises `SandboxError` when it cannot be confined or its language is not installed."""
        toolchain = executor.toolchain(loop.written_in, Cancellation())
        with ExitStack() as cleanup:
            scratch = cleanup.enter_context(executor.sandbox.scratch(workspace.user))
            code = write_code(scratch, loop.written_in, loop.text, None, workspace.user, loop.beside)
            data = executor.data if loop.sees_data else ()
            program = Programs(toolchain, code, scratch, workspace, data).program(limits)
            running = cleanup.enter_context(executor.sandbox.start(_for_life(program), scratch, workspace.user))
            quota = program.bounds.scratch_bytes
            folders = frozenset((workspace.folder, scratch))
            overfull = _is_overfull(folders, quota)
            return cls(executor, loop, workspace, folders, quota, overfull, running, cleanup.pop_all())

    def run(self, cell: Cell, limits: ExecutionLimits, cancellation: Cancellation) -> Ran:
        """Run one cell; a timeout, a limit or a cancellation ends the interpreter with it."""
        cpu_before, _ = self.running.used()
        begin = time.monotonic()
        mark = secrets.token_hex(8)
        with cancellation.calling(self.running.let_go):
            reply = self.running.ask({**cell.request(), "mark": mark}, limits.time_seconds, limits.cpu_seconds)
        seconds = time.monotonic() - begin
        used = _Used(seconds, cpu_before)
        told = None if reply is None else _parsed(reply, mark)
        if told is None:
            is_late = reply is None and not self.running.has_ended
            was_heard = is_late or cancellation.is_cancelled or self.running.has_heard
            execution = self._ended(used, limits, cell, cancellation, Stop.TIMED_OUT if is_late else None)
            if reply is not None and execution.reason in (Reason.KILLED, Reason.RUNTIME_ERROR):
                # We ended it for a reply that is not its loop's, or it fell over that itself: whichever came first.
                execution = replace(execution, reason=Reason.KILLED, error_message=_NO_REPLY)
            return Ran(execution, survived=False, was_heard=was_heard)
        if self._has_overfilled():
            execution = self._ended(used, limits, cell, cancellation, Stop.SCRATCH_EXCEEDED)
            return Ran(execution, survived=False)
        cpu_after, held = self.running.used()
        stdout, stderr = self.running.output()
        cpu = max(0.0, cpu_after - cpu_before)
        ending = Ending(Stop.EXITED, told.exit_code << 8, stdout, stderr, seconds, cpu, held)
        execution = self._judged(ending, limits, told.reading(cell.fuel))
        if told.ran_out and told.exit_code:
            execution = replace(execution, reason=Reason.OUT_OF_FUEL)
        if told.message and told.exit_code:
            execution = replace(execution, error_message=told.message)
        return Ran(replace(execution, notes=told.notes), survived=not told.ended)

    def let_go(self) -> None:
        """End the process, from any thread; whoever waits for it is answered."""
        self.running.let_go()

    def close(self) -> None:
        """End the process and wipe its scratch folder."""
        self.cleanup.close()

    def _has_overfilled(self) -> bool:
        """Return whether a cell left more than the quota, which its supervisor need not have seen before the answer."""
        before = self.was_overfull
        self.was_overfull = _is_overfull(self.folders, self.quota_bytes)
        return self.was_overfull and not before

    def _ended(
        self, used: _Used, limits: ExecutionLimits, cell: Cell, cancellation: Cancellation, because: Stop | None
    ) -> Execution:
        """Return the record of a cell that its interpreter did not survive; `because` is why we ended it, if we did."""
        ending = self.running.end()
        if ending.stop is Stop.ENDED_BY_HOST and because is not None:
            ending = replace(ending, stop=because)
        cpu = max(0.0, ending.cpu_seconds - used.cpu_before)
        ending = replace(ending, wall_seconds=used.wall_seconds, cpu_seconds=cpu)
        execution = self._judged(ending, limits, _unread(cell.fuel))
        if cancellation.is_cancelled and ending.stop is Stop.ENDED_BY_HOST:
            return cancelled(execution)
        if execution.status is Status.SUCCESS:  # it left without an answer
            told = "The code ended the interpreter that ran it."
            return replace(execution, status=Status.ERROR, reason=Reason.KILLED, error_message=told)
        return execution

    def _judged(self, ending: Ending, limits: ExecutionLimits, fuel: Reading | None) -> Execution:
        execution = self.executor.judged(self.loop.cells, ending, limits)
        folder = self.loop.workspace or str(self.workspace.folder)
        # A cell may keep one processor busy for as long as it may take: its share is not enforced, its times are.
        budget = min(limits.time_seconds, limits.cpu_seconds or limits.time_seconds)
        return replace(execution, cpu_budget_seconds=budget, folder=folder, fuel=fuel)


def run_alone(
    executor: Executor, language: Language, cell: Cell, limits: ExecutionLimits, cancellation: Cancellation
) -> Execution:
    """Run one cell in an interpreter and a folder of its own, of which nothing is left; raises `SandboxError`."""
    user = executor.user_for(executor.toolchain(language, cancellation))
    with executor.sandbox.scratch(user) as folder:
        interpreter = Interpreter.start(executor, loop_for(language.name), Workspace(folder, user), limits)
        try:
            return replace(interpreter.run(cell, limits, cancellation).execution, level=executor.sandbox.level)
        finally:
            interpreter.close()


@dataclass(frozen=True)
class _Told:
    """What the loop says about a cell."""

    exit_code: int
    message: str | None
    consumed: int | None = None
    ran_out: bool = False
    note: str | None = None
    notes: tuple[str, ...] = ()
    ended: bool = False

    def reading(self, fuel: FuelLimit | None) -> Reading | None:
        """Return what was counted, as far as it was asked for; it advises and is believed only for that."""
        if fuel is None:
            return None
        return Reading(self.consumed, fuel.budget, fuel.unit.value, self.ran_out, self.note)


def _is_overfull(folders: frozenset[Path], quota_bytes: int) -> bool:
    return sum(used_bytes(folder, quota_bytes) for folder in folders) > quota_bytes


def _unread(fuel: FuelLimit | None) -> Reading | None:
    if fuel is None:
        return None
    return Reading(None, fuel.budget, fuel.unit.value, note="the interpreter ended before it could be read")


def _parsed(reply: bytes, mark: str) -> _Told | None:
    """Return what a reply says; a cell can write there too, so whatever is not a reply, or is one to another, is none.

    The mark is told to nobody before the request, so a reply that was written beforehand has another. Whatever runs in
    the interpreter while the cell does can read it there, so what a reply says is the word of all that code, no more.
    """
    if len(reply) > _LONGEST_REPLY:
        return None
    try:
        document = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    match document:
        case {"exit_code": int(code), "message": str() | None as message, "mark": str(answered)} if answered == mark:
            told = _Told(code & 0xFF if code else 0, None if message is None else message[:_LONGEST_MESSAGE])
            ended = document.get("ended") is True
            return replace(told, notes=_notes(document.get("notes")), ended=ended, **_counted(document.get("fuel")))
        case _:
            return None


def _counted(fuel: object) -> dict[str, Any]:
    match fuel:
        case {"consumed": int(consumed), "ran_out": bool(ran_out)} if 0 <= consumed < MOST_FUEL:
            return {"consumed": consumed, "ran_out": ran_out}
        case {"note": str(note)}:
            return {"note": note[:_LONGEST_MESSAGE]}
        case _:
            return {}


def _notes(notes: object) -> tuple[str, ...]:
    listed = notes if isinstance(notes, list) else []
    return tuple(note[:_LONGEST_MESSAGE] for note in listed[:3] if isinstance(note, str))


def _for_life(program: Program) -> Program:
    """Return a program that may wait for its cells for a day; each cell has its own time limit."""
    bounds = replace(program.bounds, wall_seconds=_LIFE_SECONDS, cpu_seconds=_LIFE_SECONDS)
    return replace(program, bounds=bounds)
