"""The coding family, as far as it fixes code that failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jupyter_mcpgen.coding.debugging.debugger import Debugger, Failed
from jupyter_mcpgen.errors import CodingError, DebuggingError, McpgenError
from jupyter_mcpgen.model.debugging import CodeDiagnosis, Debugged
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.visible import unobeyed
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.tools.debugging_records import CodeDebug, CodingDebugCode, DebugAnswer, DebugReview, NotFixed
from jupyter_mcpgen.tools.offer import RUNS, Caller, Offer, Reply

MOST_SECONDS = 300.0


def offers(debugger: Callable[[], Debugger], note: str) -> tuple[Offer[Any], ...]:
    """Return these tools; `note` says what confines the code that is tried."""
    family = _Debugging(debugger)
    return (
        Offer(
            "coding_debug_code", CodingDebugCode, DebugAnswer, RUNS, family.debug_code, note,
            seconds=_seconds, refused=lambda why: _not_fixed(why, "DiagnosisError"),
        ),
        Offer(
            "code_debug", CodeDebug, DebugReview, RUNS, family.debug,
            seconds=_seconds, refused=lambda why: _shortly(_not_fixed(why, "DiagnosisError")),
        ),
    )  # fmt: skip


class _Debugging:
    """The tools, a few lines each."""

    def __init__(self, debugger: Callable[[], Debugger]) -> None:
        self._debugger = debugger

    def debug_code(self, asked: CodingDebugCode, caller: Caller) -> Reply:
        """Fix code."""
        failed = Failed(asked.source_code, asked.stderr, asked.exit_code, asked.stdout, asked.language)
        return self._debugged(failed, asked.max_retries, caller)

    def debug(self, asked: CodeDebug, caller: Caller) -> Reply:
        """Fix code, with the answer inside another that says the same of its status."""
        failed = Failed(asked.code, asked.stderr, asked.exit_code, asked.stdout)
        return _shortly(self._debugged(failed, 3, caller))

    def _debugged(self, failed: Failed, retries: int, caller: Caller) -> Reply:
        try:
            found = self._debugger().debug(failed, retries, caller.cancellation)
        except McpgenError as error:
            kind = error.seed_name if isinstance(error, CodingError) else type(error).__name__
            diagnosis = error.diagnosis if isinstance(error, DebuggingError) else None
            return _not_fixed(str(error), kind, diagnosis if isinstance(diagnosis, CodeDiagnosis) else None)
        return Reply(_in_words(found), found)


def _seconds(_: Record) -> float:
    return MOST_SECONDS


def _not_fixed(why: str, kind: str, diagnosis: CodeDiagnosis | None = None) -> Reply:
    record = NotFixed(error=f"Debugging failed: {why}", error_type=kind, diagnosis=diagnosis)
    steps = () if diagnosis is None else diagnosis.advice
    return Reply(unobeyed("\n".join([record.error, *(f"- {step}" for step in steps)])), record, failed=True)


def _shortly(reply: Reply) -> Reply:
    record = reply.record
    if isinstance(record, NotFixed):
        short = DebugReview(status=Status.ERROR, diagnosis=record.diagnosis, error=record.error)
        return Reply(reply.text, short, failed=True)
    return Reply(reply.text, DebugReview.model_validate({"status": Status.SUCCESS, "diagnosis": record}))


def _in_words(found: Debugged) -> str:
    line = f" on line {found.diagnosis.line_number}" if found.diagnosis.line_number else ""
    shown = found.verification
    tests = f" {shown.tests_run} tests pass." if shown.tests_run else ""
    same = f" {shown.unchanged_calls} other calls give the same as before." if shown.unchanged_calls else ""
    return unobeyed(
        f"{found.diagnosis.error_type}{line}: {found.diagnosis.root_cause}\n"
        f"{found.patch_description}\n"
        f"The failure was seen again by {shown.failure_reproduced}; after the fix it is gone.{tests}{same}\n\n"
        f"{found.patch}"
    )
