"""The gates are listed in one place, each in a file of its own, and what blocks runs before what does not."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.model import validation
from jupyter_mcpgen.model.validation import Evidence, Finding, Severity, Verdict
from jupyter_mcpgen.pipeline import gates
from jupyter_mcpgen.pipeline.gates.gate import Found, Needs
from jupyter_mcpgen.pipeline.gates.registry import GATES, LATE

NOT_GATES = {"__init__", "gate", "registry", "remarks", "subject"}
WARNING = Finding(gate="types", rule="arg-type", severity=Severity.WARNING, message="a number for a text")
ERROR = WARNING.replace(severity=Severity.ERROR)


def said(verdict: Verdict) -> Evidence:
    return Evidence(check="a check", verdict=verdict, sentence="It was looked at.")


def test_every_file_of_the_package_is_a_gate_that_is_listed() -> None:
    files = {path.stem for path in Path(gates.__path__[0]).glob("*.py")} - NOT_GATES

    assert {gate.name for gate in (*GATES, *LATE)} == files
    assert len(files) == len(GATES) + len(LATE)


def test_a_decision_waits_for_every_gate_that_blocks_and_for_how_good_the_tests_are() -> None:
    assert not any(gate.blocking for gate in LATE)
    assert {gate.name for gate in GATES if not gate.blocking} == {"mutation", "statistic_asked"}


def test_code_is_read_before_it_is_run() -> None:
    needs = [gate.needs for gate in GATES]

    assert needs == sorted(needs, key=[Needs.FILES, Needs.RUNS, Needs.ANSWER].index)


def test_a_gate_passes_only_where_it_looked_and_nothing_failed() -> None:
    assert Found().verdict(blocking=True) is Verdict.PASSED
    assert Found(looked=False).verdict(blocking=True) is Verdict.NOT_APPLICABLE
    assert Found((ERROR,)).verdict(blocking=True) is Verdict.FAILED
    assert Found(evidence=(said(Verdict.PASSED), said(Verdict.NOT_RUN))).verdict(blocking=True) is Verdict.NOT_RUN
    assert Found(evidence=(said(Verdict.NOT_RUN), said(Verdict.FAILED))).verdict(blocking=True) is Verdict.FAILED
    wrong = validation.TestResult(test_id="empty", category="edge", passed=False, error="another result")
    assert Found(results=(wrong,)).verdict(blocking=True) is Verdict.FAILED


def test_a_warning_fails_only_a_gate_that_does_not_block() -> None:
    assert Found((WARNING,)).verdict(blocking=True) is Verdict.PASSED
    assert Found((WARNING,)).verdict(blocking=False) is Verdict.FAILED
