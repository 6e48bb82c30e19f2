"""The gates of a tool: contract and policy before any run, then lint and runs on generated tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import TYPE_CHECKING

from jupyter_mcpgen.analysis.chance import reasons_for_change
from jupyter_mcpgen.analysis.gate import safety_findings
from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.analysis.packages import packages_in
from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.validation import (
    CodeMetrics,
    Evidence,
    Finding,
    FunctionalCorrectnessMetrics,
    Severity,
    TestResult,
    ValidationReport,
    Verdict,
)
from jupyter_mcpgen.pipeline.beside import beside
from jupyter_mcpgen.pipeline.draft import Computed, Draft
from jupyter_mcpgen.pipeline.generated import MISSING_COLUMN, REPEATED_KEY, Tables
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.reference import Reference
from jupyter_mcpgen.pipeline.references import reference_of
from jupyter_mcpgen.pipeline.repeatable import repeats, unrepeatable
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import (
    PlacedTool,
    call_all,
    result_in,
    unpacked,
    what_went_wrong,
)
from jupyter_mcpgen.sandbox.job import Run
from jupyter_mcpgen.sandbox.policy import Limits

if TYPE_CHECKING:
    import pandas as pd

CATEGORIES = {Case.TYPICAL: "normal", Case.DUPLICATES: "normal", Case.TIES: "normal", Case.MANY_GROUPS: "stress"}
"""The seed's categories; every other case is an edge case."""
REFUSED = {
    MISSING_COLUMN: "that lack a needed column",
    REPEATED_KEY: "whose key repeats rows of the other table",
}
"""The generated tables that a tool must not answer for."""
_TOLD = {Case.EMPTY: "empty", Case.NULLS: "missing values", Case.TIES: "ties"}
"""The generated tables that say best what the others are like."""
_LONGEST_REASON = 200


def screen(draft: Draft) -> tuple[Finding, ...]:
    """Return what the gates find that come before any run: the contract, the policy, and packages that are not here."""
    found = safety_findings(draft.package.files, draft.contract.spec, draft.contract.capabilities)
    return (*found, *_not_installed(draft.package.code))


def _not_installed(code: str) -> Iterator[Finding]:
    for name in packages_in(code):
        if find_spec(name) is None:
            message = f"`{name}` is not installed. Install it: `pip install {name}`."
            yield Finding(gate="sandbox", rule="not-installed", severity=Severity.ERROR, message=message)


def validate(computed: Computed, services: Services) -> ValidationReport:
    """Run the gates that an answer does not wait for; a gate that cannot run is a failed gate."""
    draft, material = computed.draft, computed.material
    findings = (*computed.findings, *check_lint(draft.package.files))
    schema_ok = not any(f.gate == "contract" and f.severity is Severity.ERROR for f in findings)
    if any(finding.severity is Severity.ERROR for finding in findings):
        return ValidationReport(schema_ok=schema_ok, tests_ok=False, sandbox_ok=False, findings=findings)
    try:
        results, again, unlike, related = _run_cases(draft, material, services)
    except SandboxError as error:
        finding = Finding(gate="sandbox", rule="not-run", severity=Severity.ERROR, message=str(error))
        return ValidationReport(schema_ok=schema_ok, tests_ok=False, sandbox_ok=False, findings=(*findings, finding))
    failed = [result for result in results if not result.passed]
    errors = tuple(f"{result.test_id}: {result.error}" for result in failed)
    return ValidationReport(
        schema_ok=schema_ok,
        tests_ok=not failed,
        sandbox_ok=True,
        logs=tuple(f"{result.test_id}: {'passed' if result.passed else 'failed'}" for result in results),
        errors=errors or None,
        code_metrics=_metrics(results),
        findings=(*findings, *unlike),
        evidence=(_evidence(results), again, *related),
    )


def _run_cases(
    draft: Draft, material: Material, services: Services
) -> tuple[tuple[TestResult, ...], Evidence, tuple[Finding, ...], tuple[Evidence, ...]]:
    """Return the results on generated tables, whether a second process gave the same, and what the result hangs on."""
    reference = reference_of(draft, services)
    tables = reference.cases(material)
    refused = reference.refused(tables[Case.TYPICAL])
    varied = reference.variations(tables[Case.TYPICAL])
    changes = reasons_for_change(draft.package.code)
    with (
        unpacked(draft.package, services.workspace) as folder,
        TemporaryDirectory(prefix="cases-", dir=services.workspace) as place,
    ):
        named = {**{case.value: given for case, given in tables.items()}, **refused, **varied}
        arguments = [given.written(Path(place), name) for name, given in named.items()]
        tool = PlacedTool(folder, draft.contract.spec.tool_name, draft.contract.capabilities)
        calls, limits = tuple(arguments), services.limits
        with beside(lambda: call_all(services.sandbox, tool, calls, limits, other_seed=True)) as again:
            run = call_all(services.sandbox, tool, calls, limits)
            outcomes = [_outcome(run, place, limits) for place in range(len(named))]
            judged = _judge(outcomes[: len(tables)], reference, tables, material)
            results = (*judged, *_judge_refused(run, len(tables), tuple(refused)))
            last = outcomes[len(named) - len(varied) :]
            by_name = {name: outcome.result for name, outcome in zip(varied, last, strict=True)}
            if changes:  # two runs of it may differ whatever the tables are
                return results, unrepeatable(changes), (), ()
            typical = outcomes[list(tables).index(Case.TYPICAL)].result
            related = reference.relations(typical, by_name, tables[Case.TYPICAL])
            return results, *repeats(run, again, tuple(named), limits), related


@dataclass(frozen=True)
class _Outcome:
    """What the code gave on one generated table: a result, or what went wrong."""

    result: pd.DataFrame | None
    wrong: str | None


def _outcome(run: Run, place: int, limits: Limits) -> _Outcome:
    answer = run.answers[place] if place < len(run.answers) else None
    wrong = what_went_wrong(run, answer)
    if answer is None or wrong is not None:
        return _Outcome(None, wrong or "no answer")
    try:
        return _Outcome(result_in(answer, limits), None)
    except SandboxError as dishonest:
        return _Outcome(None, str(dishonest))


def _judge(
    outcomes: list[_Outcome], reference: Reference, tables: dict[Case, Tables], material: Material
) -> Iterator[TestResult]:
    """Yield how the code did on each generated table that it must answer for."""
    differences = reference.differences(list(tables.values()), [outcome.result for outcome in outcomes], material)
    for case, outcome, difference in zip(tables, outcomes, differences, strict=True):
        error = outcome.wrong or difference
        category = CATEGORIES.get(case, "edge")
        yield TestResult(test_id=case.value, category=category, passed=error is None, error=error)


def _judge_refused(run: Run, before: int, refused: tuple[str, ...]) -> Iterator[TestResult]:
    """Yield whether the code refused each table that it must not answer for; they were called after the others."""
    answers = [*run.answers[before:], *[None] * len(refused)]
    for name, answer in zip(refused, answers, strict=False):
        passed = answer is not None and not answer.ok and bool(answer.details.get("error"))
        error = None if passed else f"a table with a {name.replace('_', ' ')} was not refused"
        yield TestResult(test_id=name, category="edge", passed=passed, error=error)


def _metrics(results: tuple[TestResult, ...]) -> CodeMetrics | None:
    """Return what was measured, which is the share of the cases that passed; a case is one generated table."""
    if not results:
        return None
    passed = sum(result.passed for result in results)
    rate = passed / len(results)
    correctness = FunctionalCorrectnessMetrics(
        test_cases_passed=passed,
        test_cases_total=len(results),
        test_case_pass_rate=rate,
        test_results=results,
    )
    return CodeMetrics(functional_correctness=correctness, test_pass_rate=rate)


def _has(results: tuple[TestResult, ...], test_id: str) -> bool:
    return any(result.test_id == test_id for result in results)


def _evidence(results: tuple[TestResult, ...]) -> Evidence:
    failed = [result for result in results if not result.passed]
    if failed:
        named = ", ".join(result.test_id.replace("_", " ") for result in failed)
        sentence = (
            f"Failed {len(failed)} of {len(results)} generated tables: {named}. "
            f"The first: {shorten(failed[0].error or 'no reason is known', _LONGEST_REASON).removesuffix('.')}."
        )
        return Evidence(check="generated_tables", verdict=Verdict.FAILED, sentence=sentence)
    number = sum(result.test_id not in REFUSED for result in results)
    told = [said for case, said in _TOLD.items() if _has(results, case)]
    refused = " or ".join(said for name, said in REFUSED.items() if _has(results, name))
    examples = f" ({', '.join(told)}{'…' if number > len(told) else ''})" if told else ""
    sentence = f"Passed {number} edge-case tables{examples}." + (f" Rejects tables {refused}." if refused else "")
    return Evidence(check="generated_tables", verdict=Verdict.PASSED, sentence=sentence, figure=len(results))
