"""Generated cases: on every generated table the code gives what the reference gives, or refuses what it must."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten

from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.model.validation import Evidence, Place, TestResult, Verdict
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import CaseRuns, Subject
from jupyter_mcpgen.pipeline.generated import LARGE_ROWS, MISSING_COLUMN, REPEATED_KEY

CATEGORIES = {
    **dict.fromkeys((Case.TYPICAL, Case.DUPLICATES, Case.TIES), "normal"),
    **dict.fromkeys((Case.MANY_GROUPS, Case.LARGE), "stress"),
}
"""The seed's categories; every other case is an edge case."""
REFUSED = {
    MISSING_COLUMN: "that lack a needed column",
    REPEATED_KEY: "whose key repeats rows of the other table",
}
"""The generated tables that a tool must not answer for."""
_TOLD = {Case.EMPTY: "empty", Case.NULLS: "missing values", Case.TIES: "ties"}
"""The generated tables that say best what the others are like."""
_LONGEST_REASON = 200


def _check(subject: Subject, _: float) -> Found:
    runs = subject.runs
    results = (*_answered(subject, runs), *_refused(runs))
    return Found(evidence=(_told(results), *_unfinished(results)), results=results)


def _answered(subject: Subject, runs: CaseRuns) -> Iterator[TestResult]:
    """Yield how the code did on each generated table that it must answer for."""
    ended = [runs.ended[case.value] for case in runs.cases]
    tables, given = list(runs.cases.values()), [each.result for each in ended]
    differences = subject.reference.differences(tables, given, subject.material)
    for case, each, difference in zip(runs.cases, ended, differences, strict=True):
        error = each.wrong or difference
        category = CATEGORIES.get(case, "edge")
        yield TestResult(test_id=case.value, category=category, passed=error is None, error=error, ended=each.how)


def _refused(runs: CaseRuns) -> Iterator[TestResult]:
    """Yield whether the code refused each table that it must not answer for."""
    for name in runs.refused:
        answer = runs.ended[name].answer
        passed = answer is not None and not answer.ok and bool(answer.details.get("error"))
        error = None if passed else f"a table with a {name.replace('_', ' ')} was not refused"
        yield TestResult(test_id=name, category="edge", passed=passed, error=error)


def _told(results: tuple[TestResult, ...]) -> Evidence:
    failed = [result for result in results if result.blocks]
    if failed:
        named = ", ".join(result.test_id.replace("_", " ") for result in failed)
        sentence = (
            f"Failed {len(failed)} of {len(results)} generated tables: {named}. "
            f"The first: {shorten(failed[0].error or 'no reason is known', _LONGEST_REASON).removesuffix('.')}."
        )
        return Evidence(check="generated_tables", verdict=Verdict.FAILED, sentence=sentence)
    names = {result.test_id for result in results if result.passed}
    number = len(names - REFUSED.keys())
    told = [said for case, said in _TOLD.items() if case.value in names]
    refused = " or ".join(said for name, said in REFUSED.items() if name in names)
    examples = f" ({', '.join(told)}{'…' if number > len(told) else ''})" if told else ""
    large = f", one of {LARGE_ROWS:,} rows" if Case.LARGE.value in names else ""
    sentence = f"Passed {number} generated tables{examples}{large}."
    sentence += f" Rejects tables {refused}." if refused else ""
    return Evidence(check="generated_tables", verdict=Verdict.PASSED, sentence=sentence, figure=len(results))


def _unfinished(results: tuple[TestResult, ...]) -> Iterator[Evidence]:
    """Yield that the code ended in a limit on some tables, which says nothing of what it computes."""
    named = [result.test_id.replace("_", " ") for result in results if not result.passed and not result.blocks]
    if named:
        sentence = f"Not finished on generated tables, as a limit was reached: {', '.join(named)}."
        yield Evidence(check="unfinished", verdict=Verdict.NOT_APPLICABLE, sentence=sentence, place=Place.NOTE)


GENERATED_CASES = Gate("generated_cases", Needs.RUNS, Cost.DEAR, blocking=True, seconds=60, check=_check)
