"""What a report holds, from the results of an analysis, in whatever detail they come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError

from jupyter_mcpgen.errors import InvalidResultsError
from jupyter_mcpgen.model.analysis import SEVERITIES, AnalysisType, Unchecked, counts_in_words, unchecked_in_words
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.wording import in_digits

TITLE = "Code quality report"
MOST_ISSUES = 2_000
MOST_RULES = 5
_COUNTED = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.INFO: "Hints"}
_HARD, _UNMAINTAINABLE, _MANY = 10, 50, 20


MOST = 10**12
"""What no count or measure of code exceeds."""
Count = Annotated[int, Field(ge=0, le=MOST)]
Measure = Annotated[float, Field(ge=0, le=MOST)]


class _Lenient(Record):
    """Takes what it knows of a larger record."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class ReportedIssue(_Lenient):
    """An issue as a report shows it."""

    severity: Severity
    message: str
    file: str = ""
    line: Count = 0
    rule: str = ""
    category: AnalysisType | None = None
    suggestion: str | None = None


class ReportedMetrics(_Lenient):
    """The measures of a project or of a file."""

    total_loc: Count | None = None
    avg_complexity: Measure | None = None
    avg_maintainability: float | None = Field(default=None, ge=0, le=100)
    lines_of_code: Count | None = None
    cyclomatic_complexity: Measure | None = None
    maintainability_index: float | None = Field(default=None, ge=0, le=100)

    @property
    def lines(self) -> int | None:
        """Return how many lines there are."""
        return self.total_loc if self.total_loc is not None else self.lines_of_code

    @property
    def complexity(self) -> float | None:
        """Return the mean complexity."""
        return self.avg_complexity if self.avg_complexity is not None else self.cyclomatic_complexity

    @property
    def maintainability(self) -> float | None:
        """Return the mean maintainability index."""
        return self.avg_maintainability if self.avg_maintainability is not None else self.maintainability_index

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return what was measured, in words."""
        measured = {
            "Lines of code": self.lines,
            "Mean cyclomatic complexity": self.complexity,
            "Mean maintainability index (0 to 100)": self.maintainability,
        }
        return tuple((name, in_digits(value)) for name, value in measured.items() if value is not None)


class Results(_Lenient):
    """The results of an analysis of a file or a project, or of something equivalent."""

    path: str | None = None
    file_path: str | None = None
    files_analyzed: Count | None = None
    total_issues: Count | None = None
    quality_score: float | None = Field(default=None, ge=0, le=100)
    issue_summary: Mapping[Severity, Count] | None = None
    issue_counts: Mapping[Severity, Count] | None = None
    metrics: ReportedMetrics = ReportedMetrics()
    top_issues: tuple[ReportedIssue, ...] = ()
    issues: tuple[ReportedIssue, ...] = ()
    files_with_issues: tuple[str, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """A report, ready to be written."""

    title: str
    results: Results
    has_charts: bool = True
    has_recommendations: bool = True

    @property
    def subject(self) -> str:
        """Return what was analyzed."""
        return self.results.path or self.results.file_path or ""

    @property
    def issues(self) -> tuple[ReportedIssue, ...]:
        """Return the issues, the most severe first, as many as a report shows."""
        listed = self.results.issues or self.results.top_issues
        return tuple(sorted(listed, key=lambda issue: SEVERITIES.index(issue.severity)))[:MOST_ISSUES]

    @property
    def counts(self) -> Mapping[Severity, int] | None:
        """Return how many issues there are of each severity, where that is known."""
        told = self.results.issue_summary or self.results.issue_counts
        if told is None and self.results.issues:
            told = Counter(issue.severity for issue in self.results.issues)
        return None if told is None else {severity: told.get(severity, 0) for severity in SEVERITIES}

    @property
    def spoken_counts(self) -> str:
        """Return the counts as a person reads them."""
        return counts_in_words(self.counts or {})

    @property
    def total(self) -> int | None:
        """Return how many issues there are, where that is known."""
        if self.results.total_issues is not None:
            return self.results.total_issues
        return None if self.counts is None else sum(self.counts.values())

    @property
    def summary(self) -> tuple[tuple[str, str], ...]:
        """Return the figures of the report's head, in words."""
        found = self.results
        rows = [
            ("Quality score (0 to 100)", found.quality_score),
            ("Files analyzed", found.files_analyzed),
            ("Issues", self.total),
            *((_COUNTED[severity], count) for severity, count in (self.counts or {}).items()),
        ]
        return tuple((name, in_digits(value)) for name, value in rows if value is not None)

    @property
    def unchecked(self) -> tuple[tuple[str, str], ...]:
        """Return what could not be checked, each with the reason."""
        found = self.results
        unread = ((name, "not read") for name in found.skipped)
        return (*unchecked_in_words(found.unchecked), *unread)[:MOST_ISSUES]

    @property
    def recommendations(self) -> tuple[str, ...]:
        """Return what to do, the most pressing first; it follows from the findings alone."""
        return tuple(_recommended(self)) if self.has_recommendations else ()

    @property
    def sections(self) -> tuple[str, ...]:
        """Return which sections the report has."""
        there = {
            "summary": True,
            "charts": self.has_charts and bool(self.counts),
            "issues": bool(self.issues),
            "unchecked": bool(self.unchecked),
            "metrics": bool(self.results.metrics.rows),
            "recommendations": bool(self.recommendations),
        }
        return tuple(name for name, is_there in there.items() if is_there)


def results_of(given: Mapping[str, Any]) -> Results:
    """Return the results that somebody hands over; raises `InvalidResultsError` where they say nothing."""
    if not set(given).intersection(Results.model_fields):
        known = ", ".join(f"`{name}`" for name in Results.model_fields)
        raise InvalidResultsError(f"The results of an analysis have none of {known}. Pass what an analysis returned.")
    if given.get("success") is False:
        raise InvalidResultsError("These are the words of an analysis that failed. Analyze again, then report.")
    try:
        return Results.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidResultsError(f"`{place}` in the results of the analysis does not fit: {first['msg']}.") from error


def _recommended(report: Report) -> Iterator[str]:
    by_rule: dict[tuple[str, str], list[ReportedIssue]] = {}
    for issue in report.issues:
        if issue.severity is not Severity.INFO:
            by_rule.setdefault((issue.category or "", issue.rule), []).append(issue)
    ordered = sorted(
        by_rule.values(),
        key=lambda same: (
            same[0].category is not AnalysisType.SECURITY, SEVERITIES.index(same[0].severity), -len(same)
        ),
    )  # fmt: skip
    for same in ordered[:MOST_RULES]:
        yield _of_one_rule(same)
    measured = report.results.metrics
    if measured.complexity is not None and measured.complexity > _HARD:
        yield f"The mean complexity is {measured.complexity:g}. Split long functions until it is {_HARD} or less."
    if measured.maintainability is not None and measured.maintainability < _UNMAINTAINABLE:
        yield f"The mean maintainability index is {measured.maintainability:g}. Simplify the hardest files first."
    hints = sum(
        issue.severity is Severity.INFO and issue.category is AnalysisType.LINT and issue.file.endswith((".py", ".pyi"))
        for issue in report.issues
    )
    if hints > _MANY:
        yield f"There are {hints:,} hints of the linter. Many of them can be mended with `ruff check --fix`."


def _of_one_rule(same: list[ReportedIssue]) -> str:
    first, files = same[0], sorted({issue.file for issue in same if issue.file})
    rule = f" ({first.rule})" if first.rule else ""
    where = f" in {', '.join(files[:3])}{f' and {len(files) - 3} more' if len(files) > 3 else ''}" if files else ""
    times = f"{len(same)} × " if len(same) > 1 else ""
    cure = f" {first.suggestion}" if first.suggestion and len({issue.suggestion for issue in same}) == 1 else ""
    such = "" if len({issue.message for issue in same}) == 1 else "such as: "
    return f"{times}{such}{first.message}{rule}{where}.{cure}"
