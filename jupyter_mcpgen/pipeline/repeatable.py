"""Whether a tool gives the same once more, in a process with another hash seed: the order of a set is no answer."""

from __future__ import annotations

from concurrent.futures import Future

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.validation import Evidence, Finding, Place, Severity, Verdict
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.pipeline.workbench import table_in
from jupyter_mcpgen.sandbox.job import Answer, Run
from jupyter_mcpgen.sandbox.policy import Limits

CHECK = "repeatable"
_FIX = "Sort what comes out of a `set` or out of `hash` before it is used: its order differs from process to process."


def repeats(
    first: Run, again: Future[Run], cases: tuple[str, ...], limits: Limits
) -> tuple[Evidence, tuple[Finding, ...]]:
    """Hold a run against its repetition on the same generated tables, which `cases` name in order."""
    try:
        difference = _difference(first, again.result(), cases, limits)
    except SandboxError as error:
        told = f"Could not run again in a fresh process: {error}"
        return Evidence(check=CHECK, verdict=Verdict.NOT_RUN, sentence=told), ()
    if difference is None:
        told = "Ran again in a fresh process: same result."
        return Evidence(check=CHECK, verdict=Verdict.PASSED, sentence=told), ()
    told = f"Ran again in a fresh process: another result, {difference}."
    finding = Finding(gate="behaviour", rule="not-repeatable", severity=Severity.ERROR, message=told, fix=_FIX)
    return Evidence(check=CHECK, verdict=Verdict.FAILED, sentence=told), (finding,)


def unrepeatable(reasons: tuple[str, ...]) -> Evidence:
    """Return that code which reads the clock or draws numbers cannot be asked to give the same again."""
    sentence = f"May give another result each time: {' and '.join(reasons)}."
    return Evidence(check=CHECK, verdict=Verdict.NOT_APPLICABLE, sentence=sentence, place=Place.NOTE)


def _difference(first: Run, again: Run, cases: tuple[str, ...], limits: Limits) -> str | None:
    if len(first.answers) != len(again.answers):
        return f"{len(first.answers)} answers against {len(again.answers)}"
    for case, one, other in zip(cases, first.answers, again.answers, strict=False):
        difference = _between(one, other, limits)
        if difference is not None:
            return f"on the generated table `{case}`, {difference}"
    return None


def _between(one: Answer, other: Answer, limits: Limits) -> str | None:
    """Compare two answers; tables that differ in their bytes only by how numbers were added up are the same."""
    if one.table is not None and other.table is not None and one.table != other.table:
        difference = first_difference(table_in(one, limits), table_in(other, limits))
        if difference is not None:
            return difference
    elif (one.table is None) != (other.table is None):
        return "a table against none"
    if (one.error_type, one.error_message) != (other.error_type, other.error_message):
        return f"`{one.error_type}: {one.error_message}` against `{other.error_type}: {other.error_message}`"
    if one.text != other.text:
        return "another text"
    return None if one.details == other.details else "other details"
