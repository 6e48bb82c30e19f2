"""Sees a failure again in the sandbox, and whether a fix ends it and changes nothing else.

A program that fails by itself is run. Of one that only defines functions, these are called with small values until the
function of the traceback fails in the same way; where they do not all end, it alone is called. A fix must give an
answer for these calls. All others that gave one must give the same value, print the same and leave the same arguments,
unless they differ from run to run without a fix.
Tests in the code, `test_…` without parameters, are run as well.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from jupyter_mcpgen.coding.debugging.diagnosing import Failure, diagnose
from jupyter_mcpgen.errors import AnalysisError, DiagnosisError, VerificationError
from jupyter_mcpgen.model.debugging import CodeDiagnosis, Verification
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status

CALLING = Path(__file__).with_name("calling.py")
"""The program that calls functions, as text; it runs in the sandbox alone."""
SECONDS = 20
_TEST = re.compile(r"^\s*(?:async )?def test_", re.MULTILINE)
_ADDRESS = re.compile(r"<[^<>\n]{1,200} at 0x[0-9a-f]{4,16}>")
"""How Python prints an object that has no words of its own, such as an iterator that was taken for a number."""
MARK = "answers of calls: "
_LIMITS = ExecutionLimits(time_seconds=SECONDS, memory_mb=512, cpu_cores=1.0)


class Call(Record):
    """One call and how it ended: with a value, as its `repr`, or with an exception on a line of the code.

    `digest` is the same for two calls that gave the same value, printed the same and left the same arguments.
    """

    call: str
    value: str | None = None
    digest: str = ""
    error: str | None = None
    message: str = ""
    line: int | None = None
    is_test: bool = False


_CALLS = TypeAdapter(tuple[Call, ...])


@dataclass(frozen=True)
class Reproduced:
    """A failure that was seen again: the run, or the calls that fail in the same way."""

    by: Literal["run", "calls"]
    failure: Failure
    calls: tuple[Call, ...] = ()
    failing: frozenset[str] = frozenset()
    stdout: str = ""
    """What the program had printed when it failed."""
    called: str | None = None
    """The function that is called, where it is not all of them."""

    @property
    def in_words(self) -> str:
        """Return how the failure was seen."""
        if self.by == "run":
            return "running the code"
        listed = ", ".join(f"`{each}`" for each in sorted(self.failing, key=lambda call: (len(call), call))[:3])
        return f"calling {listed}"


@dataclass(frozen=True)
class Held:
    """A fix that holds, with what shows it."""

    verification: Verification


@dataclass(frozen=True)
class NotHeld:
    """A fix that does not hold: why, and the failure that is left where it is another one."""

    why: str
    left: Failure | None = None


@dataclass(frozen=True)
class Trials:
    """Runs code of one language in the sandbox."""

    executor: Executor
    language: str
    cancellation: Cancellation = field(default_factory=Cancellation)

    def fail(self, source: str) -> tuple[Execution, Failure]:
        """Run code that fails, and return why it does; raises `DiagnosisError` where it runs to its end."""
        run = self._run(source)
        if run.status is Status.SUCCESS:
            raise DiagnosisError(
                "Nothing was given that says why this code failed, so it was run in the sandbox: it ran to its end. If "
                "it fails elsewhere, pass what it wrote on standard error. If it only defines functions, add the "
                "call or the test that fails."
            )
        return run, self._seen(source, run)

    def reproduce(self, source: str, failure: Failure) -> Reproduced:
        """Return the failure as it was seen again; raises `VerificationError` where it was not."""
        run = self._run(source)
        if run.status is not Status.SUCCESS:
            return Reproduced("run", self._seen(source, run), stdout=self._steadily(source, run))
        called, calls = self._first_calls(source, failure.function)
        own = [call for call in calls if call.call.startswith(f"{failure.function}(")]
        same = [call for call in own or calls if call.error == failure.name]
        at_place = [call for call in same if call.line == failure.diagnosis.line_number]
        failing = frozenset(call.call for call in at_place or same)
        if not failing:
            raise VerificationError(
                "The code ran to its end here, so the failure could not be seen again and no fix could be tried. Pass "
                "the whole program, with the call or the test that fails.",
                failure.diagnosis,
            )
        return Reproduced("calls", failure, self._steady(source, called, calls), failing, called=called)

    def holds(self, source: str, reproduced: Reproduced) -> Held | NotHeld:
        """Return whether code ends a failure."""
        run = self._run(source)
        if run.status is not Status.SUCCESS:
            return NotHeld(run.error_message or run.stderr[-500:], self._seen(source, run))
        if not run.stdout.startswith(reproduced.stdout):
            return NotHeld("what the program printed before it failed is not what it prints now")
        if _ADDRESS.search(run.stdout, len(reproduced.stdout)):
            return NotHeld("the program now prints where an object is in memory, which nobody wants to read")
        is_called = reproduced.by == "calls" or _TEST.search(source) is not None
        calls = self._calls(source, reproduced.called) if is_called and self.language == "python" else ()
        if calls is None:
            return NotHeld("its functions and tests, called in the sandbox, do not come to an end")
        after = {call.call: call for call in calls}
        failed = next((call for call in calls if call.is_test and call.error), None)
        if failed is not None:
            return NotHeld(f"`{failed.call}` fails with {failed.error}: {failed.message}")
        for name in sorted(reproduced.failing):
            left = after.get(name)
            if left is None or left.error is not None:
                return NotHeld(f"`{name}` still fails with {left.error if left else 'no answer'}")
        before = {call.call: call for call in reproduced.calls if call.value is not None}
        changed = next((call for name, call in before.items() if _digest(after, name) != call.digest), None)
        if changed is not None:
            return NotHeld(_difference(changed, after.get(changed.call)))
        tests = sum(call.is_test for call in calls)
        return Held(
            Verification(
                tests_passed=True,
                failure_reproduced=reproduced.in_words,
                tests_run=tests,
                unchanged_calls=len(before),
            )
        )

    def _first_calls(self, source: str, function: str | None) -> tuple[str | None, tuple[Call, ...]]:
        """Return how the calls of all functions end, or else of one; the name of that one comes first."""
        for called in dict.fromkeys((None, function)) if self.language == "python" else ():
            calls = self._calls(source, called)
            if calls is not None:
                return called, calls
        return None, ()

    def _steady(self, source: str, called: str | None, calls: tuple[Call, ...]) -> tuple[Call, ...]:
        """Return the calls that end in the same way each time; with the others no fix can be compared."""
        again = {call.call: call.digest for call in self._calls(source, called) or ()}
        return tuple(call for call in calls if again.get(call.call) == call.digest)

    def _steadily(self, source: str, run: Execution) -> str:
        """Return what a program printed before it failed, as far as it prints the same each time."""
        again = self._run(source).stdout if run.stdout else ""
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(run.stdout, again, strict=False))
        return "".join(sign for sign, _ in same)

    def _run(self, source: str) -> Execution:
        run = self.executor.execute(self.language, source, limits=_LIMITS, cancellation=self.cancellation)
        if run.status is Status.SETUP_ERROR or run.reason in (Reason.LOST, Reason.CANCELLED):
            raise AnalysisError(run.error_message or "The code could not be run.")
        return run

    def _seen(self, source: str, run: Execution) -> Failure:
        try:
            return diagnose(source, run.stderr, run.exit_code, self.language)
        except DiagnosisError:
            kind = "".join(part.capitalize() for part in run.reason.value.split("_"))
            told = CodeDiagnosis(
                error_type=kind, line_number=None, root_cause=run.error_message or kind, language=self.language
            )
            return Failure(told, None)

    def _calls(self, source: str, function: str | None) -> tuple[Call, ...] | None:
        """Return how calls of one function, or of all where none is named, and all tests end; None if they do not."""
        asked = json.dumps({"source": source, "function": function, "mark": MARK})
        program = CALLING.read_text(encoding="utf-8")
        run = self.executor.execute("python", program, stdin=asked, limits=_LIMITS, cancellation=self.cancellation)
        said = next((line for line in reversed(run.stdout.splitlines()) if line.startswith(MARK)), None)
        try:
            return None if said is None else _CALLS.validate_json(said.removeprefix(MARK))
        except ValidationError:
            return None  # the code wrote that line itself


def _digest(calls: Mapping[str, Call], name: str) -> str | None:
    found = calls.get(name)
    return None if found is None else found.digest


def _difference(before: Call, after: Call | None) -> str:
    """Say how a call ends in another way than before."""
    if after is None or after.value is None:
        left = "no answer" if after is None else f"{after.error}: {after.message}"
        return f"`{before.call}` gave {before.value} before, and now it ends with {left}"
    if after.value != before.value:
        return f"`{before.call}` gave {before.value} before, and gives {after.value} now"
    return f"`{before.call}` prints something else than before, or changes its arguments in another way"
