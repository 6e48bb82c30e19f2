"""The gates before the person's own data are touched: contract, policy, lint, then runs on generated tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.analysis.gate import static_findings
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.synthetic import Case, synthesize
from jupyter_mcpgen.errors import PlanError, SandboxError
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
from jupyter_mcpgen.pipeline.draft import Draft
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import (
    PlacedTool,
    call_all,
    difference_from_reference,
    unpacked,
    what_went_wrong,
)
from jupyter_mcpgen.plan.columns import used_columns, wanted_values
from jupyter_mcpgen.plan.ops import FIGURES, Distinct, Select
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.sandbox.job import Answer, Run
from jupyter_mcpgen.sandbox.policy import Limits

if TYPE_CHECKING:
    import pandas as pd

ROWS = 200
SEED = 20_261
CATEGORIES = {Case.TYPICAL: "normal", Case.DUPLICATES: "normal", Case.TIES: "normal", Case.MANY_GROUPS: "stress"}
"""The seed's categories; every other case is an edge case."""
MISSING_COLUMN = "missing_column"


def validate(draft: Draft, material: Material, services: Services) -> ValidationReport:
    """Run every gate; a gate that cannot run is a failed gate."""
    spec, package = draft.contract.spec, draft.package
    findings = static_findings(package.files, spec, draft.contract.capabilities)
    schema_ok = not any(f.gate == "contract" and f.severity is Severity.ERROR for f in findings)
    if any(finding.severity is Severity.ERROR for finding in findings):
        return ValidationReport(schema_ok=schema_ok, tests_ok=False, sandbox_ok=False, findings=findings)
    try:
        results = _run_cases(draft, material, services)
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
        findings=findings,
        evidence=(_evidence(results),),
    )


def _run_cases(draft: Draft, material: Material, services: Services) -> tuple[TestResult, ...]:
    plan = draft.contract.shape.plan
    used = used_columns(plan)
    schema = material.profile.schema_
    tables = {
        case: synthesize(schema, material.profile, ROWS, SEED, case, wanted_values(plan))[
            [name for name in schema.names if name in used] or list(schema.names)
        ]
        for case in Case
    }
    if used and any(isinstance(step, (*FIGURES, Select, Distinct)) for step in plan.steps):
        tables = {case: _with_unused(table) for case, table in tables.items()}
    with (
        unpacked(draft.package, services.workspace) as folder,
        TemporaryDirectory(prefix="cases-", dir=services.workspace) as place,
    ):
        paths = {case: _write(table, Path(place) / f"{case.value}.parquet") for case, table in tables.items()}
        arguments: list[dict[str, Any]] = [{"file_path": str(path)} for path in paths.values()]
        if used:
            needed = min(used)
            without = _with_unused(tables[Case.TYPICAL]).drop(columns=[needed])
            arguments.append({"file_path": str(_write(without, Path(place) / f"{MISSING_COLUMN}.parquet"))})
        tool = PlacedTool(folder, draft.contract.spec.tool_name, draft.contract.capabilities)
        run = call_all(services.sandbox, tool, tuple(arguments), services.limits)
    return tuple(_judge_all(run, draft.contract.shape, tables, services.limits, missing_column=bool(used)))


def _with_unused(table: pd.DataFrame) -> pd.DataFrame:
    """Add a column that nobody asked about and that has no value, so that it must not matter."""
    name = f"not {' '.join(table.columns)}"  # longer than every name there is
    return table.assign(**{name: float("nan")})


def _write(table: pd.DataFrame, path: Path) -> Path:
    table.to_parquet(path, index=False)
    path.chmod(0o644)
    return path


def _judge_all(
    run: Run, shape: Shape, tables: dict[Case, pd.DataFrame], limits: Limits, *, missing_column: bool
) -> Iterator[TestResult]:
    answers: tuple[Answer | None, ...] = (*run.answers, *([None] * (len(tables) + 1 - len(run.answers))))
    engine = Engine(next(iter(tables.values())))
    for (case, table), answer in zip(tables.items(), answers, strict=False):
        engine.load(table)
        error = what_went_wrong(run, answer) or _difference(answer, shape, table, engine, limits)
        category = CATEGORIES.get(case, "edge")
        yield TestResult(test_id=case.value, category=category, passed=error is None, error=error)
    engine.close()
    if missing_column:
        answer = answers[len(tables)]
        refused = answer is not None and not answer.ok and bool(answer.details.get("error"))
        error = None if refused else "a table without a needed column was not refused"
        yield TestResult(test_id=MISSING_COLUMN, category="edge", passed=refused, error=error)


def _difference(answer: Answer | None, shape: Shape, table: pd.DataFrame, engine: Engine, limits: Limits) -> str | None:
    if answer is None:
        return "no answer"
    names = set(table.columns)
    fields = tuple(field for field in shape.plan.source_schema.fields if field.name in names)
    try:
        plan = shape.bind({}, shape.plan.source_schema.model_copy(update={"fields": fields}))
        return difference_from_reference(answer, plan, engine, limits)
    except (SandboxError, PlanError) as error:
        return str(error)


def _metrics(results: tuple[TestResult, ...]) -> CodeMetrics:
    passed = sum(result.passed for result in results)
    rate = passed / len(results) if results else 0.0
    correctness = FunctionalCorrectnessMetrics(
        reference_solution_similarity=rate,
        test_cases_passed=passed,
        test_cases_total=len(results),
        test_case_pass_rate=rate,
        correctness_score=rate,
        test_results=results,
    )
    return CodeMetrics(functional_correctness=correctness, test_pass_rate=rate, overall_score=rate)


def _evidence(results: tuple[TestResult, ...]) -> Evidence:
    failed = [result.test_id.replace("_", " ") for result in results if not result.passed]
    if failed:
        sentence = f"{len(failed)} of {len(results)} generated tables gave another result than the reference: " + (
            ", ".join(failed)
        )
        return Evidence(check="generated_tables", verdict=Verdict.FAILED, sentence=f"{sentence}.")
    compared = [result.test_id.replace("_", " ") for result in results if result.test_id != MISSING_COLUMN]
    refused = ", and one without a needed column was refused" if len(compared) < len(results) else ""
    return Evidence(
        check="generated_tables",
        verdict=Verdict.PASSED,
        sentence=f"{len(compared)} generated tables ({', '.join(compared)}) gave the reference's result{refused}.",
        figure=len(results),
    )
