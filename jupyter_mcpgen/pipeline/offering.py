"""Takes a tool that a client offers: looks at its code, tries it in the sandbox, and keeps it for a person to decide.

Nothing of it can be called before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.analysis.packages import imports_in
from jupyter_mcpgen.analysis.safety import check_safety
from jupyter_mcpgen.authors.offered import (
    OfferedContract,
    contract_of_offered,
    limits_in_words,
    offered_in,
    package_of_offered,
)
from jupyter_mcpgen.errors import RegistryError, SandboxError, SchemaValidationError
from jupyter_mcpgen.model.candidate import CLIENT, ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirmation, Confirms
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.offered import OfferedTool
from jupyter_mcpgen.model.package import Package, code_hash, fingerprint, spec_hash
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.tool import CHANGES, Predecessor, annotations_for
from jupyter_mcpgen.model.validation import (
    TWO_WAYS,
    Evidence,
    Finding,
    Place,
    Severity,
    TestResult,
    ValidationReport,
    Verdict,
)
from jupyter_mcpgen.pipeline.argument_cases import ArgumentCase, cases_of
from jupyter_mcpgen.pipeline.diff import diff_of, side_of, side_of_candidate
from jupyter_mcpgen.pipeline.gates.packages import missing_packages
from jupyter_mcpgen.pipeline.present import confined_by, evidence_sentence, signature
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.pipeline.workbench import PlacedTool, call_all, table_in, unpacked, what_went_wrong
from jupyter_mcpgen.plan.visible import name_in_words
from jupyter_mcpgen.sandbox.capabilities import granted, sentences
from jupyter_mcpgen.sandbox.job import Answer, Outcome, Run
from jupyter_mcpgen.sandbox.policy import Limits

_USUAL = ("example", "normal")
"""The calls that a tool must get through."""
_CALLS_OF_EDGES = 3
"""How many times the time of one call all calls with made-up values may take together."""
_MOST_SHOWN, _LONGEST_CELL = 8, 200
_PYTHON_MB = 40
_LIBRARY_MB = {"numpy": 120, "pandas": 260, "pyarrow": 200, "helpers": 280}
_OTHER_LIBRARY_MB = 460
"""How much of the memory that a process may map is taken by Python alone, and by a library and all that it imports.

Measured in steps of 20 MB: the least bound under which a tool that imports it can also fill 90 MB, without these, and
rounded up. The last one is pandas, scipy and matplotlib together; other packages were not measured.
"""
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


@dataclass(frozen=True)
class _Tried:
    """One call of an offered tool, and what it gave or how it went wrong."""

    case: ArgumentCase
    answer: Answer | None
    value: Any
    wrong: str | None


def offer(offered: OfferedTool, follows: Predecessor | None, services: Services) -> Card:
    """Look at an offered tool, try it, and stage it; `follows` is the version that it would take the place of.

    Raises `SchemaValidationError` for code that breaks a rule, cannot be run, or does not give what it promises.
    """
    contract, package = contract_of_offered(offered), package_of_offered(offered)
    findings = tuple(_findings(package, contract))
    _refuse(findings)
    tried, changes = _tried(offered, contract, package, services)
    if changes and CHANGES not in contract.capabilities:
        contract = OfferedContract(
            contract.spec,
            (*contract.capabilities, CHANGES),
            contract.dependencies,
            (*contract.limitations, "Gave another result when it was called again."),
        )
    report = _report(offered, tried, findings)
    candidate = _candidate(offered, contract, package, report, services)
    card = _card(offered, contract, candidate, package, tried, _diff(follows, candidate, package, services), services)
    services.registry.stage(candidate, package, card)
    return card


def limits_of(offered: OfferedTool, usual: Limits, brought: Collection[str] = ()) -> Limits:
    """Return the bounds of one call of a client's tool; what its libraries take is not counted against it.

    `brought` are libraries that the call needs besides those that the code imports.
    """
    limits, imported = offered.resource_limits, {*imports_in(offered.source_code), *brought}
    libraries = max((_LIBRARY_MB.get(name, _OTHER_LIBRARY_MB) for name in imported), default=_PYTHON_MB)
    return Limits(
        wall_seconds=limits.timeout_seconds,
        cpu_seconds=max(1, round(limits.timeout_seconds)),
        memory_mb=libraries + limits.memory_mb,
        rows=usual.rows,
        columns=usual.columns,
    )


def value_of(answer: Answer, limits: Limits) -> Any:
    """Return what a tool gave as a JSON value; a table becomes a list of its rows."""
    if answer.table is None:
        return answer.value
    table = table_of(table_in(answer, limits), limits.rows)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _findings(package: Package, contract: OfferedContract) -> Iterator[Finding]:
    yield from check_safety(package.files, contract.capabilities)
    yield from missing_packages(package.code)
    # what reads badly is no reason to refuse a tool; what is wrong shows when it runs
    yield from (
        each.replace(severity=Severity.WARNING)
        for each in check_lint({"tool.py": package.code})
        if each.line is not None
    )


def _refuse(findings: Sequence[Finding]) -> None:
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if errors:
        told = " ".join(f"Line {e.line}: {e.message} {e.fix or ''}".strip() for e in errors[:5])
        raise SchemaValidationError(f"The code was not run, because it breaks a rule of the sandbox. {told}")


def _tried(
    offered: OfferedTool, contract: OfferedContract, package: Package, services: Services
) -> tuple[tuple[_Tried, ...], bool]:
    """Return how the calls ended, and whether a second process gave something else.

    Made-up values are tried apart, so that one that ends the process leaves the ordinary calls alone.
    """
    one = limits_of(offered, services.limits)
    cases = () if offered.variables else cases_of(offered)
    usual = tuple(case for case in cases if case.category in _USUAL)
    unusual = cases[len(usual) :]
    with unpacked(package, services.workspace) as folder:
        tool = PlacedTool(folder, offered.name, contract.capabilities)

        def run(some: Sequence[ArgumentCase], calls: int, *, other_seed: bool = False) -> Run:
            limits = replace(one, wall_seconds=calls * one.wall_seconds, cpu_seconds=calls * one.cpu_seconds)
            arguments = tuple(case.arguments for case in some)
            return call_all(services.sandbox, tool, arguments, limits, other_seed=other_seed)

        try:
            first, again = run(usual, max(1, len(usual))), run(usual, max(1, len(usual)), other_seed=True)
            _require_loaded(offered.name, first)
            rest = run(unusual, _CALLS_OF_EDGES) if unusual else None
        except SandboxError as error:
            raise SchemaValidationError(f"`{offered.name}` could not be tried: {error}") from error
    tried, others = ([_ended(c, each, n, one) for n, c in enumerate(usual)] for each in (first, again))
    _refuse_wrong(offered, first, tried)
    edges = [] if rest is None else [_ended(case, rest, place, one) for place, case in enumerate(unusual)]
    both = ((a, b) for a, b in zip(tried, others, strict=True) if a.wrong is None and b.wrong is None)
    return (*tried, *edges), any(a.value != b.value for a, b in both)


def _require_loaded(name: str, run: Run) -> None:
    first = run.answers[0] if run.answers else None
    if run.outcome is Outcome.FAILED and first is not None and not first.ok:
        raise SchemaValidationError(f"`{name}` cannot be loaded: {first.error_type}: {first.error_message}.")


def _ended(case: ArgumentCase, run: Run, place: int, limits: Limits) -> _Tried:
    answer = run.answers[place] if place < len(run.answers) else None
    wrong = what_went_wrong(run, answer)
    value = value_of(answer, limits) if answer is not None and wrong is None else None
    return _Tried(case, answer, value, wrong)


def _refuse_wrong(offered: OfferedTool, run: Run, tried: Sequence[_Tried]) -> None:
    """Refuse a tool that an ordinary call ends at a limit, whose examples fail, or that gives another type."""
    name = offered.name
    if run.outcome is not Outcome.COMPLETED:
        ended = next((each for each in tried if each.answer is None or not each.answer.ok), None)
        during = f", `{ended.case.told(name)}`" if ended is not None else ""
        raise SchemaValidationError(f"`{name}` failed a test call{during}: {_reason(run)}.")
    for each in tried:
        if each.case.category == "example" and each.wrong is not None:
            raise SchemaValidationError(f"The example `{each.case.told(name)}` fails: {each.wrong}.")
        if each.wrong is None:
            _require_type(offered, each)


def _reason(run: Run) -> str:
    return (run.reason or f"the run ended as {run.outcome.value}").rstrip(".")


def _require_type(offered: OfferedTool, tried: _Tried) -> None:
    kinds = _TYPES.get(offered.returns.type)
    value = tried.value
    if kinds is None or (isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))):
        return
    raise SchemaValidationError(
        f"`returns` says `{offered.returns.type}`, and `{tried.case.told(offered.name)}` gave {_short(value)}. "
        "Make both say the same."
    )


def _report(offered: OfferedTool, tried: Sequence[_Tried], findings: tuple[Finding, ...]) -> ValidationReport:
    results = [
        TestResult(
            test_id=each.case.told(offered.name),
            category=each.case.category,
            passed=each.wrong is None,
            error=each.wrong,
        )
        for each in tried
    ]
    # what fails the contract, an ordinary call or the sandbox is refused before there is a report
    return ValidationReport(
        schema_ok=True,
        tests_ok=True,
        sandbox_ok=True,
        logs=tuple(f"{r.test_id}: {'gave a result' if r.passed else r.error}" for r in results),
        findings=findings,
        evidence=tuple(_evidence(offered, tried)),
    )


def _evidence(offered: OfferedTool, tried: Sequence[_Tried]) -> Iterator[Evidence]:
    yield Evidence(
        check=TWO_WAYS,
        verdict=Verdict.NOT_APPLICABLE,
        sentence="Nothing checks its results.",
        place=Place.LINE,
    )
    if not tried:
        names = ", ".join(f"`{name}`" for name in offered.variables)
        yield Evidence(
            check="cases",
            verdict=Verdict.NOT_APPLICABLE,
            sentence=f"It was loaded but not called, because it reads {names} from a notebook.",
            place=Place.LINE,
        )
        return
    good, failed = (
        sum(each.wrong is None for each in tried),
        next((each for each in tried if each.wrong is not None), None),
    )
    # both are words of the client's code: on one line, and quoted so that no viewer obeys them
    first = (
        ""
        if failed is None
        else f" `{name_in_words(failed.case.told(offered.name))}` ended with `{name_in_words(failed.wrong or '')}`."
    )
    yield Evidence(
        check="cases",
        verdict=Verdict.PASSED if good else Verdict.NOT_APPLICABLE,
        sentence=f"It returned a result in {good} of {len(tried)} test calls.{first}",
        figure=good,
        place=Place.LINE,
    )


def _candidate(
    offered: OfferedTool, contract: OfferedContract, package: Package, report: ValidationReport, services: Services
) -> ToolCandidate:
    tool_id = f"{offered.name}-{services.new_id()[:8]}"
    hints = annotations_for(contract.capabilities).model_dump()
    return ToolCandidate(
        tool_id=tool_id,
        version=offered.version,
        spec=contract.spec,
        package_path=f"staging/candidates/{tool_id}_{offered.version}",
        code_hash=code_hash(package),
        spec_hash=spec_hash(contract.spec),
        fingerprint=fingerprint(
            contract.spec, offered.version, package, hints, contract.dependencies, contract.capabilities
        ),
        status=ToolStatus.STAGED,
        validation_report=report,
        created_at=services.clock(),
        created_by=f"{CLIENT}{offered.client}",
        dependencies=contract.dependencies,
        capabilities=contract.capabilities,
    )


def _card(
    offered: OfferedTool,
    contract: OfferedContract,
    candidate: ToolCandidate,
    package: Package,
    tried: Sequence[_Tried],
    diff: Diff | None,
    services: Services,
) -> Card:
    report = candidate.validation_report
    evidence = () if report is None else report.evidence
    shown = [each for each in tried if each.case.category != "stress"]
    return Card(
        card_id=candidate.tool_id,
        tool_name=offered.name,
        version=offered.version,
        fingerprint=candidate.fingerprint,
        question=f"The AI client “{offered.client}” offers a tool.",
        data_name="",
        reading=offered.description,
        status=ToolStatus.STAGED,
        sound=True,
        table=Table(
            columns=("call", "result"),
            types=("text", "text"),
            rows=tuple(
                (each.case.told(offered.name), _short(each.value if each.wrong is None else each.wrong))
                for each in shown[:_MOST_SHOWN]
            ),
            total_rows=len(shown),
        ),
        evidence_sentence=evidence_sentence(evidence),
        confirmations=(
            Confirmation(
                confirms=Confirms.UNCHECKED,
                sentence="Nothing checked what this code computes. Did you read it?",
                yes="Yes, I read it",
            ),
        ),
        evidence=evidence,
        findings=() if report is None else report.findings,
        limitations=contract.limitations,
        code=package.code,
        signature=signature(candidate),
        parameters=contract.spec.parameters,
        capabilities=candidate.capabilities,
        permissions=(*sentences(granted(candidate.capabilities)), *_bounds(offered)),
        sandbox=confined_by(services.sandbox),
        is_named=True,
        diff=diff,
        offered=offered.client,
        created_at=candidate.created_at,
    )


def _bounds(offered: OfferedTool) -> Iterator[str]:
    yield limits_in_words(offered.resource_limits)
    if offered.variables:
        names = ", ".join(f"`{name}`" for name in offered.variables)
        yield f"Each call gets a copy of {names} from your notebook."


def _diff(follows: Predecessor | None, candidate: ToolCandidate, package: Package, services: Services) -> Diff | None:
    if follows is None or follows.tool is None or not follows.is_active:
        return None
    try:
        before = side_of(follows.tool, services)
    except RegistryError:
        return None
    diff = diff_of(before, side_of_candidate(candidate, package), "")
    old, new = offered_in(before.package), offered_in(package)
    if old is None or new is None or old.resource_limits == new.resource_limits:
        return diff
    told = (
        f"Its limits change. Before: {limits_in_words(old.resource_limits)} Now: {limits_in_words(new.resource_limits)}"
    )
    return diff.replace(contract=(*diff.contract, told))


def _short(value: Any) -> str:
    written = value if isinstance(value, str) else repr(value)
    return written if len(written) <= _LONGEST_CELL else f"{written[:_LONGEST_CELL]}…"
