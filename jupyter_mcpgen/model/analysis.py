"""What an analysis of code says: issues, measures of files, those of a project, and how its quality gates ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Literal

from pydantic import Field

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.validation import Severity

SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)
"""The most severe first."""
LANGUAGE_OF: Mapping[str, str] = {
    ".bash": "bash", ".sh": "bash",
    ".c": "c", ".h": "c",
    ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hh": "cpp", ".hpp": "cpp",
    ".go": "go",
    ".java": "java",
    ".cjs": "javascript", ".js": "javascript", ".mjs": "javascript",
    ".py": "python", ".pyi": "python",
    ".rs": "rust",
}  # fmt: skip
"""The languages that can be analyzed, by how the names of files end."""
SOURCE_ENDINGS = tuple(LANGUAGE_OF)
MOST_TOP_ISSUES = 20
MOST_ISSUES = 1_000
"""How many issues of one file are listed."""


class AnalysisType(StrEnum):
    """The five categories of issues."""

    LINT = "lint"
    TYPE = "type"
    SECURITY = "security"
    COMPLEXITY = "complexity"
    DEAD_CODE = "dead_code"


class ReportFormat(StrEnum):
    """What a report can be written as."""

    JSON = "json"
    HTML = "html"
    MARKDOWN = "markdown"


class Issue(Record):
    """One finding: where it is, what is wrong and what to do. Lines and columns begin at 1."""

    file: str
    severity: Severity
    line: int
    column: int
    message: str
    rule: str
    category: AnalysisType
    suggestion: str | None = None
    checker: str

    @property
    def rank(self) -> tuple[int, str, int, int, str]:
        """Return what puts the most severe first."""
        return SEVERITIES.index(self.severity), self.file, self.line, self.column, self.rule


class CodeMetrics(Record):
    """Measures of one file; the complexity is the mean of its functions, 0 where it has none.

    The maintainability index is from 0 to 100. What no checker measures for a language is null.
    """

    lines_of_code: int
    cyclomatic_complexity: float | None
    maintainability_index: float | None


class Unchecked(Record):
    """A file that a checker could not check, with the reason."""

    file: str
    checker: str
    why: str


class FileAnalysis(Record):
    """What was found in one file. `checkers` are those that looked, `unchecked` what could not be looked at."""

    success: Literal[True] = True
    file_path: str
    language: str
    issues: tuple[Issue, ...]
    metrics: CodeMetrics
    issue_counts: Mapping[Severity, int]
    left_out: int = 0
    """How many of the least severe issues are not listed; they are counted."""
    checkers: tuple[str, ...]
    unchecked: tuple[Unchecked, ...] = ()


class ProjectMetrics(Record):
    """Measures of a project: the complexity is the mean of all functions, the maintainability that of all files."""

    total_loc: int
    avg_complexity: float | None
    avg_maintainability: float | None


class ProjectAnalysis(Record):
    """What was found in a project.

    `quality_score` is 100 − 100 · (5 · errors + warnings) / lines, at least 0: pylint's formula over lines instead of
    statements, without hints.
    """

    success: Literal[True] = True
    path: str
    files_analyzed: int
    total_issues: int
    issue_summary: Mapping[Severity, int]
    quality_score: float
    metrics: ProjectMetrics
    top_issues: tuple[Issue, ...]
    files_with_issues: tuple[str, ...]
    languages: Mapping[str, int]
    """How many files there are of each language."""
    checkers: tuple[str, ...]
    unchecked: tuple[Unchecked, ...] = ()
    skipped: tuple[str, ...] = ()
    """Files that are too large, and files and folders that cannot be read, each with the reason."""
    output_path: str | None = None


class GateLimits(Record):
    """The thresholds of the quality gates."""

    max_complexity: float = Field(default=10, ge=0)
    min_maintainability: float = Field(default=50, ge=0, le=100)
    max_errors: int = Field(default=0, ge=0)
    max_warnings: int = Field(default=50, ge=0)


class GateResult(Record):
    """How one gate ended; `margin` is how far the figure is from its threshold, below zero where it failed."""

    gate: str
    passed: bool
    threshold: float
    actual: float
    margin: float


class GateReport(Record):
    """How all gates ended. Without `fail_on_violation` a violation is a warning, and `success` stays true.

    A warning is also what passes although something could not be checked.
    """

    success: bool
    gates_checked: int
    gates_passed: int
    results: tuple[GateResult, ...]
    overall_status: Literal["pass", "fail", "warn"]
    not_measured: tuple[str, ...] = ()
    """Gates whose figure no checker gives for the languages of the project."""
    unchecked: tuple[Unchecked, ...] = ()
    skipped: tuple[str, ...] = ()


def counted(issues: Iterable[Issue]) -> dict[Severity, int]:
    """Return how many issues there are of each severity."""
    found = [issue.severity for issue in issues]
    return {severity: found.count(severity) for severity in SEVERITIES}


def unchecked_in_words(unchecked: Iterable[Unchecked]) -> tuple[tuple[str, str], ...]:
    """Return what could not be checked, as files in words and the checkers with their reason.

    There is a row for each reason; checkers that give the same reason for the same files share one.
    """
    files: dict[tuple[str, str], list[str]] = {}
    for one in unchecked:
        files.setdefault((one.checker, one.why), []).append(one.file)
    checkers: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (checker, why), named in files.items():
        checkers.setdefault((tuple(named), why), []).append(checker)
    return tuple(
        (named[0] if len(named) == 1 else f"{named[0]} and {len(named) - 1:,} more", f"{', '.join(theirs)}: {why}")
        for (named, why), theirs in checkers.items()
    )


def counts_in_words(counts: Mapping[Severity, int]) -> str:
    """Return counts as a person reads them: `1 error, 12 warnings, 3 hints`."""
    words = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "hint"}
    return ", ".join(f"{counts[each]:,} {word}{'' if counts[each] == 1 else 's'}" for each, word in words.items())
