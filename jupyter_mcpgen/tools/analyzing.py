"""The coding family, as far as it looks at people's projects: analyzes, quality gates and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jupyter_mcpgen.coding.analysis import Analyst, Whole, summarize
from jupyter_mcpgen.coding.gates import check_gates, limits_of
from jupyter_mcpgen.coding.reports.content import TITLE, Report, results_of
from jupyter_mcpgen.coding.reports.writing import render, write, write_analysis
from jupyter_mcpgen.errors import CodingError, McpgenError
from jupyter_mcpgen.folders import OpenFolders
from jupyter_mcpgen.model.analysis import (
    AnalysisType,
    FileAnalysis,
    GateReport,
    Issue,
    ProjectAnalysis,
    ReportFormat,
    Unchecked,
    counts_in_words,
    unchecked_in_words,
)
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.visible import unobeyed
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.tools.analyzing_records import (
    CodeReviewFile,
    CodeReviewProject,
    CodingAnalyzeFile,
    CodingAnalyzeProject,
    CodingCheckQualityGates,
    CodingGenerateReport,
    Failed,
    FileAnswer,
    FileReview,
    GateAnswer,
    ProjectAnswer,
    ProjectReview,
    ReportAnswer,
    ReportWritten,
)
from jupyter_mcpgen.tools.offer import READS, REPLACES, Caller, Offer, Reply

MOST_SECONDS = 900.0
MOST_LISTED = 50
_FILE, _PROJECT, _GATES = "Analysis failed", "Project analysis failed", "Quality gate check failed"
_REPORT = "Report generation failed"


def offers(analyst: Callable[[], Analyst], sources: OpenFolders, outputs: OpenFolders) -> tuple[Offer[Any], ...]:
    """Return these tools; clients name files in `sources`, and have reports written into `outputs`."""
    family = _Analysing(analyst, sources, outputs)
    return (
        Offer(
            "coding_analyze_file", CodingAnalyzeFile, FileAnswer, READS, family.analyze_file,
            seconds=_seconds, refused=lambda why: _failed(_FILE, why),
        ),
        Offer(
            "coding_analyze_project", CodingAnalyzeProject, ProjectAnswer, REPLACES, family.analyze_project,
            seconds=_seconds, refused=lambda why: _failed(_PROJECT, why),
        ),
        Offer(
            "coding_check_quality_gates", CodingCheckQualityGates, GateAnswer, READS, family.check_quality_gates,
            seconds=_seconds, refused=lambda why: _failed(_GATES, why),
        ),
        Offer(
            "coding_generate_report", CodingGenerateReport, ReportAnswer, REPLACES, family.generate_report,
            refused=lambda why: _failed(_REPORT, why, "InvalidResultsError"),
        ),
        Offer(
            "code_review_file", CodeReviewFile, FileReview, READS, family.review_file,
            seconds=_seconds, refused=lambda why: _shortly(FileReview, _failed(_FILE, why)),
        ),
        Offer(
            "code_review_project", CodeReviewProject, ProjectReview, READS, family.review_project,
            seconds=_seconds, refused=lambda why: _shortly(ProjectReview, _failed(_PROJECT, why)),
        ),
    )  # fmt: skip


class _Analysing:
    """The tools, a few lines each; a failure is an answer, because clients read the same keys whatever happens."""

    def __init__(self, analyst: Callable[[], Analyst], sources: OpenFolders, outputs: OpenFolders) -> None:
        self._analyst = analyst
        self._sources = sources
        self._outputs = outputs

    def analyze_file(self, asked: CodingAnalyzeFile, caller: Caller) -> Reply:
        """Analyze one file."""
        try:
            path = self._sources.allowed(asked.file_path)
            found = self._analyst().file(
                path,
                asked.analysis_types or tuple(AnalysisType),
                asked.severity_threshold,
                caller.cancellation,
                named=asked.file_path,
            )
        except McpgenError as error:
            return _error(_FILE, error)
        return Reply(_file_in_words(found), found)

    def analyze_project(self, asked: CodingAnalyzeProject, caller: Caller) -> Reply:
        """Analyze a project, and write its report where one is asked for."""
        try:
            target = None if asked.output_path is None else self._outputs.allowed(asked.output_path)
            whole = self._whole(asked.path, caller, asked.include_patterns or (), asked.exclude_patterns or ())
            found = summarize(whole, asked.path)
            if target is not None:
                write_analysis(found, whole.issues, target, asked.report_format)
                found = found.replace(output_path=str(target))
        except McpgenError as error:
            return _error(_PROJECT, error)
        return Reply(_project_in_words(found), found)

    def check_quality_gates(self, asked: CodingCheckQualityGates, caller: Caller) -> Reply:
        """Hold a project, or a file, against quality gates."""
        try:
            limits = limits_of(asked.gates or {})
            found = summarize(self._whole(asked.path, caller), asked.path)
            report = check_gates(
                found, limits, asked=tuple(asked.gates or ()), fail_on_violation=asked.fail_on_violation
            )
        except McpgenError as error:
            return _error(_GATES, error)
        return Reply(_gates_in_words(report), report, failed=not report.success)

    def generate_report(self, asked: CodingGenerateReport, caller: Caller) -> Reply:
        """Write a report on results that the client has."""
        try:
            target = self._outputs.allowed(asked.output_path)
            results = results_of(asked.analysis_results)
            has_charts = asked.include_charts and asked.format is ReportFormat.HTML
            report = Report(asked.title or TITLE, results, has_charts, asked.include_recommendations)
            size = write(render(report, asked.format), target)
        except McpgenError as error:
            return _error(_REPORT, error)
        written = ReportWritten(
            output_path=str(target), format=asked.format, size_bytes=size, sections_included=report.sections
        )
        return Reply(f"The report is in `{target}` ({size:,} bytes).", written)

    def review_file(self, asked: CodeReviewFile, caller: Caller) -> Reply:
        """Analyze one file, with the answer inside another that says the same of its status."""
        return _shortly(FileReview, self.analyze_file(CodingAnalyzeFile(file_path=asked.path), caller))

    def review_project(self, asked: CodeReviewProject, caller: Caller) -> Reply:
        """Analyze a project, with the answer inside another that says the same of its status."""
        return _shortly(ProjectReview, self.analyze_project(CodingAnalyzeProject(path=asked.path), caller))

    def _whole(self, given: str, caller: Caller, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Whole:
        path = self._sources.allowed(given)
        return self._analyst().whole(
            path,
            include,
            exclude,
            caller.cancellation,
            lambda done, of: caller.tell(f"{done} of {of} checks are done."),
        )


def _seconds(_: Record) -> float:
    return MOST_SECONDS


def _error(head: str, error: McpgenError) -> Reply:
    kind = error.seed_name if isinstance(error, CodingError) else type(error).__name__
    return _failed(head, str(error), kind)


def _failed(head: str, why: str, kind: str = "AnalysisError") -> Reply:
    failed = Failed(error=f"{head}: {why}", error_type=kind)
    return Reply(unobeyed(failed.error), failed, failed=True)


def _shortly(short: type[FileReview] | type[ProjectReview], reply: Reply) -> Reply:
    if isinstance(reply.record, Failed):
        return Reply(reply.text, short(status=Status.ERROR, error=reply.record.error), failed=True)
    return Reply(reply.text, short.model_validate({"status": Status.SUCCESS, "analysis": reply.record}))


def _file_in_words(found: FileAnalysis) -> str:
    return unobeyed("\n".join(_lines(found.issues, f"`{found.file_path}` ({found.language})", found)))


def _project_in_words(found: ProjectAnalysis) -> str:
    head = f"`{found.path}`: {found.files_analyzed:,} files, quality score {found.quality_score:g} of 100"
    lines = [*_lines(found.top_issues, head, found)]
    if found.total_issues > len(found.top_issues):
        lines.append(f"These are the {len(found.top_issues)} most severe of {found.total_issues:,} issues.")
    if found.output_path is not None:
        lines.append(f"The report is in `{found.output_path}`.")
    return unobeyed("\n".join(lines))


def _lines(issues: Sequence[Issue], head: str, found: FileAnalysis | ProjectAnalysis) -> Iterator[str]:
    counts = found.issue_counts if isinstance(found, FileAnalysis) else found.issue_summary
    yield f"{head}: {counts_in_words(counts)}."
    for issue in issues[:MOST_LISTED]:
        cure = f" {issue.suggestion}" if issue.suggestion else ""
        yield f"- {issue.file}:{issue.line}:{issue.column} {issue.severity.value} {issue.rule}: {issue.message}{cure}"
    if len(issues) > MOST_LISTED:
        yield f"… and {len(issues) - MOST_LISTED} more."
    yield from _unchecked_in_words(found.unchecked, () if isinstance(found, FileAnalysis) else found.skipped)


def _unchecked_in_words(unchecked: Sequence[Unchecked], skipped: Sequence[str]) -> Iterator[str]:
    yield from (f"Not read: {name}" for name in skipped[:MOST_LISTED])
    yield from (f"Not checked: {files} by {why}" for files, why in unchecked_in_words(unchecked)[:MOST_LISTED])


def _gates_in_words(report: GateReport) -> str:
    lines = [f"Quality gates: {report.overall_status}, {report.gates_passed} of {report.gates_checked} passed."]
    for one in report.results:
        ended = "passed" if one.passed else "failed"
        lines.append(f"- {one.gate}: {ended}, {one.actual:g} against {one.threshold:g} (margin {one.margin:g})")
    lines += [f"- {name}: not measured for these languages" for name in report.not_measured]
    return unobeyed("\n".join([*lines, *_unchecked_in_words(report.unchecked, report.skipped)]))
